#include "cli/daemon.h"
#include "cli/profile_choice.h"

namespace fairfs::cli {

Preparation prepare(const Options& options) {
  Preparation result;
  if (!options.weights.empty()) {
    result.weights.emplace(options.weights);
    result.weights_text = result.weights->read();
    result.rules = parse_weights(result.weights_text, options.weights);
  }
  result.profile = choose_profile(options);
  if (options.depth) result.profile.depth = *options.depth;
  return result;
}

engine::EngineConfig engine_config(const Options& options, const Preparation& preparation) {
  engine::EngineConfig config;
  config.scheduler.policy = options.policy;
  config.scheduler.profile = preparation.profile;
  config.scheduler.max_wait = options.max_wait;
  config.grouping = options.grouping;
  config.rules = preparation.rules;
  return config;
}

}  // namespace fairfs::cli
