// Studies on a set of one's own whose oracle fails, once or always: what threw is not in the
// history, and the study goes on as if nobody had called.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "catalogue.h"
#include "folder.h"
#include "keyhole/store.h"
#include "own_sets.h"
#include "twin.h"

namespace keyhole::tests::failing_oracle {
namespace {

using Points = std::map<PlayId, std::vector<double>>;
using Losses = std::map<PlayId, double>;

double loss_of(const std::vector<double>& point) { return point[0] - 0.5 * point[1]; }

StudyDescription on_the_cube(const std::string& learner) {
  return {.on = "cube()", .learner = learner, .options = {.seed = 5}};
}

/// Whether a study goes on as the same object after a failure, or is opened again.
enum class After { the_same_object, opened_again };

/// What stands in the log of a study, and the state of a learner that was told the same.
struct History {
  Points plays = {};
  Losses told = {};
  std::uint64_t hash = 0;

  bool operator==(const History&) const = default;
};

History history_of(const Store& store, const std::string& learner) {
  History history;
  Learner twin = twin_of(on_the_cube(learner), with_cube(minimise_over_the_cube));
  (void)store.replay("s", [&](const StudyRecord& record) {
    if (record.explores) twin.explore(*record.explores);
    for (const StudyTell& tell : record.tells) {
      (void)twin.tell(tell.id, tell.loss.value());
      history.told.emplace(tell.id, tell.loss.value());
    }
    for (const StudyPlay& play : record.gave.plays) {
      EXPECT_EQ(twin.ask().point, play.point) << play.id;
      history.plays.emplace(play.id, play.point);
    }
  });
  history.hash = twin.state().hash();
  return history;
}

/// Fails each call of an oracle in turn; where KEYHOLE_TEST_SCALE is below 1 every fortieth of
/// those that are alike. try_one() says what is wrong then.
template <class TryOne>
void fail_each(const std::shared_ptr<Trouble>& trouble, const std::vector<bool>& alike,
               std::size_t at_least, TryOne try_one) {
  const std::size_t stride = test_scale() < 1 ? 40 : 1;
  std::size_t tried = 0;
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < alike.size(); ++k) {
    if (alike[k] && k % stride != 0) continue;
    ++tried;
    trouble->calls.clear();
    trouble->fail_at = k;
    std::string found;
    try {
      found = try_one();
    } catch (const std::exception& error) {
      found = error.what();
    }
    if (trouble->fail_at) found = "nothing has failed";
    trouble->fail_at.reset();
    if (!found.empty() && ++wrong <= 3) {
      ADD_FAILURE() << found << ", when call " << k << " of " << alike.size() << " failed";
    }
  }
  EXPECT_EQ(wrong, 0U) << "of " << tried;
  EXPECT_GE(tried, at_least);
}

class FailingOracle : public testing::TestWithParam<std::tuple<std::string, After>> {
 protected:
  static constexpr StoreOptions quick_ = {.durability = Durability::process};

  const Folder folder_{place_in_memory()};
  const std::shared_ptr<Trouble> trouble_ = std::make_shared<Trouble>();
  const Store store_{folder_.path(""), quick_, with_cube(trouble_)};
  const std::string learner_ = std::get<0>(GetParam());
  const After after_ = std::get<1>(GetParam());
};

/// A study that is played to its end. What fails is called once again.
class Played {
 public:
  Played(const Store& store, const std::string& learner, After after)
      : store_(store), after_(after) {
    done([&] { study_.emplace(store_.create("s", on_the_cube(learner))); });
    StudyStep step;
    done([&] { step = study_->step({}, 1, "w"); });
    for (int t = 1; t <= 60; ++t) {
      if (t == 30 || t == 40) done([&] { study_->explore(t == 40); });
      if (t % 25 == 0) done([&] { study_.emplace(store_.open("s")); });
      if (t % 15 == 0) done([&] { recommended.push_back(study_->recommend()); });
      const StudyPlay play = step.plays.at(0);
      plays[play.id] = play.point;
      done([&] { step = study_->step({{play.id, loss_of(play.point)}}, 1, "w"); });
      receipts.push_back(step.receipts.at(0));
    }
  }

  [[nodiscard]] std::uint64_t hash() { return study_->state().hash(); }

  Points plays = {};
  std::vector<Receipt> receipts = {};
  std::vector<std::vector<double>> recommended = {};

 private:
  template <class Call>
  void done(Call call) {
    try {
      return call();
    } catch (const OracleFailed&) {
    }
    if (study_ && after_ == After::opened_again) study_.emplace(store_.open("s"));
    call();
  }

