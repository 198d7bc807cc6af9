// keyhole study log.

#include <iostream>

#include "base/csv_text.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "cli/padded.h"
#include "cli/study.h"
#include "cli/study_text.h"
#include "experiment/interrupt.h"
#include "experiment/terminal.h"

namespace keyhole::cli {
namespace {

/// What a step has changed that is neither a tell nor an ask; empty for one of those.
std::string change_text(const StudyRecord& record) {
  if (record.renewed) return "renewed";
  if (record.changed) {
    return "changed: " + std::to_string(record.changed->learned) + " learned, " +
           std::to_string(record.changed->dropped) + " dropped";
  }
  if (record.explores) return *record.explores ? "resumed" : "paused";
  if (record.proves) return "prove " + base::number_text(*record.proves);
  if (!record.past.empty()) return "learned " + std::to_string(record.past.size()) + " of the past";
  return "";
}

/// "tell 3 0.25 p99=183, tell 2 1 (repeated), measure 1 p99=90, ask 4 to 6 by w1 in load=812".
std::string step_text(const StudyRecord& record) {
  if (const std::string change = change_text(record); !change.empty()) return change;
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < record.tells.size(); ++k) {
    const StudyTell& tell = record.tells[k];
    const Receipt receipt = record.gave.receipts[k];
    parts.push_back((tell.loss ? "tell " : "measure ") + std::to_string(tell.id) +
                    (tell.loss ? " " + base::number_text(*tell.loss) : "") +
                    (tell.count == 1 ? "" : " count=" + base::number_text(tell.count)) +
                    (tell.metrics.empty() ? "" : " " + named_text(tell.metrics)) +
                    (receipt == Receipt::fresh ? "" : " (" + receipt_text(receipt) + ")"));
  }
  if (const auto& plays = record.gave.plays; !plays.empty()) {
    const std::string first = std::to_string(plays.front().id);
    parts.push_back("ask " + first +
                    (plays.size() > 1 ? " to " + std::to_string(plays.back().id) : "") +
                    (record.worker.empty() ? "" : " by " + record.worker));
    const std::string known = named_text(plays.front().context);
    if (!known.empty()) parts.back() += " in " + known;
  }
  return base::joined(parts);
}

/// A row for each tell and each play.
std::string step_rows(std::uint64_t number, const StudyRecord& record) {
  const std::string step = std::to_string(number);
  if (const std::string change = change_text(record); !change.empty()) {
    return base::csv_line({step, change, "", "", "", ""});
  }
  std::string rows;
  for (std::size_t k = 0; k < record.tells.size(); ++k) {
    const StudyTell& tell = record.tells[k];
    rows += base::csv_line({step, tell.loss ? "tell" : "measure", std::to_string(tell.id),
                            tell.loss ? base::number_text(*tell.loss) : "",
                            receipt_text(record.gave.receipts[k]), ""});
  }
  for (const StudyPlay& play : record.gave.plays) {
    rows += base::csv_line({step, "ask", std::to_string(play.id), "", "", record.worker});
  }
  return rows;
}

}  // namespace

int study_log(const Arguments& arguments, const Program& program) {
  constexpr double pause = 0.2;  // between two looks at the log, in seconds
  const Store store = the_store(arguments, program);
  const std::string format = arguments.get("--format", "text");
  if (format == "csv") std::cout << "step,what,play,loss,told,worker\n";
  std::uint64_t number = 0;
  const auto print = [&](const StudyRecord& record) {
    ++number;
    if (format == "json") {
      std::cout << json_text(studies::record_json(number, record)) << "\n";
    } else if (format == "csv") {
      std::cout << step_rows(number, record);
    } else {
      std::cout << padded(std::to_string(number), 6) << step_text(record) << "\n";
    }
  };
  if (!arguments.has("--follow")) {
    store.replay(arguments.word(0), print);
    return 0;
  }
  const std::atomic<bool>& interrupted = experiment::stop_on_interrupt();
  store.replay(arguments.word(0), print, [&] {
    std::cout.flush();
    return experiment::wait(pause, interrupted);
  });
  return 0;
}

}  // namespace keyhole::cli
