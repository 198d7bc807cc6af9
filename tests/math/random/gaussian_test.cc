#include "math/random/gaussian.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "math/elementary.h"
#include "math/random/ars.h"
#include "math/random/ars_kernels.h"
#include "math/random/gaussian_kernels.h"
#include "math/random/ziggurat.h"

namespace keyhole::math {
namespace {

constexpr double r = 0x1.027c84109fad5p+2;
constexpr double v = 0x1.417941005fc17p-10;

// ---- The constants, by libm ----

// f(x_0) - 1 for the strips that start from r: above 0 if r is too small.
double gap_at_the_top(double start, double* area) {
  const auto f = [](double x) { return std::exp(-0.5 * x * x); };
  *area = start * f(start) + std::sqrt(std::acos(-1.0) / 2.0) * std::erfc(start / std::sqrt(2.0));
  double x = start;
  for (int i = 1023; i > 1; --i) {
    const double y = *area / x + f(x);
    if (y >= 1.0) return 1.0;
    x = std::sqrt(-2.0 * std::log(y));
  }
  return *area / x + f(x) - 1.0;
}

TEST(GaussianConstants, CloseTheZiggurat) {
  double low = 3.0;
  double high = 5.0;
  double area = 0.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (gap_at_the_top(middle, &area) > 0.0 ? low : high) = middle;
  }
  gap_at_the_top(high, &area);
  EXPECT_NEAR(high, r, 1e-13);
  EXPECT_NEAR(area, v, 1e-16);
  // What the constants themselves leave open at the top, as a share of the whole area.
  double area_of_r = 0.0;
  EXPECT_NEAR(gap_at_the_top(r, &area_of_r), 0.0, 1e-12);
  EXPECT_NEAR(area_of_r, v, 2e-18);
}

// ---- The definition, once more and straight from the page ----

struct Counts {
  int accepted = 0;
  int wedge_accepted = 0;
  int wedge_rejected = 0;
  int tail = 0;
  int tail_again = 0;
};

class Reference {
 public:
  Reference() {
    const auto f = [](double x) { return math::exp(-0.5 * (x * x)); };
    x_[1024] = v / f(r);
    x_[1023] = r;
    for (std::size_t i = 1022; i >= 1; --i)
      x_[i] = std::sqrt(-2.0 * math::log(v / x_[i + 1] + f(x_[i + 1])));
    x_[0] = 0.0;
    for (std::size_t i = 0; i < 1024; ++i) f_[i] = i == 0 ? 1.0 : f(x_[i]);
    for (std::size_t i = 0; i < 1024; ++i) {
      const double outer = i == 0 ? x_[1024] : x_[i];
      const double inner = i == 0 ? r : x_[i - 1];
      w_[i] = outer / 4503599627370496.0;
      k_[i] = static_cast<std::uint64_t>(inner / outer * 4503599627370496.0);
    }
  }

  double operator()(const Ars& generator, std::uint64_t id, std::uint64_t attempt,
                    std::uint64_t lane, Counts* counts) const {
    std::array<std::uint64_t, 2> block;
    generator.words(id, attempt * 0x0100000000000000U + lane / 2, block);
    std::uint64_t bits = lane % 2 == 0 ? block[0] : block[1];
    for (std::uint64_t trial = 0;; ++trial) {
      const std::uint64_t layer = bits % 1024;
      const double sign = bits / 2048 % 2 == 1 ? -1.0 : 1.0;
      const std::uint64_t m = bits / 4096;
      const double x = static_cast<double>(m) * w_[layer];
      if (m < k_[layer]) {
        ++counts->accepted;
        return sign * x;
      }
      generator.words(id, 0x8000000000000000U + attempt * 0x0100000000000000U + 256 * lane + trial,
                      block);
      const double ua = static_cast<double>(block[0] / 2048) / 9007199254740992.0;
      const double ub = static_cast<double>(block[1] / 2048) / 9007199254740992.0;
      if (layer == 0) {
        const double xx = -math::log(1.0 - ua) / r;
        const double yy = -math::log(1.0 - ub);
        if (2.0 * yy >= xx * xx) {
          ++counts->tail;
          return sign * (r + xx);
        }
        ++counts->tail_again;
      } else if (f_[layer] + ua * (f_[layer - 1] - f_[layer]) < math::exp(-0.5 * (x * x))) {
        ++counts->wedge_accepted;
        return sign * x;
      } else {
        ++counts->wedge_rejected;
        bits = block[1];
      }
    }
  }

