#include "keyhole/client.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "client/calls.h"
#include "client/http_client.h"
#include "studies/json/study_json.h"
#include "studies/study/transfer.h"

namespace keyhole {

using client::Calls;
using studies::Json;

namespace {

/// Which of these has the word.
template <class Value>
Value read_word(const std::string& word, std::initializer_list<Value> all,
                std::string (*text)(Value value)) {
  for (const Value value : all) {
    if (text(value) == word) return value;
  }
  throw ServiceError("the service says '" + word + "', which this version does not know");
}

Receipt read_receipt(const std::string& word) {
  using enum Receipt;
  return read_word(word, {fresh, repeated, expired, late}, studies::receipt_text);
}

Renewal read_renewal(const Json& json) {
  using enum Renewal;
  return read_word(json.at("goes_on_with").get<std::string>(),
                   {not_needed, what_was_learned, recommendation, nothing}, studies::renewal_text);
}

StudyLabel read_label(const Json& json) {
  return {.note = json.value("note", ""), .tags = json.value("tags", std::vector<std::string>())};
}

StudyStep read_step(const Json& json) {
  StudyStep step;
  for (const Json& word : json.value("receipts", Json::array())) {
    step.receipts.push_back(read_receipt(word));
  }
  for (const Json& play : json.value("plays", Json::array())) {
    step.plays.push_back({.id = play.at("play"),
                          .point = play.at("point"),
                          .recommended = play.value("recommended", false),
                          .pair = play.value("pair", PlayId{0})});
    if (play.contains("values")) {
      step.plays.back().values = studies::read_values(play.at("values"));
    }
    if (play.contains("context")) {
      step.plays.back().context = studies::read_values(play.at("context"));
    }
  }
  return step;
}

/// An id that no other call has.
std::string new_id() {
  std::random_device device;
  std::string id;
  for (int k = 0; k < 4; ++k) id += (k > 0 ? "-" : "") + std::to_string(device());
  return id;
}

/// Appends a text so that it can stand in a path or a query, whatever it is.
void append_escaped(const std::string& text, std::string& path) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (plain.find(c) != std::string_view::npos) {
      path += c;
    } else {
      (path += '%').append(1, digits[byte / 16U]).append(1, digits[byte % 16U]);
    }
  }
}

/// The path of a study.
std::string path_of(const std::string& name) {
  std::string path = "/v1/studies/";
  append_escaped(name, path);
  return path;
}

/// The path of what is recommended in a context. What is NaN is not known.
std::string recommendation_path(const std::string& path, const Values& context) {
  std::string whole = path + "/recommendation";
  char sign = '?';
  const Json values = studies::values_json(context);
  for (const auto& [name, json] : values.items()) {
    const std::string text = json.is_string() ? json.get<std::string>() : studies::json_text(json);
    if (text == "null") continue;
    append_escaped(name, whole += std::exchange(sign, '&'));
    append_escaped(text, whole += '=');
  }
  return whole;
}

}  // namespace

/// A study and the connection to its service.
class [[gnu::visibility("hidden")]] RemoteStudy::Body {
 public:
  Body(const std::string& address, const ClientOptions& options, const std::string& name)
      : calls_(address, options), path_(path_of(name)) {}

  Calls& calls() { return calls_; }
  [[nodiscard]] const std::string& path() const { return path_; }

