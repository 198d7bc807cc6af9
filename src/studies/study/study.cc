#include "keyhole/study.h"

#include "studies/study/body.h"

namespace keyhole {

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
  std::uint64_t end = 0;
  StudyStep step = append(tells, asks, worker, end);
  harden(end);
  return step;
}

StudyStep Study::append(const std::vector<StudyTell>& tells, std::size_t asks,
                        const std::string& worker, std::uint64_t& end) {
  studies::Step step{.asks = asks, .worker = asks > 0 ? worker : ""};
  for (const StudyTell& tell : tells) step.tells.push_back({tell.id, tell.loss});
  return body_->append(step, end);
}

void Study::harden(std::uint64_t end) { body_->harden(end); }

void Study::explore(bool on) { body_->explore(on); }

bool Study::explores() { return body_->explores(); }

StudyPlayRecord Study::play(PlayId id) { return body_->play(id); }

std::vector<double> Study::recommend() { return body_->recommend(); }

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

RegretBound Study::regret_bound() {
  return body_->look([](const Learner& learner) { return learner.regret_bound(); });
}

StudyPosition Study::position() { return body_->durable_position(); }

State Study::state() {
  return body_->look([](const Learner& learner) { return learner.state(); });
}

bool Study::needs_renewal() { return body_->needs_renewal(); }

const Set& Study::set() const { return body_->set(); }

const StudyDescription& Study::description() const { return body_->description(); }

}  // namespace keyhole
