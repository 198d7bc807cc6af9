#include "problems/waves.h"

#include <cstdint>
#include <numbers>

#include "problems/draws.h"

namespace keyhole::problems {

double cosine(std::uint64_t k, std::uint64_t period) {
  double turn = static_cast<double>(k % period) / static_cast<double>(period);
  if (turn > 0.5) turn = 1 - turn;
  const double sign = turn > 0.25 ? -1 : 1;
  if (turn > 0.25) turn = 0.5 - turn;
  const double x = 2 * std::numbers::pi * turn;
  // Taylor's series, whose terms are below 1e-17 from the power 24 on where x <= pi / 2.
  double sum = 1;
  for (int power = 24; power >= 2; power -= 2) sum = 1 - sum * x * x / (power * (power - 1));
  return sign * sum;
}

double sine(std::uint64_t k, std::uint64_t period) {
  return cosine(4 * (k % period) + 3 * period, 4 * period);
}

std::vector<double> one_period(const AlternatingOptions& options, ProblemSeed seed) {
  constexpr std::size_t walk = 65536;
  if (options.wave == Wave::signs || options.wave == Wave::coins) return {1, -1};
  std::vector<double> s(options.wave == Wave::walk ? walk : options.period);
  if (options.wave == Wave::walk) Draws(seed).normals(Purpose::stages, 0, s);
  double last = 0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    if (options.wave == Wave::walk) last = 0.999 * last + 0.05 * s[k];
    s[k] = options.wave == Wave::walk     ? last
           : options.wave == Wave::cosine ? cosine(k + 1, options.period)
           : k < s.size() / 2             ? -1
                                          : 1;
  }
  return s;
}

}  // namespace keyhole::problems
