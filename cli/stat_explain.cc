#include "cli/stat_explain.h"

#include "cli/account.h"
#include "cli/explanation_text.h"
#include "cli/explanation_view.h"
#include "cli/readings.h"

namespace fairfs::cli {

std::vector<std::string> why(const StatTarget& target, pid_t pid) {
  const engine::Explanation explanation = ask(target, explain_line(pid), &parse_explanation);
  if (explanation.process.kind != engine::Process::Kind::process) {
    throw failed("explain", std::to_string(pid), "there is no such process", "name one that runs");
  }
  const StatReply second = last_full_second(target);
  IntervalView interval = view(second.readings.front(), second.readings.back(), second.about.scheduling);
  interval.about = second.about;
  interval.state = second.state;
  return explain(explanation, interval, user_name(explanation.process.uid));
}

}  // namespace fairfs::cli
