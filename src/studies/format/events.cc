#include "studies/format/events.h"

#include <algorithm>
#include <limits>

#include "studies/format/bytes.h"

namespace keyhole::studies {
namespace {

// The first byte of a content. A description begins with '{'.
constexpr std::uint64_t step_of_format_1 = 2;
constexpr std::uint64_t era_kind = 3;
constexpr std::uint64_t switch_kind = 4;
constexpr std::uint64_t step_kind = 5;
constexpr std::uint64_t past_kind = 6;
constexpr std::uint64_t sealed_kind = 7;
constexpr std::uint64_t coin_kind = 8;
constexpr std::uint64_t past_with_contexts = 9;
constexpr std::uint64_t change_kind = 10;
constexpr std::uint64_t named_past_kind = 11;
constexpr std::uint64_t past_with_metrics = 12;

// What is added to eight times the number of asks.
constexpr std::uint64_t has_worker = 1;
constexpr std::uint64_t has_context = 2;
constexpr std::uint64_t has_points = 4;
constexpr std::size_t witness_size = 4;

void put_numbers(std::string& content, const std::vector<double>& numbers) {
  put_number(content, numbers.size());
  for (const double number : numbers) put_double(content, number);
}

bool take_numbers(Taker& taker, std::vector<double>& numbers) {
  const auto count = taker.number();
  if (!count || *count > taker.rest().size() / sizeof(double)) return false;
  numbers.resize(*count);
  for (double& number : numbers) number = *taker.a_double();
  return true;
}

using Notes = decltype(Tell::notes);

/// The place of what has a name in place of one.
constexpr std::uint64_t note_place = std::uint64_t{1} << 20U;

void put_measured(std::string& content, const Measured& metrics, const Notes& notes = {}) {
  put_number(content, metrics.size() + notes.size());
  for (const auto& [metric, value] : metrics) {
    put_number(content, metric);
    put_double(content, value);
  }
  for (const auto& [name, value] : notes) {
    put_number(content, note_place);
    put_text(content, name);
    put_double(content, value);
  }
}

/// With notes only if there is a place for them.
bool take_measured(Taker& taker, Measured& metrics, Notes* notes = nullptr) {
  const auto count = taker.number();
  if (!count) return false;
  for (std::uint64_t k = 0; k < *count; ++k) {
    const auto metric = taker.number();
    if (metric == note_place && notes != nullptr) {
      const auto name = taker.text();
      const auto number = taker.a_double();
      if (!name || !number) return false;
      notes->emplace_back(*name, *number);
      continue;
    }
    const auto value = taker.a_double();
    if (!metric || !value) return false;
    metrics.emplace_back(*metric, *value);
  }
  return true;
}

/// Twice the age, and 1 more if there is more to say than the loss.
void put_tell(std::string& content, const Tell& tell, std::uint64_t asked) {
  const bool has_more = tell.weight != 1 || !tell.metrics.empty() || !tell.notes.empty();
  put_number(content, 2 * (asked - tell.play) + (has_more ? 1 : 0));
  put_double(content, tell.loss);
  if (!has_more) return;
  put_double(content, tell.weight);
  put_measured(content, tell.metrics, tell.notes);
}

bool take_more(Taker& taker, Tell& tell) {
  const auto weight = taker.a_double();
  if (!weight) return false;
  tell.weight = *weight;
  return take_measured(taker, tell.metrics, &tell.notes);
}

bool take_tells(Taker& taker, std::uint64_t asked, bool in_format_1, Step& step) {
  const auto count = taker.number();
  if (!count) return false;
  for (std::uint64_t k = 0; k < *count; ++k) {
    const auto number = taker.number();
    const auto loss = taker.a_double();
    if (!number || !loss) return false;
    const std::uint64_t age = in_format_1 ? *number : *number / 2;
    if (age >= asked) return false;
    step.tells.push_back({.play = asked - age, .loss = *loss});
    const bool has_more = !in_format_1 && *number % 2 == 1;
    if (has_more && !take_more(taker, step.tells.back())) return false;
  }
  return true;
}

bool take_worker(Taker& taker, Step& step) {
  const auto worker = taker.text();
  if (!worker || worker->empty()) return false;
  step.worker = *worker;
  return true;
}

/// All that is left: as many bytes for each ask.
bool take_facts(Taker& taker, Step& step) {
  step.facts = *taker.text(taker.rest().size());
  if (step.asks == 0) return step.facts.empty();
  const std::size_t size = step.facts.size() / step.asks;
  if (size == 0 || size * step.asks != step.facts.size()) return false;
  return step.kept == Kept::point ? size % sizeof(double) == 0 : size == witness_size;
}

bool take_step(Taker& taker, std::uint64_t asked, bool in_format_1, Step& step) {
  step.tells.clear();
  step.worker.clear();
  step.context.clear();
  step.facts = {};
  step.kept = Kept::nothing;
  if (!take_tells(taker, asked, in_format_1, step)) return false;
  const auto asks = taker.number();
  if (!asks) return false;
  step.asks = *asks / (in_format_1 ? 2 : 8);
  if (step.asks > most_asks) return false;
  if ((*asks & has_worker) != 0 && !take_worker(taker, step)) return false;
  if (in_format_1) return true;
  if ((*asks & has_context) != 0 && !take_numbers(taker, step.context)) return false;
  step.kept = (*asks & has_points) != 0 ? Kept::point : Kept::witness;
  return take_facts(taker, step);
}

bool take_era(Taker& taker, Era& era) {
  const auto text = taker.text();
  const auto state = taker.text();
  if (!text || !state) return false;
  era = {std::string(*text), std::string(*state)};
  return true;
}

bool take_change(Taker& taker, std::uint64_t asked, Era& era) {
  const auto learned = taker.number();
  const auto dropped = taker.number();
  if (!learned || !dropped || !take_era(taker, era)) return false;
  era.changed = {asked, *learned, *dropped};
  return true;
}

bool take_switch(Taker& taker, Switch& change) {
  const auto on = taker.number();
  if (!on || *on > 1) return false;
  change.explores = *on == 1;
  return true;
}

bool take_coin(Taker& taker, Coin& coin) {
  const auto share = taker.a_double();
  if (!share) return false;
  coin.share = *share;
  return take_numbers(taker, coin.start);
}

/// What stands behind the point of a loss of the past: each has what those before it have.
enum class Behind : std::uint8_t { nothing, context, metrics };

bool take_past(Taker& taker, Behind behind, Past& past) {
  const auto count = taker.number();
  if (!count || *count > taker.rest().size()) return false;
  for (std::uint64_t k = 0; k < *count; ++k) {
    const auto loss = taker.a_double();
    const auto weight = taker.a_double();
    if (!loss || !weight) return false;
    past.losses.push_back({*loss, *weight});
    if (!take_numbers(taker, past.losses.back().point)) return false;
    if (behind != Behind::nothing && !take_numbers(taker, past.losses.back().context)) return false;
    if (behind == Behind::metrics && !take_measured(taker, past.losses.back().metrics))
      return false;
  }
  return true;
}

bool take_named_past(Taker& taker, Behind behind, Past& past) {
  const auto id = taker.text();
  const auto projected = taker.number();
  const auto skipped = taker.number();
  if (!id || !projected || !skipped) return false;
  if (id->empty() && behind != Behind::metrics) return false;
  past.id = *id;
  past.projected = *projected;
  past.skipped = *skipped;
  return take_past(taker, behind, past);
}

/// The bytes of each event behind its kind.
struct Put {
  std::string& content;
  std::uint64_t asked;

