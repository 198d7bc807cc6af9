// Asks and tells, and what is deployed.

#include <algorithm>
#include <limits>

#include "service/handlers.h"
#include "service/json_body.h"
#include "service/query.h"
#include "service/with_study.h"
#include "studies/json/study_json.h"
#include "studies/study/inside.h"
#include "studies/study/past_points.h"

namespace keyhole::service {
namespace {

[[noreturn]] void refuse_many(const std::string& verb, std::size_t most, const std::string& what,
                              std::uint64_t given) {
  bad_request("a call may " + verb + " " + std::to_string(most) + " " + what + " at most, not " +
              std::to_string(given) +
              ": make several calls, or ask whoever runs the service to raise --max-plays");
}

std::size_t read_asks(const Call& call, const Json& json, const char* key,
                      std::uint64_t otherwise) {
  const std::size_t most = call.service.options().plays;
  const auto found = json.find(key);
  if (found != json.end() && found->is_number_unsigned() && found->get<std::uint64_t>() > most) {
    refuse_many("ask for", most, "plays", found->get<std::uint64_t>());
  }
  return whole(json, key, otherwise, 0, most);
}

std::string read_worker(const Json& json, std::size_t asks) {
  std::string worker = text(json, "worker", "");
  if (!worker.empty() && asks > 1) {
    bad_request("a worker has one play at a time: leave 'worker' out, or ask for one play");
  }
  return worker;
}

/// The list of that name, read one by one; `likewise` is an example.
template <class One>
std::vector<One> read_list(const Call& call, const Json& json, const std::string& key,
                           const std::string& likewise, One (*read)(const Json& one)) {
  const auto found = json.find(key);
  if (found == json.end()) return {};
  if (!found->is_array()) bad_request("'" + key + "' must be a list, as " + likewise);
  const std::size_t most = call.service.options().plays;
  if (found->size() > most) {
    refuse_many("have", most, key, found->size());
  }
  std::vector<One> list;
  for (const Json& one : *found) {
    const auto place = [&] { return key + "[" + std::to_string(list.size()) + "]: "; };
    try {
      list.push_back(read(one));
    } catch (const Problem& problem) {
      bad_request(place() + problem.what());
    } catch (const FeedbackError& error) {
      bad_request(place() + error.what());
    }
  }
  return list;
}

Values read_metrics(const Json& tell) {
  const auto found = tell.find("metrics");
  if (found == tell.end()) return {};
  try {
    if (found->is_object()) return studies::read_values(*found);
  } catch (const Json::exception&) {  // it is no object of numbers either
  }
  bad_request(R"('metrics' must be an object of numbers, as {"p99": 183})");
}

/// A tell without a loss has metrics.
StudyTell read_tell(const Json& tell) {
  require_keys(tell, {"play", "loss", "count", "error", "metrics", "extra"}, "a tell");
  if (!tell.contains("play")) bad_request("'play' is missing");
  StudyTell read{.id = whole(tell, "play", 0, 0, UINT64_MAX),
                 .count = count(tell),
                 .metrics = read_metrics(tell),
                 .extra = flag(tell, "extra", false)};
  if (tell.contains("loss") || read.metrics.empty()) read.loss = number(tell, "loss");
  return read;
}

std::vector<StudyTell> read_tells(const Call& call, const Json& json) {
  return read_list(call, json, "tells", R"([{"play": 1, "loss": 0.5}])", read_tell);
}

/// Reads the values or the point that an object has.
void read_place(const Json& json, StudyPast& place) {
  if (json.contains("values") == json.contains("point")) {
    bad_request("give 'values' by name or a 'point'");
  }
  try {
    if (json.contains("values")) place.values = studies::read_values(json.at("values"));
    if (json.contains("point")) place.point = json.at("point").get<std::vector<double>>();
  } catch (const Json::exception&) {
    bad_request(R"('values' must be an object, as {"timeout": 50}, and 'point' a list of numbers)");
  }
}

StudyPast read_past(const Json& past) {
  require_keys(past, {"values", "point", "loss", "count", "error", "context", "metrics"},
               "a loss of the past");
  StudyPast read{.loss = std::numeric_limits<double>::quiet_NaN(),
                 .count = count(past),
                 .context = context(past),
                 .metrics = read_metrics(past)};
  read_place(past, read);
  if (past.contains("loss") || read.metrics.empty()) read.loss = number(past, "loss");
  return read;
}

StudyPast read_point(const Json& json) {
  require_keys(json, {"values", "point"}, "a point");
  StudyPast read;
  read_place(json, read);
  return read;
}

Outside read_outside(const Json& json) {
  const std::string word = text(json, "outside", "refuse");
  if (word == "refuse") return Outside::refuse;
  if (word == "project") return Outside::project;
  if (word == "skip") return Outside::skip;
  bad_request("'outside' must be 'refuse', 'project' or 'skip', not '" + word + "'");
}

/// "receipts":["fresh"].
void append_receipts(const StudyStep& step, std::string& text) {
  text += R"("receipts":[)";
  for (const Receipt receipt : step.receipts) {
    if (text.back() != '[') text += ',';
    text += '"' + studies::receipt_text(receipt) + '"';
  }
  text += ']';
}

/// "plays":[{"play":1,"point":[0.5,0.5]}].
void append_plays(const StudyStep& step, std::string& text) {
  constexpr std::size_t of_a_number = 24;
  if (!step.plays.empty()) {
    text.reserve(text.size() + step.plays.size() * (step.plays[0].point.size() + 2) * of_a_number);
  }
  text += R"("plays":[)";
  for (const StudyPlay& play : step.plays) {
    if (text.back() != '[') text += ',';
    studies::append_play(play, text);
  }
  text += ']';
}

/// Memory for plays and the answer that has them. Throws Problem if they are too long.
std::shared_ptr<void> take_memory(const Call& call, const Study& study, std::size_t asks) {
  const std::size_t of_a_play = bytes_of_play(study);
  const std::size_t most = call.service.options().answer;
  if (asks > 1 && asks * of_a_play > most) {
    throw Problem(413, "too_large",
                  std::to_string(asks) + " plays of " + std::to_string(study.set().dimension()) +
                      " coordinates may take " + std::to_string(asks * of_a_play) +
                      " bytes, and an answer has at most " + std::to_string(most) +
                      ": ask for at most " +
                      std::to_string(std::max<std::size_t>(1, most / of_a_play)) +
                      ", or ask whoever runs the service to raise --max-answer");
  }
  return call.service.memory().take(asks * of_a_play);
}

/// A step, what must be safe before it is answered, and the memory of its answer.
struct Made {
  StudyStep step = {};
  Unsettled unsettled = {};
  std::shared_ptr<void> memory = {};