  StudyStep step(const std::vector<StudyTell>& tells, std::size_t asks, const std::string& worker,
                 const Values& context = {}) {
    Json body = {{"asks", asks}};
    if (!context.empty()) body["context"] = studies::values_json(context);
    if (!worker.empty() && asks > 0) body["worker"] = worker;
    body["tells"] = Json::array();
    for (const StudyTell& tell : tells) {
      Json& told = body["tells"].emplace_back(Json{{"play", tell.id}});
      if (tell.loss) told["loss"] = *tell.loss;
      if (tell.count != 1) told["count"] = tell.count;
      if (!tell.metrics.empty()) told["metrics"] = studies::values_json(tell.metrics);
      if (tell.extra) told["extra"] = true;
    }
    const bool tells_only = asks == 0;
    const bool again = tells_only || (!worker.empty() && tells.empty());
    const std::string text = studies::json_text(body);
    client::Patience patience = calls_.patience();
    while (true) {
      const auto reply = calls_.made("POST", path_ + "/steps", text, patience, again);
      if (reply && reply->status != 503) {
        StudyStep step = client::read_answer(reply->body, read_step);
        if (step.plays.size() == asks && step.receipts.size() == tells.size()) return step;
        throw ServiceError("the service answers a step with less or more than was asked");
      }
      if (worker.empty()) {
        if (reply) calls_.give_up(reply);
        throw ServiceError("the answer to an ask was lost: a worker with a name could ask again");
      }
      if (is_any_pending(tells)) {  // then it was not done
        if (!patience.waits()) calls_.give_up(reply);
        continue;
      }
      StudyStep now = step({}, 1, worker, context);
      for (const StudyTell& tell : tells) {
        now.receipts.push_back(fate(tell.id) == "told" ? Receipt::fresh : Receipt::expired);
      }
      return now;
    }
  }

 private:
  /// "pending", "told" or "expired".
  std::string fate(PlayId id) {
    return calls_.got(path_ + "/plays/" + std::to_string(id),
                      [](const Json& json) { return json.at("is").get<std::string>(); });
  }
  bool is_any_pending(const std::vector<StudyTell>& tells) {
    return std::any_of(tells.begin(), tells.end(),
                       [&](const StudyTell& tell) { return fate(tell.id) == "pending"; });
  }

  Calls calls_;
  std::string path_;
};

RemoteStudy::RemoteStudy(std::unique_ptr<Body> body) : body_(std::move(body)) {}
RemoteStudy::RemoteStudy(RemoteStudy&&) noexcept = default;
RemoteStudy& RemoteStudy::operator=(RemoteStudy&&) noexcept = default;
RemoteStudy::~RemoteStudy() = default;

StudyPlay RemoteStudy::ask(const std::string& worker, const Values& context) {
  return body_->step({}, 1, worker, context).plays.front();
}
std::vector<StudyPlay> RemoteStudy::ask_many(std::size_t count, const Values& context) {
  return body_->step({}, count, "", context).plays;
}
Receipt RemoteStudy::tell(PlayId id, double loss, double count) {
  return body_->step({{id, loss, count}}, 0, "").receipts.front();
}
Receipt RemoteStudy::tell(PlayId id, double loss, const Values& metrics, double count) {
  return body_->step({{id, loss, count, metrics}}, 0, "").receipts.front();
}
void RemoteStudy::measure(PlayId id, const Values& metrics) {
  (void)body_->step({{.id = id, .metrics = metrics}}, 0, "");
}
StudyStep RemoteStudy::step(const std::vector<StudyTell>& tells, std::size_t asks,
                            const std::string& worker, const Values& context) {
  return body_->step(tells, asks, worker, context);
}

PastReceipt RemoteStudy::learn(const std::vector<StudyPast>& past, Outside outside,
                               const std::string& id) {
  constexpr const char* words[] = {"refuse", "project", "skip"};
  Json body = {{"outside", words[static_cast<int>(outside)]},
               {"id", id.empty() ? new_id() : id},
               {"losses", Json::array()}};
  for (const StudyPast& one : past) {
    Json json = {{"count", one.count}};
    if (!std::isnan(one.loss)) json["loss"] = one.loss;
    if (one.values.empty()) {
      json["point"] = one.point;
    } else {
      json["values"] = studies::values_json(one.values);
    }
    if (!one.context.empty()) json["context"] = studies::values_json(one.context);
    if (!one.metrics.empty()) json["metrics"] = studies::values_json(one.metrics);
    body["losses"].push_back(std::move(json));
  }
  const std::string answer =
      body_->calls().text("POST", body_->path() + "/past", studies::json_text(body));
  return client::read_answer(answer, [](const Json& json) {
    return PastReceipt{json.at("learned"), json.at("projected"), json.at("skipped")};
  });
}

void RemoteStudy::learn(const Values& values, double loss, double count) {
  learn({{.values = values, .loss = loss, .count = count}});
}

