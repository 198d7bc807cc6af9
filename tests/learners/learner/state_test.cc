// States as values and as bytes: what is refused, and what old files still give.

#include "keyhole/state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <future>
#include <set>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/number_text.h"
#include "catalogue.h"
#include "golden/golden_file.h"
#include "golden/golden_states.h"
#include "keyhole/spec.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Bytes = std::vector<std::byte>;

Learner example(std::uint64_t seed = 1) {
  return Learner(anytime(projection_free(simplex(3), {.loss_bound = 1})),
                 {.seed = seed, .window = 4});
}

Learner after(std::uint64_t rounds) {
  Learner learner = example();
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const Play play = learner.ask();
    if (t % 3 != 0) learner.tell(play.id, play.point[0]);
  }
  return learner;
}

Bytes bytes_of(const State& state) { return {state.bytes().begin(), state.bytes().end()}; }

/// Sets the 8 bytes at the position, and the checksum at the end to fit.
Bytes forged(Bytes bytes, std::size_t position, std::uint64_t value) {
  const auto put = [&](std::size_t at, std::uint64_t number) {
    for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<std::byte>(number >> (8 * i));
  };
  put(position, value);
  put(bytes.size() - 8, base::fnv1a(std::span(bytes).first(bytes.size() - 8)));
  return bytes;
}

TEST(State, IsAValue) {
  const State a = after(10).state();
  const State copy = a;
  EXPECT_EQ(a, copy);
  EXPECT_EQ(a, after(10).state());
  EXPECT_EQ(a.hash(), copy.hash());
  EXPECT_NE(a, after(11).state());
  EXPECT_NE(a.hash(), after(11).state().hash());
  EXPECT_EQ(a.set_spec(), "simplex(3)");
  EXPECT_EQ(a.learner_spec(), example().spec());
  EXPECT_EQ(State::from_bytes(a.bytes()), a);
  EXPECT_EQ(State::from_bytes(a.bytes()).learner_spec(), a.learner_spec());
}

TEST(State, EverySingleByteChangeIsCaught) {
  const Bytes bytes = bytes_of(after(10).state());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
      Bytes altered = bytes;
      altered[i] ^= std::byte(flip);
      EXPECT_THROW((void)State::from_bytes(altered), StateError) << "byte " << i;
    }
  }
}

TEST(State, EveryTruncationAndAdditionIsCaught) {
  const Bytes bytes = bytes_of(after(10).state());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW((void)State::from_bytes(std::span(bytes).first(size)), StateError) << size;
  }
  Bytes longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW((void)State::from_bytes(longer), StateError);
}

TEST(State, RefusalsSayWhatIsWrong) {
  const State state = after(10).state();
  Bytes bytes = bytes_of(state);
  EXPECT_EQ(message<StateError>([&] { (void)State::from_bytes({}); }),
            "the state is truncated: 8 bytes are needed where 0 are left");
  EXPECT_EQ(
      message<StateError>([&] { (void)State::from_bytes(std::as_bytes(std::span("PNG or so"))); }),
      "these bytes are not a Keyhole state");
  EXPECT_EQ(message<StateError>([&] { (void)State::from_bytes(forged(bytes, 8, 3)); }),
            "the state has format 3, and this version of Keyhole reads formats up to 2");
  EXPECT_NE(message<StateError>([&] {
              (void)State::from_bytes(std::span(bytes).first(bytes.size() - 1));
            }).find("truncated"),
            std::string::npos);
  bytes[bytes.size() / 2] ^= std::byte{1};
  EXPECT_EQ(message<StateError>([&] { (void)State::from_bytes(bytes); }),
            "the state has been altered: its checksum does not fit");
}

TEST(State, ForeignStatesAreRefusedAndChangeNothing) {
  const State state = after(10).state();
  Learner learner = after(5);
  const State before = learner.state();
  Learner other_set(anytime(projection_free(simplex(4), {.loss_bound = 1})),
                    {.seed = 1, .window = 4});
  EXPECT_EQ(message<StateError>([&] { other_set.restore(state); }),
            "the state belongs to the set simplex(3), not to simplex(4)");
  Learner other_seed = example(2);
  EXPECT_NE(message<StateError>([&] { other_seed.restore(state); }).find("seed=1"),
            std::string::npos);
  Learner other_algorithm(anytime(unregularized(simplex(3), {.loss_bound = 1})),
                          {.seed = 1, .window = 4});
  EXPECT_THROW(other_algorithm.restore(state), StateError);
  EXPECT_NE(message<StateError>([&] {
              learner.restore(State::from_bytes(forged(bytes_of(state), 24, trace_revision + 1)));
            }).find("trace revision " + std::to_string(trace_revision + 1)),
            std::string::npos);
  EXPECT_EQ(learner.state(), before);
}

