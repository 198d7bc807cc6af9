// The memory of learners on the simplex in 10^7 dimensions, in vectors of that many doubles: what
// the set takes, what the learner takes beyond it, and how long a round takes. It is the resident
// memory of the process at its highest that counts. Prints JSON, an array of objects. Each learner
// plays in a process of its own.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"
#include "timing.h"

namespace {

constexpr std::size_t n = 10'000'000;

double vectors(double bytes) { return bytes / (static_cast<double>(n) * sizeof(double)); }

double most_bytes() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

void play(const std::string& spec) {
  std::vector<double> y(n);
  const double before = most_bytes();
  const keyhole::SetPtr set = keyhole::simplex(n);
  const double with_set = most_bytes();
  keyhole::AnyAlgorithm algorithm = keyhole::make_algorithm(
      spec, {.set = set, .loss_bound = 1, .gradient_bound = 1, .horizon = 1U << 20U});
  keyhole::Learner learner(std::get<0>(std::move(algorithm)), {.seed = 7});
  constexpr int rounds = 8;
  const double start = keyhole::bench::processor_microseconds();
  for (int t = 0; t < rounds; ++t) learner.tell(learner.ask(y), t % 3 - 1.0);
  const double time = (keyhole::bench::processor_microseconds() - start) / rounds;
  std::printf(R"({"learner": "%s", "set": %.2f, "own": %.2f, "ns": %.0f})", spec.c_str(),
              vectors(with_set - before), vectors(most_bytes() - with_set), 1e3 * time);
}

}  // namespace

int main() {
  std::printf("[");
  const char* separator = "";
  for (const char* learner :
       {"projection_free", "anytime(projection_free)", "fkm", "bbcg", "parameter_free"}) {
    std::printf("%s", separator);
    separator = ",\n ";
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      play(learner);
      return 0;
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  std::printf("]\n");
}