void RemoteStudy::learn(const std::vector<double>& point, double loss, double count) {
  learn({{.point = point, .loss = loss, .count = count}});
}

std::uint64_t RemoteStudy::past() {
  return body_->calls().got(body_->path(),
                            [](const Json& json) { return json.at("past").get<std::uint64_t>(); });
}

void RemoteStudy::explore(bool on) {
  const Json body = {{"paused", !on}};
  (void)body_->calls().text("PUT", body_->path() + "/paused", studies::json_text(body));
}

void RemoteStudy::prove(double share) {
  const Json body = {{"share", share}};
  (void)body_->calls().text("POST", body_->path() + "/proof", studies::json_text(body));
}

Proof RemoteStudy::proof() {
  return body_->calls().got(body_->path(), [](const Json& json) {
    Proof proof;
    if (!json.contains("proof")) return proof;
    const Json& said = json["proof"];
    said.at("share").get_to(proof.share);
    proof.gain = said.value("gain", proof.gain);
    proof.error = said.value("error", proof.error);
    proof.proven = said.value("proven", proof.proven);
    proof.worse = said.value("worse", proof.worse);
    return proof;
  });
}

bool RemoteStudy::explores() {
  return body_->calls().got(body_->path(),
                            [](const Json& json) { return !json.at("paused").get<bool>(); });
}

std::vector<double> RemoteStudy::recommend(const Values& context) {
  const std::string path = recommendation_path(body_->path(), context);
  return body_->calls().got(
      path, [](const Json& json) { return json.at("point").get<std::vector<double>>(); });
}

Values RemoteStudy::recommend_values(const Values& context) {
  const std::string path = recommendation_path(body_->path(), context);
  return body_->calls().got(path, [](const Json& json) {
    return json.contains("values") ? studies::read_values(json["values"]) : Values();
  });
}

std::vector<FrontPoint> RemoteStudy::front(const std::string& metric) {
  std::string path = body_->path() + "/front";
  if (!metric.empty()) append_escaped(metric, path += "?metric=");
  return body_->calls().got(path, [](const Json& json) {
    std::vector<FrontPoint> front;
    for (const Json& at : json.at("front")) {
      const std::string word = at.contains("gain") ? "gain" : "loss";
      front.push_back({.point = at.at("point"),
                       .loss = at.at(word),
                       .loss_error = at.at(word + "_error"),
                       .metric = at.at("metric"),
                       .metric_error = at.at("metric_error")});
    }
    return front;
  });
}

std::vector<Estimate> RemoteStudy::estimate(const std::vector<std::vector<double>>& points,
                                            const Values& context) {
  Json body = {{"points", Json::array()}};
  for (const std::vector<double>& point : points) body["points"].push_back({{"point", point}});
  if (!context.empty()) body["context"] = studies::values_json(context);
  const std::string answer =
      body_->calls().text("POST", body_->path() + "/estimates", studies::json_text(body));
  return client::read_answer(answer, [](const Json& json) {
    std::vector<Estimate> estimates;
    for (const Json& at : json.at("estimates")) {
      Estimate& one = estimates.emplace_back();
      if (at.empty()) continue;
      const std::string word = at.contains("gain") ? "gain" : "loss";
      one = {at.at(word), at.at(word + "_error"), at.at("excess"), at.at("excess_error")};
    }
    return estimates;
  });
}

Summary RemoteStudy::summary() {
  return body_->calls().got(body_->path(), [](const Json& json) {
    Summary summary;
    json.at("asked").get_to(summary.asked);
    json.at("told").get_to(summary.told);
    json.at("pending").get_to(summary.pending);
    json.at("oldest_pending").get_to(summary.oldest_pending);
    json.at("missing").get_to(summary.missing);
    json.at("repeated").get_to(summary.duplicates);
    json.at("expired").get_to(summary.expired);
    json.at("late").get_to(summary.late);
    if (json.contains("mean_loss")) json.at("mean_loss").get_to(summary.average);
    return summary;
  });
}

State RemoteStudy::state() {
  const std::string bytes = body_->calls().text("GET", body_->path() + "/state");
  return State::from_bytes(std::as_bytes(std::span(bytes)));
}

