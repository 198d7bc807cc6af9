#include <iostream>

#include "cli/colour.h"
#include "cli/drive.h"
#include "cli/parse.h"
#include "cli/study.h"
#include "cli/study_text.h"
#include "studies/json/alarms.h"

namespace keyhole::cli {

Plan plan_of(const Arguments& arguments) {
  constexpr std::uint64_t most_workers = 1024;
  constexpr std::uint64_t most = 1'000'000'000;
  Plan plan{.command = arguments.rest,
            .workers = whole_number("--workers", arguments.get("--workers", "1"), 1, most_workers),
            .tries = whole_number("--tries", arguments.get("--tries", "3"), 1, most),
            .worker = worker_of(arguments, "drive"),
            .quiet = arguments.has("--quiet")};
  if (arguments.has("--rounds")) {
    plan.rounds = whole_number("--rounds", arguments.get("--rounds", ""), 1, most);
  }
  if (arguments.has("--timeout")) {
    plan.seconds = positive_number("--timeout", arguments.get("--timeout", ""));
  }
  plan.until = arguments.get("--until", "");
  plan.extra = arguments.has("--extra");
  plan.context_from = arguments.get("--context-from", "");
  return plan;
}

int study_drive(const Arguments& arguments, const Program& program) {
  const Plan plan = plan_of(arguments);
  const experiment::Interrupts interrupts;  // before the study, which may have threads
  Study study = the_study(arguments, program);
  Drive drive(study, plan, interrupts);
  drive.run();
  const std::string format = arguments.get("--format", "text");
  Json sheet = drive.summary();
  if (const std::uint64_t clipped = study.clipped(); clipped > 0) sheet["clipped"] = clipped;
  if (const Proof proof = study.status().proof; proof.share > 0) {
    sheet["proof"] = studies::proof_text(proof);
  }
  sheet["recommend"] = recommendation(study, format == "json");
  print_sheet(sheet, format);
  if (!drive.expired().empty()) warn(program, drive.expired());
  if (drive.interrupted() && arguments.has("--rounds")) {
    std::cerr << program.name << ": interrupted before all rounds were played\n";
    return interrupted_code;
  }
  if (drive.told() > 0) return 0;
  std::cerr << program.name << ": nothing was told\n";
  return 1;
}

}  // namespace keyhole::cli
