#include "keyhole/study.h"

#include "spaces/named.h"
#include "studies/json/study_json.h"
#include "studies/study/inside.h"
#include "studies/study/live.h"
#include "studies/study/past_points.h"

namespace keyhole {

using studies::Inside, studies::Image;

Study::Study(std::unique_ptr<Live> live) : live_(std::move(live)) {}
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;
Study::~Study() = default;

StudyPlay Study::ask(const std::string& worker, const Values& context) {
  return std::move(step({}, 1, worker, context).plays.front());  // a copy could find no memory
}

std::vector<StudyPlay> Study::ask_many(std::size_t count, const Values& context) {
  return std::move(step({}, count, "", context).plays);
}

Receipt Study::tell(PlayId id, double loss, double count) {
  return step({{id, loss, count}}, 0).receipts.front();
}

Receipt Study::tell(PlayId id, double loss, const Values& metrics, double count) {
  studies::Step step;  // without a copy of the values, which could find no memory
  step.tells.push_back(live_->tell_of(id, loss, count, metrics));
  return live_->step(step).receipts.front();
}

void Study::measure(PlayId id, const Values& metrics) {
  studies::Step step;
  step.tells.push_back(live_->tell_of(id, {}, 1, metrics));
  (void)live_->step(step);
}

StudyStep Study::step(const std::vector<StudyTell>& tells, std::size_t asks,
                      const std::string& worker, const Values& context) {
  std::uint64_t end = 0;
  StudyStep step = Inside::append(*this, tells, asks, worker, end, context);
  live_->harden(end);
  return step;
}

Study Inside::study_of(std::unique_ptr<Study::Live> live) { return Study(std::move(live)); }

StudyStep Inside::append(Study& study, const std::vector<StudyTell>& tells, std::size_t asks,
                         const std::string& worker, std::uint64_t& end, const Values& context) {
  studies::Step step{.asks = asks, .worker = asks > 0 ? worker : ""};
  step.context = study.live_->context_of(context, asks > 0);
  if (asks == 0) step.context.clear();
  for (const auto& [id, loss, count, metrics, extra] : tells) {
    step.tells.push_back(study.live_->tell_of(id, loss, count, metrics, extra, step.tells.size()));
  }
  return study.live_->append(step, end);
}

void Inside::harden(Study& study, std::uint64_t end) { study.live_->harden(end); }

PastReceipt Study::learn(const std::vector<StudyPast>& past, Outside outside,
                         const std::string& id) {
  if (!id.empty()) {  // the losses may be of no parameters that there are now
    const auto before =
        live_->look([&](const Image& image) { return image.learned_before_change(id); });
    if (before) return *before;
  }
  studies::PastPoints points(description(), set());
  for (std::size_t k = 0; k < past.size(); ++k) {
    try {
      points.add(past[k], outside);
    } catch (const InvalidArgument& error) {
      throw PastError(error, k);
    }
  }
  try {
    return live_->learn(points.taken(id));
  } catch (const PastError& error) {
    throw PastError(error, points.index_of(error.index()));
  }
}

void Study::learn(const Values& values, double loss, double count) {
  learn({{.values = values, .loss = loss, .count = count}});
}

void Study::learn(const std::vector<double>& point, double loss, double count) {
  learn({{.point = point, .loss = loss, .count = count}});
}

std::uint64_t Study::past() {
  return live_->look([](const Image& image) { return image.past(); });
}

std::optional<StudyChange> Study::changed() {
  return live_->look([](const Image& image) { return image.changed(); });
}

void Study::explore(bool on) { live_->explore(on); }

void Study::prove(double share) { live_->prove(share); }

bool Study::explores() {
  return live_->look([](const Image& image) { return image.explores(); });
}

StudyPlayRecord Study::play(PlayId id) {
  return live_->look([&](const Image& image) { return image.play_of(id); });
}

std::vector<double> Study::recommend(const Values& context) {
  const std::vector<double> known = live_->context_of(context);
  return live_->look([&](const Image& image) { return image.recommend(known); });
}

Values Study::recommend_values(const Values& context) {
  const auto* const space = std::get_if<Space>(&description().on);
  return space == nullptr ? Values() : space->likeliest(recommend(context));
}

std::uint64_t Study::clipped() {
  return live_->look([](const Image& image) { return image.clipped(); });
}

Summary Study::summary() {
  return live_->look([](const Image& image) { return image.learner().summary(); });
}

Status Study::status(std::uint64_t recent) {
  return live_->look([&](const Image& image) { return image.status(recent); });
}

std::vector<FrontPoint> Study::front(const std::string& metric) {
  const std::vector<SpaceLimit> limits = studies::limits_of(*this);
  if (metric.empty() && limits.size() != 1) {
    throw InvalidArgument(limits.empty()
                              ? "the study has no limits: there is no metric to trade for"
                              : "say which metric: the study has more than one");
  }
  const std::size_t place = metric.empty() ? 0 : spaces::place_of(limits, metric, "metric");
  return live_->look([&](const Image& image) { return image.learner().front(place); });
}

std::vector<Estimate> Study::estimate(const std::vector<std::vector<double>>& points,
                                      const Values& context) {
  const std::vector<double> known = live_->context_of(context);
  return live_->look([&](const Image& image) { return image.estimate(points, known); });
}

RegretBound Study::regret_bound() {
  return live_->look([](const Image& image) { return image.learner().regret_bound(); });
}

StudyPosition Study::position() { return live_->durable_position(); }

State Study::state() {
  return live_->look([](const Image& image) { return image.learner().state(); });
}

bool Study::needs_renewal() {
  return live_->look([](const Image& image) { return image.needs_renewal(); });
}

const Set& Study::set() const { return live_->set(); }

const StudyDescription& Study::description() const { return live_->description(); }

}  // namespace keyhole