Client::Client(std::string address, ClientOptions options)
    : address_(std::move(address)), options_(std::move(options)) {
  (void)client::HttpClient(address_, options_);  // throws if it is no address
}

RemoteStudy Client::create(const std::string& name, const StudyDescription& description) const {
  Json body = {{"name", name}};
  body.update(studies::description_json(description));
  (void)Calls(address_, options_).text("POST", "/v1/studies", studies::json_text(body));
  return RemoteStudy(std::make_unique<RemoteStudy::Body>(address_, options_, name));
}

RemoteStudy Client::open(const std::string& name) const {
  auto body = std::make_unique<RemoteStudy::Body>(address_, options_, name);
  (void)body->calls().text("GET", body->path());
  return RemoteStudy(std::move(body));
}

std::vector<std::string> Client::list() const {
  std::vector<std::string> names;
  for (LabelledStudy& study : find({.most = SIZE_MAX})) names.push_back(std::move(study.name));
  return names;
}

StudyLabel Client::label(const std::string& name) const {
  return Calls(address_, options_).got(path_of(name), read_label);
}

void Client::set_label(const std::string& name, const StudyLabel& label) const {
  (void)Calls(address_, options_)
      .text("PUT", path_of(name) + "/label", studies::json_text(studies::label_json(label)));
}

std::vector<LabelledStudy> Client::find(const StudySearch& search) const {
  constexpr std::size_t longest = 1000;  // a page
  Calls calls(address_, options_);
  std::vector<LabelledStudy> found;
  std::string after = search.after;
  for (bool is_last = false; !is_last && found.size() < search.most;) {
    const std::size_t limit = std::min(search.most - found.size(), longest);
    std::string path = "/v1/studies?limit=" + std::to_string(limit);
    append_escaped(search.text, path += "&search=");
    append_escaped(search.tag, path += "&tag=");
    append_escaped(search.prefix, path += "&prefix=");
    append_escaped(after, path += "&after=");
    calls.got(path, [&](const Json& page) {
      for (const Json& study : page.at("studies")) {
        found.push_back({study.at("name"), read_label(study)});
      }
      is_last = !page.contains("next");
      after = page.value("next", "");
    });
  }
  return found;
}

StudyChange Client::change(const std::string& name, const Space& space, const Values& start) const {
  Json body = {{"space", studies::space_json(space)}};
  if (!start.empty()) body["start"] = studies::values_json(start);
  const std::string answer =
      Calls(address_, options_).text("POST", path_of(name) + "/change", studies::json_text(body));
  return client::read_answer(answer, [](const Json& json) {
    return StudyChange{json.at("after"), json.at("learned"), json.at("dropped")};
  });
}

Renewal Client::renew(const std::string& name, bool dry_run) const {
  const std::string body = studies::json_text({{"dry_run", dry_run}});
  return client::read_answer(
      Calls(address_, options_).text("POST", path_of(name) + "/renewal", body), read_renewal);
}

void Client::copy(const Store& from, const std::string& name) const {
  constexpr std::uint64_t most = 1U << 19U;  // bytes at a time, but for a frame that is longer
  const studies::Transfer::Log log = studies::Transfer::log_of(from, name);
  Calls calls(address_, options_);
  std::uint64_t begin = 0;
  for (std::size_t k = 0; k < log.ends.size(); ++k) {
    const bool is_last = k + 1 == log.ends.size();
    if (!is_last && log.ends[k + 1] - begin <= most) continue;
    (void)calls.text("PUT", path_of(name) + "/copy?from=" + std::to_string(begin),
                     log.bytes.substr(begin, log.ends[k] - begin));
    begin = log.ends[k];
  }
  if (const StudyLabel label = from.label(name); label != StudyLabel{}) set_label(name, label);
  (void)open(name);  // it can be played here
}

void Client::remove(const std::string& name) const {
  (void)Calls(address_, options_).text("DELETE", path_of(name));
}

void Client::undelete(const std::string& name) const {
  (void)Calls(address_, options_).text("POST", path_of(name) + "/undelete");
}

}  // namespace keyhole
