#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/csv_text.h"
#include "base/number_text.h"
#include "cli/colour.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "experiment/terminal.h"
#include "keyhole/exploration.h"
#include "keyhole/spec.h"
#include "keyhole/testing.h"

namespace keyhole::cli {
namespace {

/// What a check found; empty if nothing.
std::string finding_of(const testing::Report& report, const std::string& check) {
  for (const testing::Finding& finding : report.findings) {
    if (finding.check == check) return finding.message;
  }
  return "";
}

void print_table(const Set& set, const testing::Report& report) {
  const Geometry& geometry = set.geometry();
  std::cout << set.spec() << "\n  dimension " << set.dimension() << ", of its hull "
            << set.hull_dimension() << "; " << (set.can_project() ? "projects" : "does not project")
            << "\n  inner radius " << base::number_text(geometry.inner_radius) << ", outer radius "
            << base::number_text(geometry.outer_radius)
            << (geometry.outer_radius_exact ? "" : " (an upper bound)") << ", diameter "
            << base::number_text(geometry.diameter)
            << (geometry.diameter_exact ? "" : " (an upper bound)") << "\n\n";
  std::cout << marked(report.text(), {{"ok", Colour::green}, {"FAILED", Colour::red}}) << "\n"
            << report.checks.size() << " checks, " << report.findings.size()
            << (report.findings.size() == 1 ? " finding\n" : " findings\n");
}

void print_json(const Set& set, const testing::Report& report) {
  const Geometry& geometry = set.geometry();
  nlohmann::ordered_json json = {{"set", set.spec()},
                                 {"dimension", set.dimension()},
                                 {"hull_dimension", set.hull_dimension()},
                                 {"can_project", set.can_project()},
                                 {"inner_radius", geometry.inner_radius},
                                 {"outer_radius", geometry.outer_radius},
                                 {"outer_radius_exact", geometry.outer_radius_exact},
                                 {"diameter", geometry.diameter},
                                 {"diameter_exact", geometry.diameter_exact},
                                 {"ok", report.ok()},
                                 {"checks", nlohmann::ordered_json::array()}};
  for (const std::string& check : report.checks) {
    json["checks"].push_back(
        {{"check", check}, {"ok", !report.failed(check)}, {"message", finding_of(report, check)}});
  }
  std::cout << json.dump(2) << "\n";
}

void print_csv(const testing::Report& report) {
  std::cout << "check,ok,message\n";
  for (const std::string& check : report.checks) {
    std::cout << base::csv_line(
        {check, report.failed(check) ? "false" : "true", finding_of(report, check)});
  }
}

/// Shows on a terminal which check is running; erased when it goes.
class CheckProgress {
 public:
  CheckProgress() = default;
  CheckProgress(const CheckProgress&) = delete;
  CheckProgress& operator=(const CheckProgress&) = delete;
  ~CheckProgress() { show(""); }

  void begins(const std::string& check) {
    show("check " + std::to_string(++count_) + ": " + check);
  }

 private:
  void show(const std::string& text) const {
    if (is_terminal_) std::cerr << "\r" << text << "\x1b[K" << std::flush;
  }

  bool is_terminal_ = experiment::terminal_size(experiment::Stream::error).has_value();
  int count_ = 0;
};

/// The report of the set, with its progress on stderr.
testing::Report checked(const SetPtr& set, testing::SetCheckOptions options) {
  CheckProgress progress;
  options.begins = [&](const std::string& check) { progress.begins(check); };
  return testing::check_set(set, options);
}

}  // namespace

int check(const Arguments& arguments, const Program& program) {
  constexpr std::uint64_t most = 1'000'000'000;
  testing::SetCheckOptions options;
  options.directions = whole_number("--directions", arguments.get("--directions", "200"), 1, most);
  options.seed = whole_number("--seed", arguments.get("--seed", "1"), 0, UINT64_MAX);
  const SetPtr set = [&] {
    const experiment::Notice notice("making the set, and finding where it explores ...");
    SetPtr made = make_set(arguments.word(0), program.catalogue);
    (void)made->exploration();  // kept by the set where it takes long
    return made;
  }();
  const testing::Report report = checked(set, options);
  const std::string format = arguments.get("--format", "table");
  if (format == "json") {
    print_json(*set, report);
  } else if (format == "csv") {
    print_csv(report);
  } else {
    print_table(*set, report);
  }
  return report.ok() ? 0 : 1;
}

}  // namespace keyhole::cli
