// Plays what Python plays, for test_digits.py and bench/python.py. Reads lines
// "kind<TAB>set<TAB>learner", and writes for each the points of 1,000 rounds and the state after
// them, or the message of the error: a byte that says which, the number of bytes in 8 bytes, the
// bytes. With the arguments SET LEARNER ROUNDS it prints the processor time of a round, in
// microseconds.

#include <ctime>
#include <iostream>

#include "keyhole/gradient_learner.h"
#include "keyhole/spec.h"

namespace {

using keyhole::GradientLearner;
using keyhole::Learner;

constexpr int rounds = 1000;

double slope(std::size_t i) { return static_cast<double>(i * i % 5) / 2 - 1; }

void tell(Learner& learner, keyhole::PlayId id, const std::vector<double>& x) {
  double loss = 0.25 * x[0] * x[0];
  for (std::size_t i = 0; i < x.size(); ++i) loss += slope(i) * x[i];
  learner.tell(id, loss);
}

void tell(GradientLearner& learner, keyhole::PlayId id, const std::vector<double>& x) {
  std::vector<double> gradient(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = slope(i);
  gradient[0] += 0.5 * x[0];
  learner.tell(id, gradient);
}

template <class AnyLearner>
std::string plays(AnyLearner learner) {
  std::vector<double> x(learner.set().dimension());
  std::string bytes;
  for (int t = 0; t < rounds; ++t) {
    const keyhole::PlayId id = learner.ask(x);
    bytes.append(reinterpret_cast<const char*>(x.data()), 8 * x.size());
    tell(learner, id, x);
  }
  const keyhole::State state = learner.state();
  return bytes.append(reinterpret_cast<const char*>(state.bytes().data()), state.bytes().size());
}

std::string plays(const std::string& kind, const std::string& set, const std::string& learner) {
  const keyhole::SetPtr made = keyhole::make_set(set);
  if (kind == "losses") return plays(keyhole::make_learner(learner, made, {.seed = 7}));
  auto algorithm = keyhole::make_algorithm(learner, {.set = made});
  return plays(GradientLearner(
      std::move(std::get<std::unique_ptr<keyhole::GradientAlgorithm>>(algorithm)), {.seed = 7}));
}

void write(char which, const std::string& bytes) {
  const std::uint64_t size = bytes.size();
  std::cout.put(which);
  std::cout.write(reinterpret_cast<const char*>(&size), 8);
  std::cout << bytes;
}

double microseconds(const std::string& set, const std::string& learner, int times) {
  Learner player = keyhole::make_learner(learner, keyhole::make_set(set));
  std::vector<double> x(player.set().dimension());
  const std::clock_t start = std::clock();
  for (int t = 0; t < times; ++t) player.tell(player.ask(x), 0.5);
  return 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / times;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 4) {
    std::cout << microseconds(arguments[1], arguments[2], std::stoi(arguments[3])) << "\n";
    return 0;
  }
  std::string kind;
  std::string set;
  std::string learner;
  while (std::getline(std::cin, kind, '\t') && std::getline(std::cin, set, '\t') &&
         std::getline(std::cin, learner)) {
    try {
      write('+', plays(kind, set, learner));
    } catch (const keyhole::Error& error) {
      write('-', error.what());
    }
  }
}
