#include "studies/json/alarms.h"

namespace keyhole::studies {

std::string counted(std::uint64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::vector<std::string> alarms_of(const Summary& summary, const Status& status,
                                   const LearnerOptions& options) {
  std::vector<std::string> alarms;
  const auto add = [&](std::uint64_t count, const char* what, const char* rest) {
    if (count > 0) alarms.push_back(counted(count, what) + " " + rest);
  };
  add(summary.missing, "play", "expired before a loss was told");
  add(summary.expired, "tell", "came after the play had expired");
  add(summary.late, "tell", "came too late to be learned from");
  add(summary.above_bound, "time", "a loss was beyond the bound that was promised");
  const std::uint64_t expiry = options.expiry.value_or(options.window);
  if (summary.oldest_pending > expiry / 2) {
    alarms.push_back("the oldest pending play expires in " +
                     counted(expiry - summary.oldest_pending, "play"));
  }
  if (status.belief.fit < 0) alarms.emplace_back("the model does not fit the losses");
  return alarms;
}

}  // namespace keyhole::studies
