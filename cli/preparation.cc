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
  if (options.idle) {
    // Told against the verdict that interleaving is free: how many streams are too many was not measured then.
    if (*options.idle && !result.profile.idle) result.profile.best_streams = 1;
    result.profile.idle = *options.idle;
  }
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