  // The area above the last strip that the tables miss or add, relative to a strip.
  double closure() const { return x_[1] * (1.0 - f_[1]) / v - 1.0; }

 private:
  std::array<double, 1025> x_;
  std::array<double, 1024> f_;
  std::array<double, 1024> w_;
  std::array<std::uint64_t, 1024> k_;
};

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(Gaussian, IsWhatTheDefinitionSays) {
  const Reference reference;
  EXPECT_NEAR(reference.closure(), 0.0, 1e-9);
  Counts counts;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    const Ars generator(seed, seed / 3);
    for (const unsigned attempt : {0U, 1U, 127U}) {
      for (std::uint64_t lane = 0; lane < 100000; ++lane) {
        const std::uint64_t id = seed + lane / 1000;
        const double z = gaussian(generator, id, attempt, lane);
        ASSERT_TRUE(same_bits(z, reference(generator, id, attempt, lane, &counts)))
            << seed << " " << id << " " << attempt << " " << lane;
      }
    }
  }
  const std::uint64_t far = (std::uint64_t{1} << 48) - 1;
  const Ars generator(5, 6);
  for (std::uint64_t lane = far - 2000; lane <= far; ++lane) {
    ASSERT_TRUE(
        same_bits(gaussian(generator, 3, 2, lane), reference(generator, 3, 2, lane, &counts)));
  }
  RecordProperty("accepted", counts.accepted);
  RecordProperty("wedge_accepted", counts.wedge_accepted);
  RecordProperty("wedge_rejected", counts.wedge_rejected);
  RecordProperty("tail", counts.tail);
  RecordProperty("tail_again", counts.tail_again);
  EXPECT_GT(counts.accepted, 800000);
  EXPECT_GT(counts.wedge_accepted, 500);
  EXPECT_GT(counts.wedge_rejected, 500);
  EXPECT_GT(counts.tail, 20);
  EXPECT_GT(counts.tail_again, 0);
}

TEST(Gaussian, VectorsAreTheScalarsBitForBit) {
  std::vector<double> z(302);
  for (std::size_t k = 0; k < 20 * 301; ++k) {
    const std::size_t n = k % 301;
    const Ars generator(k, 7 * n);
    const std::uint64_t id = k % 3 == 0 ? ~std::uint64_t{k} : k;
    const unsigned attempt = static_cast<unsigned>(k % 128);
    std::fill(z.begin(), z.end(), 99.0);
    gaussians(generator, id, attempt, std::span(z).subspan(1, n));
    EXPECT_EQ(z[0], 99.0);
    EXPECT_EQ(z[n + 1], 99.0);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_TRUE(same_bits(z[i + 1], gaussian(generator, id, attempt, i))) << n << " " << i;
  }
  // A long one, so that the rare paths of the fast loop are met too.
  std::vector<double> long_z(200001);
  const Ars generator(11, 12);
  gaussians(generator, 13, 14, long_z);
  for (std::size_t i = 0; i < long_z.size(); ++i) {
    ASSERT_TRUE(same_bits(long_z[i], gaussian(generator, 13, 14, i))) << i;
  }
}