  const Store& store_;
  After after_;
  std::optional<Study> study_;
};

TEST_P(FailingOracle, OnceChangesNothing) {
  Played expected(store_, learner_, after_);
  const std::vector<bool> calls = trouble_->calls;
  const History history = history_of(store_, learner_);
  ASSERT_EQ(expected.receipts, std::vector<Receipt>(60, Receipt::fresh));
  ASSERT_EQ(expected.hash(), history.hash);
  // There are hundreds of calls while a set is made.
  fail_each(trouble_, calls, 40, [&]() -> std::string {
    store_.remove("s");
    Played played(store_, learner_, after_);
    if (played.plays != expected.plays) return "other plays";
    if (played.receipts != expected.receipts) return "what threw was taken";
    if (played.recommended != expected.recommended) return "other recommendations";
    if (played.hash() != history.hash) return "another state";
    if (store_.open("s").state().hash() != history.hash) return "another state when it is opened";
    return history_of(store_, learner_) == history ? "" : "another history";
  });
}

/// Of a study whose oracle answers otherwise since an update, and so is to be renewed.
TEST_P(FailingOracle, LeavesARenewalUndoneOrDone) {
  {
    const Store before(folder_.path(""), quick_, with_cube(with_ties_at(0)));
    Study study = before.create("s", on_the_cube(learner_));
    for (int t = 0; t < 400; ++t) {
      const StudyPlay play = study.ask("w");
      study.tell(play.id, loss_of(play.point));
    }
  }
  const Store store(folder_.path(""), quick_, with_cube(trouble_, with_ties_at(1)));
  const std::string log = folder_.path("s/log");
  const std::string old = bytes(log).value();
  const auto restore = [&] {  // without a snapshot, which may be of a later play
    std::filesystem::remove_all(folder_.path("s"));
    std::filesystem::create_directory(folder_.path("s"));
    write_bytes(log, old);
  };
  restore();
  trouble_->calls.clear();
  const Renewal renewal = store.renew("s");
  ASSERT_NE(renewal, Renewal::not_needed);
  const std::vector<bool> alike(trouble_->calls.size(), true);
  const std::string renewed = bytes(log).value();
  const std::uint64_t hash = store.open("s").state().hash();
  fail_each(trouble_, alike, 5, [&]() -> std::string {
    restore();
    try {
      if (after_ == After::opened_again) (void)store.renew("s", true);  // a dry run
      (void)store.renew("s");
      return "it is renewed though the oracle has failed";
    } catch (const OracleFailed&) {
    }
    if (bytes(log) != old) return "half of it is renewed";
    if (store.renew("s") != renewal) return "it is renewed otherwise the next time";
    if (bytes(log) != renewed) return "the log is another one";
    return store.open("s").state().hash() == hash ? "" : "it has another state";
  });
}

/// A copy is made of bytes.
TEST_P(FailingOracle, IsNotNeededForACopy) {
  Played played(store_, learner_, after_);
  trouble_->calls.clear();
  trouble_->refuses = [](std::span<const double>) { return true; };
  const Store to = Store::in_memory({}, with_cube(minimise_over_the_cube));
  store_.copy("s", to);
  EXPECT_EQ(to.open("s").state().hash(), played.hash());
  EXPECT_EQ(trouble_->calls, std::vector<bool>());
}

TEST_P(FailingOracle, ForSomeDirectionsLeavesAStudyThatIsRight) {
  trouble_->refuses = [](std::span<const double> d) { return d[2] < 0; };
  Study study = store_.create("s", on_the_cube(learner_));
  History known;  // what was acknowledged
  std::map<std::string, StudyPlay> pending;
  int failures = 0;
  const auto step = [&](const std::vector<StudyTell>& tells, std::size_t asks,
                        const std::string& worker) {
    try {
      const StudyStep got = study.step(tells, asks, worker);
      for (const StudyTell& tell : tells) known.told.emplace(tell.id, tell.loss.value());
      if (!tells.empty()) pending.erase(worker);
      for (const StudyPlay& play : got.plays) {
        known.plays.emplace(play.id, play.point);
        pending[worker] = play;
      }
      return true;
    } catch (const OracleFailed&) {
      ++failures;
      return false;
    }
  };
  const auto rounds = [&](int count) {
    for (int t = 0; t < count; ++t) {
      const std::string worker = "w" + std::to_string(t % 3);
      std::vector<StudyTell> tells;
      if (pending.contains(worker)) {
        const StudyPlay& play = pending[worker];
        tells.push_back({play.id, loss_of(play.point)});
      }
      // What can be told is told, even if there is no next play now.
      if (!step(tells, 1, worker) && !tells.empty()) (void)step(tells, 0, worker);
      if (after_ == After::opened_again && t % 10 == 0) study = store_.open("s");
    }
    const History history = history_of(store_, learner_);
    EXPECT_EQ(history.plays, known.plays);
    EXPECT_EQ(history.told, known.told);
    EXPECT_EQ(study.state().hash(), history.hash);
    EXPECT_EQ(store_.open("s").state().hash(), history.hash);
  };
  rounds(60);
  EXPECT_GT(failures, 0);
  trouble_->refuses = {};  // mended
  failures = 0;
  rounds(60);
  EXPECT_EQ(failures, 0);
  EXPECT_GT(known.told.size(), 50U);
}

INSTANTIATE_TEST_SUITE_P(
    Learners, FailingOracle,
    testing::Combine(testing::Values("default", "parameter_free",
                                     "anytime(projection_free(loss_bound=2, gradient_bound=3))"),
                     testing::Values(After::the_same_object, After::opened_again)));

}  // namespace
}  // namespace keyhole::tests::failing_oracle
