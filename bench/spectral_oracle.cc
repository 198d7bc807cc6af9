// How long the oracles of the sets of matrices take, directly and by Lanczos's method: where the
// lines cross is math::largest_direct_order. The directions are matrices of independent normals,
// which is what the noise of bandit feedback looks like: the extreme eigenvalues crowd, so it is a
// hard case for Lanczos's method.

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "math/ars.h"
#include "math/extreme_pairs.h"
#include "math/gaussian.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

using math::Method;

constexpr std::size_t directions = 5;

std::vector<std::vector<double>> draw(std::size_t n) {
  std::vector<std::vector<double>> drawn(directions, std::vector<double>(n * n));
  for (std::size_t k = 0; k < directions; ++k) math::gaussians(math::Ars(1, k), n, 0, drawn[k]);
  return drawn;
}

void print_order(std::size_t n) {
  const auto drawn = draw(n);
  std::printf("%6zu", n);
  const auto print = [](double direct, double lanczos) {
    std::printf("  %12.1f %12.1f", direct, lanczos);
  };
  const auto symmetric = [&](Method method, auto answer) {
    math::ExtremeEigenpair pair(n, method);
    return median_microseconds([&](std::size_t i) { answer(pair, drawn[i % directions]); });
  };
  const auto smallest = [](auto& pair, const auto& a) { pair.smallest(a); };
  const auto in_magnitude = [](auto& pair, const auto& a) { pair.largest_in_magnitude(a); };
  const auto singular = [&](Method method) {
    math::TopSingularPair pair(n, n, method);
    return median_microseconds([&](std::size_t i) { pair.find(drawn[i % directions]); });
  };
  print(symmetric(Method::direct, smallest), symmetric(Method::lanczos, smallest));
  print(symmetric(Method::direct, in_magnitude), symmetric(Method::lanczos, in_magnitude));
  print(singular(Method::direct), singular(Method::lanczos));
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace keyhole::bench

int main() {
  std::printf(
      "median microseconds of processor time a call, n x n matrices of normals; the library goes "
      "directly up "
      "to n = %zu\n\n",
      keyhole::math::largest_direct_order);
  std::printf("%6s  %25s  %25s  %25s\n", "", "psd_trace_ball", "symmetric_nuclear_ball",
              "nuclear_ball");
  std::printf("%6s", "n");
  for (int set = 0; set < 3; ++set) std::printf("  %12s %12s", "direct", "Lanczos");
  std::printf("\n");
  for (const std::size_t n : {20u, 64u, 100u, 128u, 200u, 1000u}) keyhole::bench::print_order(n);
  return 0;
}