  void operator()(const Description& description) const { content = description.text; }
  void operator()(const Step& step) const {
    put_number(content, step_kind);
    put_number(content, step.tells.size());
    for (const Tell& tell : step.tells) put_tell(content, tell, asked);
    put_number(content, 8 * step.asks + (step.worker.empty() ? 0 : has_worker) +
                            (step.context.empty() ? 0 : has_context) +
                            (step.kept == Kept::point ? has_points : 0));
    if (!step.worker.empty()) put_text(content, step.worker);
    if (!step.context.empty()) put_numbers(content, step.context);
    content += step.facts;
  }
  void operator()(const Era& era) const {
    put_number(content, era.changed ? change_kind : era_kind);
    if (era.changed) {
      put_number(content, era.changed->learned);
      put_number(content, era.changed->dropped);
    }
    put_text(content, era.text);
    put_text(content, era.state);
  }
  void operator()(const Switch& change) const {
    put_number(content, switch_kind);
    put_number(content, change.explores ? 1 : 0);
  }
  void operator()(const Coin& coin) const {
    put_number(content, coin_kind);
    put_double(content, coin.share);
    put_numbers(content, coin.start);
  }
  void operator()(const Past& past) const {
    const auto any = [&](const auto& has) {
      return std::any_of(past.losses.begin(), past.losses.end(), has);
    };
    const bool has_metrics = any([](const Past::Loss& loss) { return !loss.metrics.empty(); });
    const bool has_call = has_metrics || !past.id.empty();
    const bool has_contexts =
        has_call || any([](const Past::Loss& loss) { return !loss.context.empty(); });
    put_number(content, has_metrics    ? past_with_metrics
                        : has_call     ? named_past_kind
                        : has_contexts ? past_with_contexts
                                       : past_kind);
    if (has_call) {
      put_text(content, past.id);
      put_number(content, past.projected);
      put_number(content, past.skipped);
    }
    put_number(content, past.losses.size());
    for (const Past::Loss& loss : past.losses) {
      put_double(content, loss.loss);
      put_double(content, loss.weight);
      put_numbers(content, loss.point);
      if (has_contexts) put_numbers(content, loss.context);
      if (has_metrics) put_measured(content, loss.metrics);
    }
  }
  void operator()(const Sealed& sealed) const {
    put_number(content, sealed_kind);
    put_bytes(content, sealed.seal, sizeof sealed.seal);
  }
};

bool take_sealed(Taker& taker, Sealed& sealed) {
  const auto seal = taker.fixed(sizeof sealed.seal);
  if (seal) sealed.seal = *seal;
  return seal.has_value();
}

/// The event of this kind, in the memory that the variant has for one.
template <class T>
T& as(Event& event) {
  if (auto* const there = std::get_if<T>(&event)) return *there;
  return event.emplace<T>();
}

bool take_event(Taker& taker, std::uint64_t asked, Event& event) {
  switch (taker.number().value_or(0)) {
    case step_of_format_1:
      return take_step(taker, asked, true, as<Step>(event));
    case step_kind:
      return take_step(taker, asked, false, as<Step>(event));
    case era_kind:
      return take_era(taker, as<Era>(event));
    case change_kind:
      return take_change(taker, asked, as<Era>(event));
    case switch_kind:
      return take_switch(taker, as<Switch>(event));
    case coin_kind:
      return take_coin(taker, as<Coin>(event));
    case past_kind:
      return take_past(taker, Behind::nothing, event.emplace<Past>());
    case past_with_contexts:
      return take_past(taker, Behind::context, event.emplace<Past>());
    case named_past_kind:
      return take_named_past(taker, Behind::context, event.emplace<Past>());
    case past_with_metrics:
      return take_named_past(taker, Behind::metrics, event.emplace<Past>());
    case sealed_kind:
      return take_sealed(taker, as<Sealed>(event));
    default:
      return false;
  }
}

}  // namespace

std::string event_content(const Event& event, std::uint64_t asked) {
  std::string content;
  std::visit(Put{content, asked}, event);
  return content;
}

bool read_event(std::string_view content, std::uint64_t asked, Event& event) {
  Taker taker(content);
  return take_event(taker, asked, event) && taker.rest().empty();
}

bool is_event(std::string_view content) {
  if (content.starts_with('{')) return content.ends_with('}');
  Event event;
  return read_event(content, std::numeric_limits<std::uint64_t>::max(), event);
}

std::optional<std::uint64_t> seal_in(std::string_view content) {
  Taker taker(content);
  Sealed sealed;
  if (taker.number() != sealed_kind || !take_sealed(taker, sealed)) return {};
  return sealed.seal;
}

}  // namespace keyhole::studies