  /// The answer with that body.
  Response response(std::string body) && {
    return {
        .body = std::move(body), .memory = std::move(memory), .unsettled = std::move(unsettled)};
  }
};

Made make_step(const Call& call, const std::vector<StudyTell>& tells, std::size_t asks,
               const std::string& worker, const Values& context) {
  Made made;
  StudyStep& step = made.step;
  std::uint64_t end = 0;
  const auto open = with_study(call, [&](Study& study) {
    made.memory = take_memory(call, study, asks);
    try {
      step = studies::Inside::append(study, tells, asks, worker, end, context);
    } catch (const FeedbackError& error) {
      if (error.code() == ErrorCode::contradiction) {
        call.service.metrics().contradicted();
        call.service.watch().contradicted(call.tenant, call.name, study, millis_now());
      }
      throw;
    }
  });
  call.service.metrics().asked(step.plays.size());
  call.service.metrics().told(step.receipts);
  try {
    call.service.watch().stepped(call.tenant, call.name, *open, tells, step, worker, millis_now());
  } catch (const Error&) {  // what is shown of a step does not undo it
  }
  // It may have been closed meanwhile, and its samples with it.
  if (!call.service.studies().is_open(call.tenant, call.name)) {
    call.service.watch().forget(call.tenant, call.name);
  }
  if (call.service.options().store.durability == Durability::disk) {
    made.unsettled = {open, call.name, end};
  } else {
    studies::Inside::harden(*open, end);  // which waits for nothing
  }
  return made;
}

}  // namespace

std::size_t bytes_of_play(const Study& study, std::size_t most) {
  // A coordinate as text and as a number; where there are names, its value by name as well.
  const bool has_names = std::holds_alternative<Space>(study.description().on);
  return (std::min(study.set().dimension(), most) + 4) * (has_names ? 96 : 32);
}

Response ask(const Call& call) {
  const Json json = read_object(call.request.body, {"count", "worker", "context"});
  const std::size_t count = read_asks(call, json, "count", 1);
  Made made = make_step(call, {}, count, read_worker(json, count), context(json));
  std::string body = "{";
  append_plays(made.step, body);
  return std::move(made).response(std::move(body) + "}\n");
}

Response tell(const Call& call) {
  const Json json = read_object(call.request.body, {"tells"});
  Made made = make_step(call, read_tells(call, json), 0, "", {});
  std::string body = "{";
  append_receipts(made.step, body);
  return std::move(made).response(std::move(body) + "}\n");
}

Response step(const Call& call) {
  const Json json = read_object(call.request.body, {"tells", "asks", "worker", "context"});
  const std::size_t asks = read_asks(call, json, "asks", 1);
  Made made = make_step(call, read_tells(call, json), asks, read_worker(json, asks), context(json));
  std::string body = "{";
  append_receipts(made.step, body);
  body += ',';
  append_plays(made.step, body);
  return std::move(made).response(std::move(body) + "}\n");
}

Response learn_past(const Call& call) {
  const Json json = read_object(call.request.body, {"losses", "outside", "id"});
  const std::vector<StudyPast> past =
      read_list(call, json, "losses", R"([{"values": {"timeout": 50}, "loss": 0.5}])", read_past);
  const Outside outside = read_outside(json);
  const std::string id = text(json, "id", "");
  return with_study(call, [&](Study& study) {
    const PastReceipt receipt = study.learn(past, outside, id);
    call.service.watch().changed(call.tenant, call.name, study, millis_now());
    const Json answer = {{"learned", receipt.learned},
                         {"projected", receipt.projected},
                         {"skipped", receipt.skipped}};
    return Response{.body = studies::json_text(answer) + "\n"};
  });
}

Response estimate(const Call& call) {
  const Json json = read_object(call.request.body, {"points", "context"});
  const std::vector<StudyPast> places =
      read_list(call, json, "points", R"([{"values": {"timeout": 50}}])", read_point);
  const Values known = context(json);
  return with_study(call, [&](Study& study) {
    studies::PastPoints read(study.description(), study.set());
    for (const StudyPast& place : places) read.add(place, Outside::refuse);
    std::vector<std::vector<double>> points;
    for (const auto& place : read.get().losses) points.push_back(place.point);
    Json estimates = Json::array();
    for (const Estimate& one : study.estimate(points, known)) {
      estimates.push_back(studies::estimate_json(one, study.description().options.maximize));
    }
    return Response{.body = studies::json_text({{"estimates", std::move(estimates)}}) + "\n"};
  });
}

Response pause(const Call& call) {
  return with_study(call, [&](Study& study) {
    const Json json = read_object(call.request.body, {"paused"});
    if (!json.contains("paused")) bad_request(R"('paused' is missing, as {"paused": true})");
    const bool paused = flag(json, "paused", false);
    study.explore(!paused);
    call.service.watch().changed(call.tenant, call.name, study, millis_now());
    return Response{.body = studies::json_text({{"paused", paused}}) + "\n"};
  });
}

Response prove(const Call& call) {
  return with_study(call, [&](Study& study) {
    const Json json = read_object(call.request.body, {"share"});
    constexpr double usual = 0.1;
    study.prove(json.contains("share") ? number(json, "share") : usual);
    call.service.watch().changed(call.tenant, call.name, study, millis_now());
    return Response{.body = studies::json_text(studies::proof_json(study.status().proof)) + "\n"};
  });
}

Response recommend(const Call& call) {
  return with_study(call, [&](Study& study) {
    Values context;
    for (const auto& pair : query_pairs(call.request.query)) {
      context.emplace_back(pair.first, studies::context_value(study, pair.first, pair.second));
    }
    const std::vector<double> point = study.recommend(context);
    Json json = studies::values_and_point(studies::likeliest(study, point), point);
    json["asked"] = study.summary().asked;
    if (!context.empty()) json["context"] = studies::values_json(context);
    const Proof proof = study.status().proof;
    if (proof.share > 0) json["proof"] = studies::proof_json(proof);
    return Response{.body = studies::json_text(json) + "\n"};
  });
}

}  // namespace keyhole::service
