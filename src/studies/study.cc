#include "keyhole/study.h"

#include "base/number_text.h"
#include "studies/body.h"
#include "studies/description_text.h"

namespace keyhole {
namespace {

StudyRecord record_of(const studies::Step& step, StudyStep gave, const Learner& learner) {
  StudyRecord record{.worker = step.worker, .gave = std::move(gave), .learner = &learner};
  for (const studies::Tell& tell : step.tells) record.tells.push_back({tell.play, tell.loss});
  return record;
}

}  // namespace

Study::Body::Body(std::string name, std::unique_ptr<studies::Journal> journal,
                  Durability durability, Catalogue catalogue, const Watch& watch)
    : name_(std::move(name)),
      journal_(std::move(journal)),
      durability_(durability),
      catalogue_(std::move(catalogue)) {
  catch_up(watch);
  if (!learner_) {
    throw StudyError("the log of the study '" + name_ +
                     "' does not begin with a whole description: restore it from a copy");
  }
}

/// Takes what others have appended into the image.
void Study::Body::catch_up(const Watch& watch) {
  journal_->read(position_, [&](std::string_view content, std::uint64_t end) {
    if (position_ == 0) {
      begin(std::string(content));
    } else {
      if (!studies::read_step(content, learner_->asked(), replayed_)) {
        throw StudyError("the study '" + name_ + "': a newer version has written its log at byte " +
                         std::to_string(position_) + ": use that version");
      }
      StudyStep gave;
      apply(replayed_, watch ? &gave : nullptr);
      if (watch) watch(record_of(replayed_, std::move(gave), *learner_));
    }
    position_ = end;
  });
}

void Study::Body::follow(const Watch& watch) {
  const std::lock_guard lock(mutex_);
  catch_up(watch);
}

void Study::Body::begin(const std::string& text) {
  const std::string where = "the study '" + name_ + "'";
  studies::DescriptionRead read = studies::read_description(text, where);
  text_ = text;
  description_.emplace(std::move(read.description));
  learner_.emplace(studies::make_learner_of(*description_, catalogue_));
  point_.resize(set().dimension());
  const bool same = learner_->spec() == read.learner_spec && set().spec() == read.set_spec &&
                    studies::description_text(*description_, *learner_) == text;
  if (!same) {
    throw StudyError(where + " was made with revision " + std::to_string(read.trace_revision) +
                     " of the digits, with " + read.learner_spec + " on " + read.set_spec +
                     "; this version would make " + learner_->spec() + " on " + set().spec() +
                     ": use the version that made it");
  }
}

StudyStep Study::Body::step(const studies::Step& step) {
  StudyStep result;
  std::uint64_t end = 0;
  {
    const std::lock_guard lock(mutex_);
    journal_->in_turn([&] {
      while (true) {
        catch_up();
        if (const auto again = pending_play(step.worker); again && step.tells.empty()) {
          result.plays = {*again};
          break;
        }
        check(step);
        const std::string content = studies::step_content(step, learner_->asked());
        if (const auto appended = journal_->append(position_, content)) {
          apply(step, &result);
          position_ = *appended;
          break;
        }
      }
      end = position_;
    });
  }
  if (durability_ == Durability::disk) journal_->harden(end);
  return result;
}

/// Throws if the step could not be applied whole.
void Study::Body::check(const studies::Step& step) const {
  std::map<PlayId, double> told;
  for (const studies::Tell& tell : step.tells) {
    (void)learner_->check(tell.play, tell.loss);
    const auto [same, fresh] = told.emplace(tell.play, tell.loss);
    if (!fresh && same->second != tell.loss) {
      throw FeedbackError("play " + std::to_string(tell.play) + " is told twice in one step, as " +
                              base::number_text(same->second) + " and " +
                              base::number_text(tell.loss),
                          ErrorCode::contradiction);
    }
  }
  if (step.asks > learner_->asks_left()) {
    throw InvalidArgument("the study '" + name_ + "' has " + std::to_string(learner_->asks_left()) +
                              " plays left of the learner's horizon, not " +
                              std::to_string(step.asks),
                          ErrorCode::horizon_used_up);
  }
}

/// Takes a step into the image. What it gave is written only if somebody wants it: replaying a log
/// has no use for it.
void Study::Body::apply(const studies::Step& step, StudyStep* result) {
  for (const studies::Tell& tell : step.tells) {
    const Receipt receipt = learner_->tell(tell.play, tell.loss);
    if (result != nullptr) result->receipts.push_back(receipt);
    if (of_worker_.empty()) continue;
    std::erase_if(of_worker_, [&](const auto& entry) { return entry.second.id == tell.play; });
  }
  for (std::uint64_t k = 0; k < step.asks; ++k) {
    const PlayId id = learner_->ask(point_);
    if (result != nullptr) result->plays.push_back(described(id));
    if (!step.worker.empty()) of_worker_[step.worker] = described(id);
  }
}

std::optional<StudyPlay> Study::Body::pending_play(const std::string& worker) const {
  const auto found = of_worker_.find(worker);
  if (worker.empty() || found == of_worker_.end()) return {};
  const LearnerOptions& options = description_->options;
  const bool expired =
      learner_->asked() - found->second.id >= options.expiry.value_or(options.window);
  if (expired) return {};
  return found->second;
}

/// The play that was asked last.
StudyPlay Study::Body::described(PlayId id) const {
  if (space() == nullptr) return {id, point_, {}};
  return {id, point_, space()->values(point_, description_->options.seed, id)};
}

Study::Study(std::unique_ptr<Body> body) : body_(std::move(body)) {}
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;
Study::~Study() = default;

StudyPlay Study::ask(const std::string& worker) {
  return body_->step({.asks = 1, .worker = worker}).plays.front();
}

std::vector<StudyPlay> Study::ask_many(std::size_t count) {
  return body_->step({.asks = count}).plays;
}

Receipt Study::tell(PlayId id, double loss) {
  return body_->step({.tells = {{id, loss}}}).receipts.front();
}

StudyStep Study::step(const std::vector<StudyTell>& tells, std::size_t asks,
                      const std::string& worker) {
  studies::Step step{.asks = asks, .worker = asks > 0 ? worker : ""};
  for (const StudyTell& tell : tells) step.tells.push_back({tell.id, tell.loss});
  return body_->step(step);
}

std::vector<double> Study::recommend() {
  return body_->look([](const Learner& learner) { return learner.recommend(); });
}

Values Study::recommend_values() {
  if (body_->space() == nullptr) return {};
  return body_->space()->likeliest(recommend());
}

Summary Study::summary() {
  return body_->look([](const Learner& learner) { return learner.summary(); });
}

Status Study::status(std::uint64_t recent) {
  return body_->look([&](const Learner& learner) { return learner.status(recent); });
}

State Study::state() {
  return body_->look([](const Learner& learner) { return learner.state(); });
}

const Set& Study::set() const { return body_->set(); }

const StudyDescription& Study::description() const { return body_->description(); }

}  // namespace keyhole
