#pragma once

// The best constant rebalanced portfolio of real data: known figures, and a solver of its own.

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/problems.h"

namespace keyhole::tests {

/// What is known of a file of relatives: the final wealths, and the weights that are not 0.
struct KnownPortfolio {
  std::string file;
  std::size_t stocks;
  std::uint64_t days;
  double uniform;
  double best;
  std::vector<std::pair<std::size_t, double>> weights;
};

inline std::vector<KnownPortfolio> known_portfolios() {
  return {
      {"olps_msci_relatives.csv", 24, 1043, 0.9268, 1.5057, {{1, .0427}, {6, .0437}, {12, .9135}}},
      {"olps_djia_relatives.csv", 30, 507, 0.8127, 1.2399, {{2, .1584}, {3, .5270}, {7, .3146}}}};
}

/// The sum of all losses of a problem.
inline std::unique_ptr<TotalLoss> whole_total(Problem& problem) {
  auto total = problem.total();
  for (std::uint64_t t = 1; t <= problem.rounds(); ++t) {
    problem.draw(t);
    total->add();
  }
  return total;
}

/// A portfolio and how far its log wealth can be from the best.
struct Rebalanced {
  std::vector<double> x;
  double gap;
};

/// Cover's method (1984): x_i *= factor_i, the mean over t of r_ti / (r_t . x), climbs to the best
/// portfolio. Factors of days are so near 1 that it would crawl; x_i *= exp(power (factor_i - 1)),
/// with a power that grows while wealth does, goes the same way in longer steps. Whatever the
/// steps, log wealth is within days (largest factor - 1) of the best. It is fed the relatives that
/// the losses give away at the vertices, r_ti = exp(-f_t(e_i)), and shares no code with any other
/// solver.
inline Rebalanced cover(Problem& problem, double gap) {
  const std::size_t n = problem.set().dimension();
  const std::size_t days = problem.rounds();
  std::vector<double> r(days * n);
  for (std::size_t t = 0; t < days; ++t) {
    problem.draw(t + 1);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> vertex(n, 0.0);
      vertex[i] = 1;
      r[t * n + i] = std::exp(-problem.value(vertex));
    }
  }
  const auto wealths = [&](const std::vector<double>& x) {
    std::vector<double> w(days, 0.0);
    for (std::size_t t = 0; t < days; ++t) {
      for (std::size_t i = 0; i < n; ++i) w[t] += r[t * n + i] * x[i];
    }
    return w;
  };
  const auto log_wealth = [&](const std::vector<double>& w) {
    double sum = 0;
    for (const double wealth : w) sum += std::log(wealth);
    return sum;
  };
  Rebalanced result{std::vector<double>(n, 1 / static_cast<double>(n)), 0};
  double power = 1;
  for (int step = 0; step < 20000; ++step) {
    const std::vector<double> w = wealths(result.x);
    std::vector<double> excess(n, 0.0);
    result.gap = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t t = 0; t < days; ++t) excess[i] += r[t * n + i] / w[t] - 1;
      result.gap = std::fmax(result.gap, excess[i]);
    }
    if (result.gap <= gap) break;
    std::vector<double> next = result.x;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      next[i] *= std::exp(power * excess[i] / static_cast<double>(days));
      sum += next[i];
    }
    for (double& share : next) share /= sum;
    if (log_wealth(wealths(next)) >= log_wealth(w)) {
      result.x = next;
      power *= 1.5;
    } else {
      power /= 2;
    }
  }
  return result;
}

}  // namespace keyhole::tests
