// How long one call of each oracle takes over the sizes of its set, and the exponent that fits,
// beside the cost that the page of the set states (docs/sets): a table in Markdown. A set joins by
// one line of the list below.
//
// The directions are vectors of independent normals. The time is that of this processor, the median
// of a few calls.

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/keyhole.h"
#include "math/ars.h"
#include "math/gaussian.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

using Sizes = std::vector<std::size_t>;

/// One line of the table.
struct Line {
  /// The name of the set in the table of specs, and what else there is to say.
  std::string name;
  /// What the sizes count, and the exponent is of.
  std::string size;
  Sizes sizes;
  std::function<SetPtr(std::size_t size)> make;
};

/// width nodes in each of ten layers, each joined to all of the next, between source and sink.
SetPtr layered_flow(std::size_t width) {
  constexpr std::size_t layers = 10;
  const std::size_t sink = layers * width + 1;
  std::vector<Edge> edges;
  for (std::size_t k = 0; k < width; ++k) {
    edges.push_back({0, 1 + k});
    edges.push_back({1 + (layers - 1) * width + k, sink});
    for (std::size_t layer = 1; layer < layers; ++layer) {
      for (std::size_t next = 0; next < width; ++next) {
        edges.push_back({1 + (layer - 1) * width + k, 1 + layer * width + next});
      }
    }
  }
  return unit_flow(sink + 1, edges, 0, sink);
}

/// {0 <= x <= 1, A x <= 1} with as many rows as coordinates, A uniform on [0, 1].
SetPtr square_polytope(std::size_t n) {
  PolytopeConstraints constraints{
      .n = n, .lower = std::vector<double>(n, 0.0), .upper = std::vector<double>(n, 1.0)};
  std::vector<double> dense(n * n);
  math::gaussians(math::Ars(2, 0), n, 0, dense);
  for (double& a : dense) a = 0.5 * (1 + std::erf(a / std::sqrt(2.0)));
  constraints.inequalities = {.dense = std::move(dense), .right = std::vector<double>(n, 1.0)};
  return polytope(constraints);
}

std::vector<Line> lines() {
  const Sizes vectors = {1'000, 10'000, 100'000, 1'000'000};
  const Sizes small_matrices = {25, 50, 100};
  const Sizes large_matrices = {200, 500, 1000, 2000};
  const auto nuclear = [](std::size_t n) { return nuclear_ball(n, n); };
  const auto symmetric = [](std::size_t n) { return symmetric_nuclear_ball(n); };
  const auto psd = [](std::size_t n) { return psd_trace_ball(n); };
  return {
      {"ball", "n", vectors, [](std::size_t n) { return ball(n); }},
      {"box", "n", vectors, [](std::size_t n) { return box(0, 1, n); }},
      {"solid_simplex", "n", vectors, [](std::size_t n) { return solid_simplex(n); }},
      {"simplex", "n", vectors, [](std::size_t n) { return simplex(n); }},
      {"l1_ball", "n", vectors, [](std::size_t n) { return l1_ball(n); }},
      {"nuclear_ball (directly)", "order", small_matrices, nuclear},
      {"nuclear_ball (Lanczos)", "order", large_matrices, nuclear},
      {"symmetric_nuclear_ball (directly)", "order", small_matrices, symmetric},
      {"symmetric_nuclear_ball (Lanczos)", "order", large_matrices, symmetric},
      {"psd_trace_ball (directly)", "order", small_matrices, psd},
      {"psd_trace_ball (Lanczos)", "order", large_matrices, psd},
      {"polytope (n rows)", "n", {10, 20, 40, 80}, square_polytope},
      {"unit_flow (ten layers)", "nodes a layer", {10, 32, 100}, layered_flow},
      {"path_splits (4 each)",
       "demands",
       {250, 2'500, 25'000},
       [](std::size_t demands) { return path_splits(std::vector<std::size_t>(demands, 4)); }},
      {"image (of a simplex)", "n", vectors,
       [](std::size_t n) { return image(simplex(n), 2, -1); }},
      {"product (of box and l1_ball)", "n", vectors,
       [](std::size_t n) {
         return product({box(0, 1, n / 2), l1_ball(n - n / 2)});
       }},
  };
}

/// The median time of a call, in microseconds: of batches of 20 ms or longer, at least 3 of them.
double microseconds_of_a_call(const Set& set) {
  constexpr std::size_t directions = 3;
  constexpr double shortest = 2e4;
  const std::size_t n = set.dimension();
  std::vector<std::vector<double>> drawn(directions, std::vector<double>(n));
  for (std::size_t k = 0; k < directions; ++k) math::gaussians(math::Ars(1, k), n, 0, drawn[k]);
  const auto oracle = set.oracle();
  std::size_t batch = 1;
  std::size_t next = 0;
  const auto time_of_batch = [&] {
    const double start = processor_microseconds();
    for (std::size_t k = 0; k < batch; ++k) (void)oracle->minimise(drawn[next++ % directions]);
    return processor_microseconds() - start;
  };
  while (time_of_batch() < shortest) batch *= 2;
  std::vector<double> times;
  for (std::size_t k = 0; k < directions; ++k) {
    times.push_back(time_of_batch() / static_cast<double>(batch));
  }
  return median(std::move(times));
}

/// The least-squares slope of log time over log size.
double exponent(const Sizes& sizes, const std::vector<double>& times) {
  const double count = static_cast<double>(sizes.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    mean_x += std::log(static_cast<double>(sizes[k])) / count;
    mean_y += std::log(times[k]) / count;
  }
  double xy = 0;
  double xx = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const double x = std::log(static_cast<double>(sizes[k])) - mean_x;
    xy += x * (std::log(times[k]) - mean_y);
    xx += x * x;
  }
  return xy / xx;
}

std::string stated_cost(const std::string& name) {
  for (const SpecEntry& entry : spec_table()) {
    if (entry.kind == SpecKind::set && entry.name == name) return entry.page.cost;
  }
  return "";
}

std::string time_text(double microseconds) {
  const char* unit = "us";
  double shown = microseconds;
  if (microseconds >= 1e6) {
    unit = "s";
    shown = microseconds / 1e6;
  } else if (microseconds >= 1e3) {
    unit = "ms";
    shown = microseconds / 1e3;
  }
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%.3g %s", shown, unit);
  return text.data();
}

void print(const Line& line) {
  std::vector<double> times;
  std::string listed;
  for (const std::size_t size : line.sizes) {
    times.push_back(microseconds_of_a_call(*line.make(size)));
    listed += (listed.empty() ? "" : ", ") + std::to_string(size) + ": " + time_text(times.back());
  }
  std::printf("| %s | %s | %s | %.2f | %s |\n", line.name.c_str(), line.size.c_str(),
              listed.c_str(), exponent(line.sizes, times),
              stated_cost(line.name.substr(0, line.name.find(' '))).c_str());
  (void)std::fflush(stdout);
}

}  // namespace
}  // namespace keyhole::bench

int main() {
  std::printf(
      "| oracle | size | processor time of a call | exponent of the size | stated |\n"
      "|---|---|---|---|---|\n");
  for (const keyhole::bench::Line& line : keyhole::bench::lines()) keyhole::bench::print(line);
  return 0;
}
