#include "tests/diskemu/model_spec.h"

#include <charconv>
#include <map>
#include <sstream>
#include <stdexcept>

#include "tests/diskemu/flash.h"
#include "tests/diskemu/spindle.h"
#include "tests/diskemu/stripe.h"
#include "tests/diskemu/write_cache.h"

namespace fairfs::test {
namespace {

constexpr std::uint64_t kMega = 1'000'000;    // of rates, as disk makers count
constexpr std::uint64_t kMebi = 1024 * 1024;  // of sizes
constexpr std::uint64_t kStripeChunk = 256 * 1024;
constexpr std::uint64_t kValueMax = 1'000'000;  // keeps every product of an option and a unit within 64 bits

std::uint64_t parse_number(const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || number > kValueMax) {
    throw std::invalid_argument("'" + text + "' is not a number of 0 to 1000000");
  }
  return number;
}

// The options of one model; what nobody took is an error.
class Options {
 public:
  explicit Options(const std::string& text) {
    std::istringstream in{text};
    for (std::string item; std::getline(in, item, ',');) {
      const auto equals = item.find('=');
      if (equals == std::string::npos) {
        values_["members"] = parse_number(item);  // the 4 of "raid0:4"
      } else {
        values_[item.substr(0, equals)] = parse_number(item.substr(equals + 1));
      }
    }
  }

  std::uint64_t take(const std::string& name, std::uint64_t fallback, std::uint64_t least) {
    const auto found = values_.extract(name);
    const std::uint64_t value = found.empty() ? fallback : found.mapped();
    if (value < least) throw std::invalid_argument(name + " must be at least " + std::to_string(least));
    return value;
  }

  void finish() const {
    if (!values_.empty()) throw std::invalid_argument("the model has no option '" + values_.begin()->first + "'");
  }

 private:
  std::map<std::string, std::uint64_t> values_;
};

std::unique_ptr<Device> make_spindle(Options& options, std::uint64_t capacity) {
  SpindleConfig config;
  config.capacity = capacity;
  config.bytes_per_s = options.take("mb_s", config.bytes_per_s / kMega, 1) * kMega;
  return std::make_unique<Spindle>(config);
}

std::unique_ptr<Device> make_stripe(Options& options, std::uint64_t capacity) {
  const std::uint64_t count = options.take("members", 4, 1);
  const std::uint64_t rate = options.take("mb_s", SpindleConfig{}.bytes_per_s / kMega, 1) * kMega;
  std::vector<std::unique_ptr<Device>> members;
  for (std::uint64_t member = 0; member < count; ++member) {
    SpindleConfig config;
    config.capacity = capacity / count;
    config.bytes_per_s = rate;
    members.push_back(std::make_unique<Spindle>(config));
  }
  return std::make_unique<Stripe>(std::move(members), kStripeChunk);
}

std::unique_ptr<Device> make_flash(Options& options) {
  using std::chrono::microseconds;
  FlashConfig config;
  config.channels = options.take("channels", config.channels, 1);
  config.read_latency = microseconds{options.take("read_us", 200, 0)};
  config.write_latency = microseconds{options.take("write_us", 60, 0)};
  config.bytes_per_s = options.take("mb_s", config.bytes_per_s / kMega, 1) * kMega;
  return std::make_unique<Flash>(config);
}

}  // namespace

std::unique_ptr<Device> make_device(const std::string& spec, std::uint64_t capacity) {
  const auto colon = spec.find(':');
  const std::string name = spec.substr(0, colon);
  Options options{colon == std::string::npos ? "" : spec.substr(colon + 1)};
  WriteCacheConfig cache;
  cache.capacity = options.take("cache_mb", 0, 0) * kMebi;
  cache.battery = options.take("battery", 0, 0) != 0;
  cache.bytes_per_s = options.take("cache_mb_s", cache.bytes_per_s / kMega, 1) * kMega;

  std::unique_ptr<Device> device;
  if (name == "hdd") {
    device = make_spindle(options, capacity);
  } else if (name == "raid0") {
    device = make_stripe(options, capacity);
  } else if (name == "ssd") {
    device = make_flash(options);
  } else {
    throw std::invalid_argument("no model '" + name + "': hdd, raid0:N or ssd");
  }
  options.finish();
  if (cache.capacity > 0) device = std::make_unique<WriteCache>(std::move(device), cache);
  return device;
}

}  // namespace fairfs::test