TEST(State, SoundBytesWithUnsoundFieldsAreRefusedAndChangeNothing) {
  // A forger can fit the checksum: whatever 8 bytes of the fields he overwrites, the learner takes
  // the state whole or throws and stays as it was.
  const Bytes bytes = bytes_of(after(10).state());
  const std::size_t fields = bytes.size() - 208;  // within the learner's own
  std::size_t refused = 0;
  for (std::size_t i = fields; i + 16 <= bytes.size(); ++i) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 40}) {
      Learner learner = after(5);
      const State before = learner.state();
      try {
        learner.restore(State::from_bytes(forged(bytes, i, value)));
      } catch (const Error&) {
        EXPECT_EQ(learner.state(), before);
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 0u);
}

TEST(State, MorePlaysThanThereCanBeAreRefused) {
  const Bytes bytes = bytes_of(after(37).state());
  const auto at = [&](std::uint64_t count) {  // the first 8 bytes that hold the count of asks
    for (std::size_t i = 0; i + 16 <= bytes.size(); ++i) {
      if (forged(bytes, i, count) == bytes) return i;
    }
    return bytes.size();
  };
  Learner learner = after(5);
  const State before = learner.state();
  const Bytes endless = forged(bytes, at(37), ~std::uint64_t{0});
  EXPECT_EQ(message<StateError>([&] { learner.restore(State::from_bytes(endless)); }),
            "the state counts 18446744073709551615 plays: it is not sound");
  EXPECT_EQ(learner.state(), before);
}

TEST(State, HasTheWholeSpecs) {
  std::vector<double> lower(100, 0.125);
  lower[0] = 0;
  const SetPtr set = box(lower, std::vector<double>(100, 1.0));
  Learner learner(anytime(projection_free(set, {.loss_bound = 1})));
  EXPECT_GT(set->spec().size(), 200u);
  EXPECT_EQ(learner.state().set_spec(), set->spec());
  EXPECT_EQ(learner.state().learner_spec(), learner.spec());
}

/// "" if a learner goes on from the golden file as one that was never saved does; else what is
/// different first.
template <class AnyLearner>
std::string first_difference(const GoldenState<AnyLearner>& golden, const State& saved) {
  AnyLearner restored = golden.make();
  AnyLearner never_saved = golden.make();
  std::vector<double> losses = play_golden(never_saved, golden.rounds);
  std::vector<double> losses_of_restored = losses;
  restored.restore(saved);
  std::vector<double> x(restored.set().dimension());
  std::vector<double> y(x.size());
  const bool same_state = restored.state() == never_saved.state();
  for (std::uint64_t more = 60; more > 0; --more) {
    play_golden_round(restored, losses_of_restored, x);
    play_golden_round(never_saved, losses, y);
    if (x == y) continue;
    return golden.name + ": play " + std::to_string(losses.size()) + " is " +
           base::list_text(x, false) + " after the file and " + base::list_text(y, false) +
           " without it";
  }
  if (!same_state) return golden.name + ": the state is another one, and 60 plays are the same";
  return restored.state() == never_saved.state()
             ? ""
             : golden.name + ": the states differ 60 plays later, and no play does";
}

/// States that earlier versions saved: load and go on as they did then, or be refused by version.
TEST(State, GoldenFilesLoadAndGoOn) {
  for_each_golden_state([](const auto& golden) {
    EXPECT_EQ(first_difference(golden, golden_file(golden.file())), "");
  });
}

/// Every state of an older revision goes on, if its digits may differ, and where they happen to be
/// the same it goes on as one that was never saved.
TEST(State, GoldenFilesOfRevision4GoOnWithOtherDigits) {
  for_each_golden_state([](const auto& golden) {
    if (golden.first_revision > 4) return;
    SCOPED_TRACE(golden.name);
    const State old = golden_file("state_4_" + golden.name + ".bin");
    EXPECT_EQ(old.revision(), 4u);
    auto learner = golden.make();
    const State before = learner.state();
    EXPECT_NE(message<StateError>([&] { learner.restore(old); }).find("Digits::may_differ"),
              std::string::npos);
    EXPECT_EQ(learner.state(), before);
    learner.restore(old, Digits::may_differ);
    EXPECT_EQ(learner.asked(), golden.rounds);
    auto used = golden.make();
    for (int t = 0; t < 3; ++t) (void)used.ask();
    if constexpr (requires { used.prove(0.5); }) {
      if (golden.name != "max_step") used.prove(0.5);
    }
    used.explore(false);
    (void)used.ask();
    used.restore(old, Digits::may_differ);
    EXPECT_EQ(used.state(), learner.state()) << "whatever it was used for before";
    auto never_saved = golden.make();
    play_golden(never_saved, golden.rounds);
    // Since then watchful draws other numbers, and parameter_free does not look for changes.
    const bool differs =
        golden.name == "watchful" || golden.name == "parameter_free" || golden.name == "max_step";
    EXPECT_EQ(learner.state() == never_saved.state(), !differs);
    std::vector<double> x(learner.set().dimension());
    for (int more = 0; more < 60; ++more) {
      const PlayId id = learner.ask(x);
      EXPECT_TRUE(learner.set().contains(x));
      tell(learner, id, std::sin(static_cast<double>(id)));
    }
  });
}