// What a kernel makes of whole groups, against words and the product one at a time.
void expect_kernel(GaussianKernel kernel) {
  std::array<double, ZigguratTables::size> width{};
  std::array<std::int64_t, ZigguratTables::size> last_accepted{};
  for (std::size_t i = 0; i < ZigguratTables::size; ++i) {
    width[i] = static_cast<double>(i + 1) * (i % 4096 < 2048 ? 1e-18 : -1e-18);
    // Every other group or so has a lane that is not accepted.
    last_accepted[i] = i % 16 == 0 ? 0 : std::int64_t{1} << 52;
  }
  const ZigguratTables tables = {width.data(), last_accepted.data()};
  for (std::size_t groups = 1; groups <= most_groups; ++groups) {
    const Ars generator(groups * 0x9E3779B97F4A7C15U, groups);
    const std::uint64_t first = (std::uint64_t{groups} << 56U) + (std::uint64_t{groups} << 8U);
    std::vector<std::uint64_t> words(groups * lanes_in_group);
    generator.words(groups, first, words);
    std::vector<std::uint64_t> bits(words.size());
    std::vector<double> z(words.size() + 1, 99.0);
    std::array<double, lanes_in_group> last{};
    const std::uint64_t rejected = kernel(tables, generator.round_keys(), groups, first, groups,
                                          bits.data(), z.data(), last.data());
    EXPECT_EQ(bits, words);
    EXPECT_EQ(z[words.size() - lanes_in_group], 99.0);  // the last group goes elsewhere
    std::copy(last.begin(), last.end(), z.end() - 1 - lanes_in_group);
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::uint64_t place = words[i] & ZigguratTables::layer_and_sign;
      const auto m = static_cast<std::int64_t>(words[i] >> 12U);
      EXPECT_TRUE(same_bits(z[i], static_cast<double>(m) * width[place])) << groups << " " << i;
      if (m > last_accepted[place]) expected |= std::uint64_t{1} << (i / lanes_in_group);
    }
    EXPECT_EQ(rejected, expected) << groups;
    EXPECT_EQ(z.back(), 99.0);
  }
}

TEST(Gaussian, PortableKernelIsWordsAndProducts) { expect_kernel(&gaussian_portable); }

TEST(Gaussian, HardwareKernelIsWordsAndProducts) {
  if (!ars_hardware_available()) {
    GTEST_SKIP() << "no AES instructions in this build or on this processor";
  }
  expect_kernel(gaussian_hardware);
}

// ---- The distribution ----

double upper_tail(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }

TEST(Gaussian, HasTheNormalDistribution) {
  // 16 generators x 25 ids x 100 000 lanes = 4e7 numbers, with fixed seeds. Every statistic is
  // divided by its exact standard deviation under the hypothesis; |z| < 4 fails a right sampler
  // with probability 6e-5 each.
  constexpr std::size_t lanes = 100000;
  constexpr int cells = 1000;
  double n = 0.0;
  std::array<double, 5> power{};
  double lag = 0.0;
  double pairs = 0.0;
  const std::array<double, 3> levels = {3.0, 4.0, 4.5};
  std::array<double, 3> beyond{};
  std::vector<double> cell(cells);
  std::vector<double> z(lanes);
  for (std::uint64_t k = 0; k < 16; ++k) {
    const Ars generator(k / 4 == 3 ? ~std::uint64_t{0} : k / 4, k % 4);
    for (std::uint64_t id = 0; id < 25; ++id) {
      gaussians(generator, id, static_cast<unsigned>(id % 3), z);
      double previous = 0.0;
      std::array<double, 5> part{};
      for (const double x : z) {
        const double square = x * x;
        part[1] += x;
        part[2] += square;
        part[3] += square * x;
        part[4] += square * square;
        lag += previous * x;
        previous = x;
        for (std::size_t i = 0; i < 3; ++i) beyond[i] += std::abs(x) > levels[i] ? 1.0 : 0.0;
        const int index = static_cast<int>(cells * upper_tail(-x));
        cell[static_cast<std::size_t>(std::min(index, cells - 1))] += 1.0;
      }
      for (std::size_t i = 1; i <= 4; ++i) power[i] += part[i];
      pairs += static_cast<double>(lanes - 1);
      n += static_cast<double>(lanes);
    }
  }
  const auto check = [](const std::string& name, double score) {
    RecordProperty(name, std::to_string(score));
    EXPECT_LT(std::abs(score), 4.0) << name;
  };
  // E z^k = 0, 1, 0, 3 and Var z^k = 1, 2, 15, 96: at n = 4e7 the error bars
  // are 1.6e-4, 2.2e-4, 6.1e-4, 1.5e-3.
  check("mean", power[1] / std::sqrt(n));
  check("variance", (power[2] - n) / std::sqrt(2.0 * n));
  check("third", power[3] / std::sqrt(15.0 * n));
  check("fourth", (power[4] - 3.0 * n) / std::sqrt(96.0 * n));
  check("lag", lag / std::sqrt(pairs));
  // Expected beyond 3, 4, 4.5: 107 992, 2534 and 272 numbers. The tail strip starts at 4.04.
  for (std::size_t i = 0; i < 3; ++i) {
    const double p = 2.0 * upper_tail(levels[i]);
    check("beyond_" + std::to_string(levels[i]),
          (beyond[i] - n * p) / std::sqrt(n * p * (1.0 - p)));
  }
  double chi_square = 0.0;
  const double expected = n / cells;
  for (const double count : cell) chi_square += (count - expected) * (count - expected) / expected;
  check("chi_square", (chi_square - (cells - 1)) / std::sqrt(2.0 * (cells - 1)));
}

