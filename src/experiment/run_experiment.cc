#include <utility>

#include "experiment/config.h"
#include "experiment/run.h"
#include "keyhole/experiment.h"

namespace keyhole {
namespace {

/// Hands what a run says of itself to a function.
class Reporting final : public experiment::ProgressSink {
 public:
  using Function = std::function<void(std::uint64_t, std::uint64_t)>;

  explicit Reporting(const Function& report) : report_(report) {}

  void update(const experiment::Advance& advance) override { report_(advance.done, advance.total); }
  void timing() override {}
  void end(const experiment::Advance& advance, experiment::Ending /*ending*/) override {
    update(advance);
  }

 private:
  const Function& report_;
};

experiment::Experiment parsed(const ExperimentText& text, const Catalogue& catalogue) {
  const experiment::Experiment read =
      experiment::parse_experiment(text.toml, text.name, text.folder, catalogue);
  std::vector<experiment::Named> more;
  for (const auto& [name, spec] : text.learners) more.push_back({name, spec});
  return more.empty() ? read : experiment::with_learners(read, more, catalogue);
}

}  // namespace

std::string canonical_experiment(const ExperimentText& text, const Catalogue& catalogue) {
  return experiment::print_config(parsed(text, catalogue));
}

ExperimentOutcome run_experiment(const ExperimentText& text, const ExperimentOptions& options,
                                 const Catalogue& catalogue) {
  const experiment::Experiment experiment = parsed(text, catalogue);
  Reporting reporting(options.progress);
  experiment::RunReport report =
      experiment::run(experiment, {.out = options.directory,
                                   .threads = options.threads,
                                   .progress = options.progress ? &reporting : nullptr,
                                   .stop = options.stop,
                                   .timing_seconds = options.timing_seconds,
                                   .catalogue = catalogue});
  return {report.complete, report.computed, std::move(report.warnings)};
}

}  // namespace keyhole