TEST(State, GoldenFilesOfEveryRevisionBeforeLoadWithOtherDigits) {
  for_each_golden_state([](const auto& golden) {
    for (std::uint64_t revision = golden.first_revision; revision < trace_revision; ++revision) {
      const std::string file = "state_" + std::to_string(revision) + "_" + golden.name + ".bin";
      SCOPED_TRACE(file);
      auto learner = golden.make();
      learner.restore(golden_file(file), Digits::may_differ);
      EXPECT_EQ(learner.asked(), golden.rounds);
      EXPECT_TRUE(learner.set().contains(learner.ask().point));
    }
  });
}

TEST(State, OfAnUnknownRevisionAreRefusedWhateverTheDigits) {
  Learner learner = after(10);
  constexpr std::size_t at = 24;  // of the revision
  const Bytes old = bytes_of(golden_file("state_4_anytime.bin"));
  for (const Bytes& bytes :
       {forged(old, at, 3), forged(bytes_of(learner.state()), at, trace_revision + 1)}) {
    const State other = State::from_bytes(bytes);
    EXPECT_NE(message<StateError>([&] {
                learner.restore(other, Digits::may_differ);
              }).find("not known here"),
              std::string::npos);
  }
}

/// Const members but recommend() may be called at once: under the thread sanitizer this would show
/// a write.
TEST(State, CanBeTakenByTwoThreadsAtOnce) {
  for_each_golden_state([](const auto& golden) {
    auto learner = golden.make();
    play_golden(learner, golden.rounds);
    const auto look = [&learner = std::as_const(learner)] {
      const State state = learner.state();
      return std::tuple(state.hash(), learner.summary().told, learner.spec(), learner.asks_left(),
                        learner.regret_bound().note);
    };
    auto other = std::async(std::launch::async, look);
    EXPECT_EQ(look(), other.get());
  });
}

TEST(State, PlaysThatWereNotToldTakeTwoBits) {
  Learner silent(parameter_free(box(0, 1, 4)), {.window = 1024});
  for (int t = 0; t < 1024; ++t) (void)silent.ask();
  const std::size_t before = bytes_of(silent.state()).size();
  EXPECT_LT(before, 256u + 3000u);
  for (PlayId t = 1; t <= 100; ++t) silent.tell(t, 0.5);
  EXPECT_EQ(bytes_of(silent.state()).size(), before + 100 * sizeof(double));
}

TEST(State, EveryLearnerOfTheCatalogueHasAGoldenFile) {
  std::set<std::string> names;
  for_each_golden_state([&](const auto& golden) { names.insert(golden.name); });
  for (const SpecEntry& entry : Catalogue::standard().entries()) {
    if (entry.kind() != SpecKind::learner) continue;
    EXPECT_TRUE(names.contains(entry.name))
        << entry.name << " has no run in tests/golden/golden_states.h";
  }
}

/// Whoever changes a digit is told at which play, and both points.
TEST(State, TheFirstDifferingPlayIsNamed) {
  const GoldenState<Learner> golden = golden_states().front();
  ASSERT_EQ(golden.name, "parameter_free");
  Learner other = golden.make();
  std::vector<double> losses = play_golden(other, 100);
  std::vector<double> x(other.set().dimension());
  tell(other, 100, 5);  // which the golden run is never told
  while (losses.size() < golden.rounds) play_golden_round(other, losses, x);
  const std::string difference = first_difference(golden, other.state());
  EXPECT_NE(difference.find("parameter_free: play 201 is ["), std::string::npos) << difference;
  EXPECT_NE(difference.find("] without it"), std::string::npos) << difference;
}

TEST(State, AGoldenFileOfANewerFormatIsRefused) {
  EXPECT_NE(message<StateError>([] { (void)golden_file("state_format_3.bin"); }).find("format 3"),
            std::string::npos);
}

TEST(Archive, IsLittleEndianOnEveryMachine) {
  Archive archive;
  std::uint64_t integer = 0x0102030405060708;
  double number = 1.0;
  std::uint8_t byte = 7;
  std::string text = "ab";
  archive.field(integer);
  archive.field(number);
  archive.field(byte);
  archive.field(text);
  EXPECT_FALSE(archive.reading());
  const Bytes bytes = std::move(archive).take();
  const std::vector<unsigned> expected = {8,    7,    6, 5, 4, 3, 2, 1, 0, 0, 0, 0,   0,  0,
                                          0xf0, 0x3f, 7, 2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'};
  ASSERT_EQ(bytes.size(), expected.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_EQ(std::to_integer<unsigned>(bytes[i]), expected[i]) << i;
  }
  Archive back(bytes);
  std::uint64_t integer_back = 0;
  back.field(integer_back);
  EXPECT_EQ(integer_back, integer);
  EXPECT_EQ(back.left(), bytes.size() - 8);
  std::vector<double> two(2);
  EXPECT_THROW(back.field(std::span(two)), StateError);
}

}  // namespace
}  // namespace keyhole::tests