TEST(Gaussian, NeighboursAreNotCorrelated) {
  // Sum of z z' over 10^6 independent pairs: mean 0, variance 10^6. The squares too: Var (z^2 -
  // 1)(z'^2 - 1) = 4.
  constexpr std::size_t pairs = 1000000;
  std::vector<double> z(pairs);
  std::vector<double> other(pairs);
  for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{1} << 40}) {
    gaussians(Ars(seed, 5), 100, 3, z);
    struct Case {
      std::string name;
      std::uint64_t seed, stream, id;
      unsigned attempt;
    };
    const std::array<Case, 9> cases = {{{"seed_plus", seed + 1, 5, 100, 3},
                                        {"seed_minus", seed - 1, 5, 100, 3},
                                        {"stream_plus", seed, 6, 100, 3},
                                        {"stream_minus", seed, 4, 100, 3},
                                        {"id_plus", seed, 5, 101, 3},
                                        {"id_minus", seed, 5, 99, 3},
                                        {"attempt_plus", seed, 5, 100, 4},
                                        {"attempt_minus", seed, 5, 100, 2},
                                        {"exchanged", 5, seed, 100, 3}}};
    for (const Case& c : cases) {
      gaussians(Ars(c.seed, c.stream), c.id, c.attempt, other);
      double product = 0.0;
      double squares = 0.0;
      for (std::size_t i = 0; i < pairs; ++i) {
        product += z[i] * other[i];
        squares += (z[i] * z[i] - 1.0) * (other[i] * other[i] - 1.0);
      }
      const double root = std::sqrt(static_cast<double>(pairs));
      RecordProperty(c.name + "_" + std::to_string(seed), std::to_string(product / root));
      EXPECT_LT(std::abs(product / root), 4.0) << c.name << " " << seed;
      EXPECT_LT(std::abs(squares / (2.0 * root)), 4.0) << c.name << " " << seed;
    }
  }
}

// The sign and the size come from different bits of one word; each score has variance 1.
TEST(Gaussian, SignIsIndependentOfSize) {
  constexpr std::size_t n = 1000000;
  std::vector<double> z(n);
  gaussians(Ars(77, 0), 0, 0, z);
  double negative = 0.0;
  double leaning = 0.0;
  for (const double x : z) {
    const double sign = std::signbit(x) ? -1.0 : 1.0;
    negative += sign;
    leaning += sign * (std::abs(x) > 0.6744897501960817 ? 1.0 : -1.0);  // the median of |z|
  }
  EXPECT_LT(std::abs(negative) / std::sqrt(static_cast<double>(n)), 4.0);
  EXPECT_LT(std::abs(leaning) / std::sqrt(static_cast<double>(n)), 4.0);
}

}  // namespace
}  // namespace keyhole::math
