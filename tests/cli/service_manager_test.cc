#include "cli/service_manager.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>

#include "tests/cli/notify_socket.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

using cli::ServiceManager;

/// What is logged while it lives.
class Log {
 public:
  Log() {
    spdlog::set_default_logger(
        std::make_shared<spdlog::logger>("", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_)));
  }
  ~Log() { spdlog::set_default_logger(before_); }
  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  std::shared_ptr<spdlog::logger> before_ = spdlog::default_logger();
  std::ostringstream text_;
};

// The words are those of sd_notify(3).
TEST(ServiceManager, HearsThatTheMountAnswersAndEnds) {
  const TemporaryDirectory folder;
  const NotifySocket socket{folder.path("notify")};
  const ServiceManager manager = ServiceManager::of_environment();
  manager.ready("/a mirrored at /b\nMAINPID=1");
  EXPECT_EQ(socket.hear_now(), "READY=1\nSTATUS=/a mirrored at /b\\x0aMAINPID=1") << "a name may contain a line feed";
  manager.stopping();
  EXPECT_TRUE(socket.hear_now().starts_with("STOPPING=1\n"));
}

TEST(ServiceManager, MayHaveAnAbstractAddress) {
  const NotifySocket socket{"@fairfs-test/" + std::to_string(getpid())};
  ServiceManager::of_environment().ready("x");
  EXPECT_EQ(socket.hear_now(), "READY=1\nSTATUS=x");
}

TEST(ServiceManager, IsNobodysWhomWeStart) {
  const NotifySocket socket{"@fairfs-test/" + std::to_string(getpid())};
  const ServiceManager manager = ServiceManager::of_environment();
  EXPECT_EQ(std::getenv("NOTIFY_SOCKET"), nullptr);
  ServiceManager::of_environment().ready("x");
  ServiceManager{}.ready("x");
  EXPECT_EQ(socket.hear_now(), "");
}

TEST(ServiceManager, WhoIsNotThereOrUnreachableIsLogged) {
  const Log log;
  const TemporaryDirectory folder;
  setenv("NOTIFY_SOCKET", folder.path("nobody").c_str(), 1);
  ServiceManager::of_environment().ready("x");
  EXPECT_NE(log.text().find(folder.path("nobody") + ": No such file or directory; the service manager was not told "
                                                    "READY=1"),
            std::string::npos)
      << log.text();
  setenv("NOTIFY_SOCKET", ("/" + std::string(200, 'x')).c_str(), 1);
  ServiceManager::of_environment().ready("x");
  EXPECT_NE(log.text().find("File name too long"), std::string::npos) << log.text();
}

TEST(ServiceManager, OneThatDoesNotReadDoesNotStopUs) {
  const Log log;
  const NotifySocket socket{"@fairfs-test/" + std::to_string(getpid())};
  const ServiceManager manager = ServiceManager::of_environment();
  // The kernel keeps net.unix.max_dgram_qlen messages, 10 to some hundreds, for who doesn't read.
  for (int i = 0; i < 10'000 && log.text().empty(); ++i) manager.ready("x");
  EXPECT_NE(log.text().find("the service manager was not told READY=1"), std::string::npos) << log.text();
}

TEST(ServiceManager, OtherKindsOfAddressesAreNotSpokenTo) {
  const Log log;
  setenv("NOTIFY_SOCKET", "vsock:2:1234", 1);
  ServiceManager::of_environment().ready("x");
  EXPECT_EQ(log.text(), "");
}

}  // namespace
}  // namespace fairfs::test
