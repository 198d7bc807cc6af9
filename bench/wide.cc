// posterior in few and many dimensions, as Markdown: the processor time of a round, with the loss
// that it is told, and the memory of the learner.
//
//   bench_wide [ROUNDS]    2000 rounds; a tenth in more than 10^5 dimensions, ten times as many in
//                          up to 100

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"
#include "keyhole/spec.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

/// What the process has in memory, in bytes.
double resident() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return 4096 * pages;
}

void print(const std::string& family, std::size_t n, std::uint64_t rounds) {
  const SetPtr set = make_set(family + std::to_string(n) + ")");
  std::vector<double> y(n);
  std::vector<double> c(n);
  for (std::size_t i = 0; i < n; ++i) c[i] = static_cast<double>(i % 7) - 3;
  const double before = resident();
  Learner learner = make_learner("posterior", set, {.seed = 1, .window = 1024});
  const double start = processor_microseconds();
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const PlayId id = learner.ask(y);
    double loss = 0;
    for (std::size_t i = 0; i < n; ++i) loss += c[i] * y[i];
    learner.tell(id, loss);
  }
  const auto size = static_cast<double>(n);
  const double a_round = (processor_microseconds() - start) / static_cast<double>(rounds);
  std::printf("| `%s%zu)` | %.1f | %.1f | ", family.c_str(), n, a_round, 1e3 * a_round / size);
  // Less is taken from what the process has freed.
  if (n < 100000) {
    std::printf("|\n");
  } else {
    std::printf("%.0f |\n", (resident() - before) / size);
  }
  std::fflush(stdout);
}

}  // namespace
}  // namespace keyhole::bench

int main(int argc, char** argv) {
  const std::uint64_t rounds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2000;
  std::printf("| set | us a round | ns a round and dimension | bytes a dimension |\n");
  std::printf("|---|---|---|---|\n");
  for (const char* family : {"box(0, 1, ", "simplex(", "ball("}) {
    for (const std::size_t n : {10, 50, 100, 500, 520, 1000, 10000, 100000, 1000000}) {
      keyhole::bench::print(family, n, n > 100000 ? rounds / 10 : n > 100 ? rounds : rounds * 10);
    }
  }
}
