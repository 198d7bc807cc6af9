#include "reproduction/runs.h"

#include <algorithm>

namespace keyhole::reproduction {
namespace {

constexpr std::uint64_t quick_repeats = 5;

// The default learner's rounds take longer: a tenth of the repeats, and on matrices a quarter of
// the rounds, cost less than the rest of the evaluation.
constexpr std::uint64_t default_repeats = 5;
constexpr std::uint64_t quick_default_repeats = 2;
constexpr std::uint64_t most_default_rounds = 8192;

/// The constants that a learner of a run has besides the theorem's; each begins with a comma.
struct Constants {
  std::string proposed;    // of Proposed and Unregularized
  std::string fkm;         // of FKM
  std::string stochastic;  // of StochOCG
  std::string prefix;      // of the names of the first three: "published_", or nothing
};

/// TOML in which text needs no escapes: a literal string.
std::string quoted(const std::string& text) { return "'" + text + "'"; }

std::string player(const std::string& name, const std::string& family,
                   const std::string& constants) {
  const std::string inside = constants.empty() ? "" : constants.substr(2);  // without ", "
  return "  {name = " + quoted(name) +
         ", spec = " + quoted("anytime(" + family + "(" + inside + "))") + "},\n";
}

std::string head(const std::string& problem, std::uint64_t rounds, std::uint64_t repeats) {
  return "rounds = " + std::to_string(rounds) + "\nrepeats = " + std::to_string(repeats) +
         "\nseed = 1\nproblems = [" + quoted(problem) + "]\n";
}

std::string default_toml(const std::string& problem, std::uint64_t rounds, const Wishes& wishes) {
  const std::uint64_t repeats =
      std::min(wishes.repeats, wishes.quick ? quick_default_repeats : default_repeats);
  const bool matrices = problem.find("completion") != std::string::npos;
  return head(problem, matrices ? std::min(rounds, most_default_rounds) : rounds, repeats) +
         "learners = [{name = " + quoted(default_learner) + ", spec = 'posterior'}]\n" +
         "controls = false\n";
}

std::string toml_of(const std::string& problem, std::uint64_t rounds, const Wishes& wishes,
                    const Constants& constants) {
  const std::uint64_t repeats =
      wishes.quick ? std::min(wishes.repeats, quick_repeats) : wishes.repeats;
  return head(problem, rounds, repeats) + "learners = [\n" +
         player("Proposed", constants.prefix + "projection_free", constants.proposed) +
         player("FKM", constants.prefix + "fkm", constants.fkm) +
         player("Unregularized", constants.prefix + "unregularized", constants.proposed) +
         player("StochOCG", "stochastic_ocg", constants.stochastic) + "]\n";
}

std::string portfolio_spec(const std::string& region, const Wishes& wishes) {
  return "portfolio(region=" + region + ", n=100" +
         (wishes.prices.empty() ? "" : ", prices=\"" + wishes.prices + "\"") + ")";
}

/// The first rows of the table of constants in docs/reproduction.md.
std::vector<Run> published(const Wishes& wishes) {
  // x_1 near 0: 50 equal coordinates with squared norm 0.0138.
  const std::string on_polytope =
      ", loss_bound=30, c=1, unsafe_no_shrink=true, start=0.01661324772583615";
  const std::string on_portfolios = ", loss_bound=5.298317366548036, c=1";  // M = ln 200
  // The same lengths on the simplex, where x = (y + 1) / 2n: c = 1 / 200.
  const std::string on_simplex = ", loss_bound=5.298317366548036, c=0.005";
  const std::string on_matrices = ", loss_bound=6000, c=1, estimator_dimension=190";
  const std::string textbook = ", constants=textbook";
  const auto run = [&](const std::string& experiment, const std::string& region,
                       const std::string& title, const std::string& problem, std::uint64_t rounds,
                       const Constants& constants) -> Run {
    return {.setting = Setting::published,
            .experiment = experiment,
            .region = region,
            .name = "published-" + experiment + (region.empty() ? "" : "-") + region,
            .title = title,
            .toml = toml_of(problem, rounds, wishes, constants),
            .default_toml = default_toml(problem, rounds, wishes),
            .counts = region != "simplex",
            .stand_in = experiment == "portfolio" && wishes.prices.empty()};
  };
  return {
      run("quadratic", "", "Quadratic programming", "quadratic(n=50, rows=8)", 2000,
          {on_polytope, on_polytope, ", start=0.01661324772583615", "published_"}),
      run("portfolio", "enlarged", "Portfolio, enlarged region", portfolio_spec("enlarged", wishes),
          1000, {on_portfolios, textbook + on_portfolios, "", ""}),
      run("portfolio", "simplex", "Portfolio, simplex", portfolio_spec("simplex", wishes), 1000,
          {on_simplex, textbook + on_simplex, "", ""}),
      run("completion", "", "Matrix completion, nuclear ball with the oracle of the psd trace ball",
          "published_completion()", 200,
          {on_matrices, on_matrices, ", standard_deviation=190", "published_"}),
  };
}

std::vector<Run> proven(const Wishes& wishes) {
  const std::uint64_t rounds = wishes.quick ? 2048 : 32768;
  std::vector<Run> runs;
  const auto add = [&](const std::string& experiment, const std::string& region,
                       const std::string& title, const std::string& problem, std::uint64_t length) {
    runs.push_back({.setting = Setting::proven,
                    .experiment = experiment,
                    .region = region,
                    .name = "proven-" + experiment + (region.empty() ? "" : "-") + region,
                    .title = title,
                    .toml = toml_of(problem, length, wishes, {}),
                    .default_toml = default_toml(problem, length, wishes),
                    .stand_in = experiment == "portfolio" && wishes.prices.empty()});
  };
  add("quadratic", "", "Quadratic programming", "quadratic(n=50, rows=8)", rounds);
  for (const std::string region : {"enlarged", "simplex"}) {
    add("portfolio", region,
        region == "simplex" ? "Portfolio, simplex" : "Portfolio, enlarged region",
        portfolio_spec(region, wishes), rounds);
  }
  // The nuclear ball is the paper's set; the two that explain its curves play a quarter as long.
  for (const std::string region : {"nuclear", "symmetric", "psd"}) {
    add("completion", region, "Matrix completion, " + region,
        "completion(n=20, k=18, region=" + region + ")", region == "nuclear" ? rounds : rounds / 4);
  }
  return runs;
}

}  // namespace

const char* name_of(Setting setting) {
  return setting == Setting::published ? "published" : "proven";
}

std::vector<Run> runs_of(Setting setting, const Wishes& wishes) {
  return setting == Setting::published ? published(wishes) : proven(wishes);
}

}  // namespace keyhole::reproduction
