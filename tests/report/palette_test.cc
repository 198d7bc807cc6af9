// The colours of curves are apart, and from the paper, also for the colour-blind.

#include "report/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace keyhole::tests {
namespace {

using Colour = std::array<double, 3>;

/// Red, green and blue without the gamma of sRGB.
Colour linear(const std::string& hex) {
  Colour colour{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double c = std::stoi(hex.substr(1 + 2 * k, 2), nullptr, 16) / 255.0;
    colour[k] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return colour;
}

Colour times(const std::array<Colour, 3>& rows, const Colour& x) {
  Colour y{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) y[i] += rows[i][j] * x[j];
    y[i] = std::max(y[i], 0.0);
  }
  return y;
}

/// As those without one kind of cones see it: Machado, Oliveira and Fernandes (2009).
const std::array<std::array<Colour, 3>, 3> visions = {{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                                       {{{0.152286, 1.052583, -0.204868},
                                                         {0.114503, 0.786281, 0.099216},
                                                         {-0.003882, -0.048116, 1.051998}}},
                                                       {{{0.367322, 0.860646, -0.227968},
                                                         {0.280085, 0.672501, 0.047413},
                                                         {-0.011820, 0.042940, 0.968881}}}}};

/// CIELAB, in which a distance of 2.3 can just be seen.
Colour lab(const Colour& rgb) {
  const Colour xyz =
      times({{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}}, rgb);
  const auto f = [](double t) {
    return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  };
  const double x = f(xyz[0] / 0.9505);
  const double y = f(xyz[1]);
  const double z = f(xyz[2] / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Colour& a, const Colour& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

TEST(Palette, ColoursAreApartForAllReaders) {
  for (const auto& palette : {report::light_palette, report::dark_palette}) {
    for (const auto& vision : visions) {
      for (std::size_t i = 0; i < palette.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          EXPECT_GT(distance(lab(times(vision, linear(palette[i]))),
                             lab(times(vision, linear(palette[j])))),
                    14)
              << palette[i] << " " << palette[j];
        }
      }
    }
  }
}

TEST(Palette, ColoursAreSeenOnTheirGround) {
  const auto luminance = [](const char* colour) {
    const Colour c = linear(colour);
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  };
  for (const char* const colour : report::light_palette) {
    EXPECT_GT(1.05 / (luminance(colour) + 0.05), 2) << colour;  // on white
  }
  for (const char* const colour : report::dark_palette) {
    EXPECT_GT((luminance(colour) + 0.05) / (luminance("#16191d") + 0.05), 4) << colour;
  }
}

}  // namespace
}  // namespace keyhole::tests
