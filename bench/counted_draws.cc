// usage: bench_counted_draws normals|directions N
//
// Draws N normal numbers, or a direction of N coordinates, a hundred times, inside counted_draws,
// for callgrind to count the instructions. scripts/performance does so.

#include <cstdlib>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"

namespace {

constexpr std::uint64_t draws = 100;

void draw_normals(std::vector<double>& z) {
  const keyhole::math::Ars generator(7, 0);
  for (std::uint64_t id = 1; id <= draws; ++id) keyhole::math::gaussians(generator, id, 0, z);
}

void draw_directions(keyhole::Randomness& u) {
  for (std::uint64_t t = 1; t <= draws; ++t) u.direction(t);
}

}  // namespace

extern "C" [[gnu::noinline]] void counted_draws(bool normals, std::vector<double>& z,
                                                keyhole::Randomness& u) {
  if (normals) {
    draw_normals(z);
  } else {
    draw_directions(u);
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto n = static_cast<std::size_t>(std::atoi(argv[2]));
  std::vector<double> z(n);
  keyhole::Randomness u(keyhole::solid_simplex(n), 7, 0);
  u.direction(draws + 1);  // what is made once, the tables, is made before
  counted_draws(std::string(argv[1]) == "normals", z, u);
}
