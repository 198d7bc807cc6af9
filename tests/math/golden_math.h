// The digits of src/math that must never change: with another compiler, processor or flag these
// lines must come out the same.

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/number_text.h"
#include "math/elementary.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/spectral/extreme_pairs.h"
#include "math/sums.h"

namespace keyhole::math {

// The hash of numbers, little-endian by hand, so that it does not depend on the machine.
inline std::uint64_t digits_of(std::span<const double> values) {
  std::vector<std::byte> bytes;
  for (const double value : values) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8)
      bytes.push_back(static_cast<std::byte>(bits >> shift));
  }
  return base::fnv1a(bytes);
}

// Prints lines "name digits", the digits being 16 hexadecimal ones: a word, a hash or the bits of a
// double.
inline void print_math_digits(std::ostream& out) {
  const auto word = [&out](const std::string& name, std::uint64_t bits) {
    const std::ios_base::fmtflags before = out.flags();
    out << name << ' ' << std::hex << std::setfill('0') << std::setw(16) << bits << '\n';
    out.flags(before);
  };
  const auto number = [&word](const std::string& name, double value) {
    word(name, std::bit_cast<std::uint64_t>(value));
  };
  const auto hash = [&word](const std::string& name, std::span<const double> values) {
    word(name, digits_of(values));
  };

  constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  std::array<std::uint64_t, 20> words;
  Ars(0, 0).words(0, 0, words);
  word("ars(0,0).words(0,0)[0]", words[0]);
  word("ars(0,0).words(0,0)[1]", words[1]);
  word("ars(0,0).words(0,0)[19]", words[19]);
  Ars(max, 3).words(42, max, words);
  word("ars(max,3).words(42,max)[0]", words[0]);
  word("ars(max,3).words(42,max)[2]", words[2]);
  word("ars(max,3).words(42,max)[17]", words[17]);

  const Ars generator(1, 0);
  for (const std::uint64_t lane : {0U, 1U, 2U, 3U}) {
    number("gaussian(first," + std::to_string(lane) + ")", gaussian(generator, 0, 0, lane));
  }
  for (const std::uint64_t lane : {156U, 344U, 557U}) {
    number("gaussian(wedge," + std::to_string(lane) + ")", gaussian(generator, 0, 0, lane));
  }
  for (const std::uint64_t lane : {686U, 1872U, 4006U}) {
    number("gaussian(wedge_rejected," + std::to_string(lane) + ")",
           gaussian(generator, 0, 0, lane));
  }
  for (const std::uint64_t lane : {19452U, 32369U}) {
    number("gaussian(tail," + std::to_string(lane) + ")", gaussian(generator, 0, 0, lane));
  }
  for (const std::uint64_t lane : {731986U, 1150974U}) {
    number("gaussian(tail_twice," + std::to_string(lane) + ")", gaussian(generator, 0, 0, lane));
  }
  number("gaussian(id=max,attempt=127,lane=2^48-1)",
         gaussian(generator, max, 127, (std::uint64_t{1} << 48) - 1));

  // Long enough to meet every layer and all rare paths.
  std::vector<double> z(1200001);
  gaussians(generator, 0, 0, z);
  hash("gaussians(id=0,attempt=0,n=1200001)", z);
  std::vector<double> y(1003);
  gaussians(Ars(max, max), 7, 5, y);
  hash("gaussians(max,max,id=7,attempt=5,n=1003)", y);

  const std::span<const double> x = std::span<const double>(z).first(y.size());
  number("sum(1003)", sum(x));
  number("sum(7)", sum(x.first(7)));
  number("dot(1003)", dot(x, y));
  number("dot(100)", dot(x.first(100), std::span<const double>(y).first(100)));
  number("squared_norm(1003)", squared_norm(x));
  number("norm(1200001)", norm(z));
  std::vector<double> scaled(x.begin(), x.end());
  for (double& value : scaled) value *= 1e-200;
  number("norm(1e-200)", norm(scaled));
  for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] = x[i] * 1e200;
  number("norm(1e200)", norm(scaled));
  number("largest_magnitude(1003)", largest_magnitude(x));

  number("exp(1)", math::exp(1.0));
  number("exp(-0.1)", math::exp(-0.1));
  number("exp(-740)", math::exp(-740.0));
  number("exp(709.7)", math::exp(709.7));
  number("log(2)", math::log(2.0));
  number("log(0.1)", math::log(0.1));
  number("log(5e-324)", math::log(5e-324));
  number("pow(1000,-0.4)", math::pow(1000.0, -0.4));
  number("pow(4096,0.75)", math::pow(4096.0, 0.75));

  // Many arguments at once: any other rounding anywhere shows.
  std::vector<double> values(3 * x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    values[3 * i] = math::exp(100.0 * x[i]);
    values[3 * i + 1] = math::log(x[i] * x[i] * 1e3);
    values[3 * i + 2] = math::pow(x[i] * x[i], y[i]);
  }
  hash("exp,log,pow(3009)", values);

  // Extreme pairs of matrices of normals, directly and by Lanczos's method.
  for (const std::size_t n : {5U, 20U, 100U, 101U, 160U}) {
    const std::span<const double> matrix(z.data(), n * n);
    const std::string order = "(" + std::to_string(n) + ")";
    ExtremeEigenpair pair(n);
    number("smallest_eigenvalue" + order, pair.smallest(matrix));
    hash("smallest_eigenvector" + order, pair.vector());
    number("largest_in_magnitude" + order, pair.largest_in_magnitude(matrix));
    hash("largest_in_magnitude_vector" + order, pair.vector());
    TopSingularPair top(n, n + 3);
    number("top_singular_value" + order, top.find(std::span(z).first(n * (n + 3))));
    hash("top_left_vector" + order, top.left());
    hash("top_right_vector" + order, top.right());
  }

  std::string text;
  for (const double value : x) text += base::number_text(value) + ' ';
  word("number_text(1003)", base::fnv1a(std::as_bytes(std::span(text))));
}

}  // namespace keyhole::math
