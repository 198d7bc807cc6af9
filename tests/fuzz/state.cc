// Any bytes are a state or a StateError; a learner takes a state whole or stays as it was, whatever
// a forger has put into its fields, and can be asked and told afterwards.

#include "keyhole/state.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "fuzz/fuzz.h"
#include "golden/golden_states.h"

namespace keyhole::tests {
namespace {

using Bytes = std::vector<std::byte>;

/// The bytes with the size and the checksum that belong to them (docs/state.md), so that mutated
/// fields get through the door.
Bytes repaired(Bytes bytes) {
  constexpr std::size_t size_at = 16;
  if (bytes.size() < size_at + 16) return bytes;
  const auto put = [&](std::size_t at, std::uint64_t number) {
    for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<std::byte>(number >> (8 * i));
  };
  put(size_at, bytes.size());
  put(bytes.size() - 8, base::fnv1a(std::span(bytes).first(bytes.size() - 8)));
  return bytes;
}

/// What happens when the learner is given the state.
template <class AnyLearner>
void check_restore(AnyLearner learner, const State& state) {
  const State before = learner.state();
  try {
    learner.restore(state);
  } catch (const Error&) {
    promise(learner.state() == before, "a refused state changes the learner");
    return;
  }
  // The specs that a state shows are for people to read: only their hashes are compared.
  const State after = learner.state();
  const bool shown_alike =
      state.set_spec() == after.set_spec() && state.learner_spec() == after.learner_spec();
  promise(!shown_alike || after == state, "a restored state is another one");
  learner.restore(after);
  promise(learner.state() == after, "a state that was restored and saved is another one");
  try {
    std::vector<double> x(learner.set().dimension());
    for (int t = 0; t < 3; ++t) {
      const PlayId id = learner.ask(x);
      tell(learner, id, 0.5);
    }
    learner.recommend(x);
    (void)learner.summary();
    (void)learner.regret_bound();
  } catch (const Error&) {  // the horizon is used up
  }
}

void check_state(const Bytes& bytes) {
  try {
    const State state = State::from_bytes(bytes);
    promise(State::from_bytes(state.bytes()) == state, "a state is not its bytes");
    for_each_golden_state([&](const auto& golden) { check_restore(golden.make(), state); });
  } catch (const StateError&) {
  }
}

}  // namespace
}  // namespace keyhole::tests

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  keyhole::tests::Bytes bytes(size);
  std::transform(data, data + size, bytes.begin(), [](std::uint8_t b) { return std::byte{b}; });
  keyhole::tests::check_state(bytes);
  keyhole::tests::check_state(keyhole::tests::repaired(std::move(bytes)));
  return 0;
}
