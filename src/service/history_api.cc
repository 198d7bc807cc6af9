// What a study has seen: plays, the front of a metric, log, state, report.

#include <algorithm>
#include <deque>
#include <map>

#include "base/number_text.h"
#include "service/handlers.h"
#include "service/json_body.h"
#include "service/live/samples.h"
#include "service/query.h"
#include "service/with_study.h"
#include "studies/json/front.h"
#include "studies/json/study_json.h"

namespace keyhole::service {
namespace {

std::string fate_text(PlayFate fate) {
  constexpr const char* words[] = {"pending", "told", "expired"};
  return words[static_cast<int>(fate)];
}

/// The first of what may be many; a log has plays of any dimension.
template <class All>
All first_of(const All& all) {
  const std::size_t most = std::min(all.size(), Samples::coordinates);
  return All(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most));
}

/// The plays of a log that were told last, and of those on its space the ones with the best losses.
class ToldPlays {
 public:
  ToldPlays(const Study& study, Memory& memory, std::size_t best, std::size_t latest)
      : maximize_(study.description().options.maximize),
        window_(study.description().options.expiry.value_or(study.description().options.window)),
        of_a_play_(bytes_of_play(study, Samples::coordinates)),
        most_best_(best),
        most_latest_(latest),
        memory_(memory) {}

  void take(const StudyRecord& record) {
    if (record.changed || record.renewed) waiting_.clear();
    if (record.changed) best_.clear();
    for (std::size_t k = 0; k < record.tells.size(); ++k) {
      const StudyTell& told = record.tells[k];
      const auto play = waiting_.find(told.id);
      if (!told.loss || play == waiting_.end()) continue;
      if (record.gave.receipts[k] == Receipt::expired) continue;
      tell(std::move(play->second), told);
      waiting_.erase(play);
    }
    for (const StudyPlay& play : record.gave.plays) wait_for(play);
  }

  [[nodiscard]] Json json() const { return {{"best", rows(best_)}, {"latest", rows(latest_)}}; }

 private:
  struct Told {
    StudyPlay play;
    StudyTell tell;
  };

  void wait_for(const StudyPlay& play) {
    constexpr std::size_t some = 64;
    if (waiting_.size() == some * taken_.size()) taken_.push_back(memory_.take(some * of_a_play_));
    waiting_.emplace(play.id, StudyPlay{.id = play.id,
                                        .point = first_of(play.point),
                                        .values = first_of(play.values),
                                        .recommended = play.recommended,
                                        .pair = play.pair,
                                        .context = first_of(play.context)});
    // Those before can be told no more.
    while (waiting_.begin()->first + window_ <= play.id) waiting_.erase(waiting_.begin());
  }

  void tell(StudyPlay play, StudyTell tell) {
    tell.metrics = first_of(tell.metrics);
    latest_.push_front({std::move(play), std::move(tell)});
    const auto better = [&](const Told& a, const Told& b) {
      return maximize_ ? *a.tell.loss > *b.tell.loss : *a.tell.loss < *b.tell.loss;
    };
    best_.insert(std::upper_bound(best_.begin(), best_.end(), latest_.front(), better),
                 latest_.front());
    if (best_.size() > most_best_) best_.pop_back();
    if (latest_.size() > most_latest_) latest_.pop_back();
  }

  static Json rows(const std::deque<Told>& told) {
    Json rows = Json::array();
    for (const Told& each : told) {
      Json row = studies::play_json(each.play);
      row["loss"] = *each.tell.loss;
      if (!each.tell.metrics.empty()) row["metrics"] = studies::values_json(each.tell.metrics);
      rows.push_back(std::move(row));
    }
    return rows;
  }

  bool maximize_;
  std::uint64_t window_;
  std::size_t of_a_play_;
  std::size_t most_best_;
  std::size_t most_latest_;
  Memory& memory_;
  std::vector<std::shared_ptr<void>> taken_;
  std::map<PlayId, StudyPlay> waiting_;
  std::deque<Told> best_;
  std::deque<Told> latest_;
};

/// Ends a replay when the client has left.
struct ClientLeft {};

}  // namespace

Response list_plays(const Call& call) {
  constexpr std::uint64_t most = 100;
  const Query query(call.request.query, {"best", "latest"});
  const std::uint64_t best = query.whole("best", 5, 0, most);
  const std::uint64_t latest = query.whole("latest", 20, 0, most);
  OpenStudies& studies = call.service.studies();
  ToldPlays plays(*studies.open(call.tenant, call.name), call.service.memory(), best, latest);
  studies.store(call.tenant)
      .replay(
          call.name, [&](const StudyRecord& record) { plays.take(record); }, {}, Replay::facts);
  return {.body = studies::json_text(plays.json()) + "\n"};
}

Response show_front(const Call& call) {
  const Query query(call.request.query, {"metric"});
  const Store& store = call.service.studies().store(call.tenant);
  return with_study(call, [&](Study& study) {
    const studies::Front front = studies::front_of(store, call.name, study, query.text("metric"));
    return Response{.body = studies::json_text(studies::front_json(front, study)) + "\n"};
  });
}

Response show_play(const Call& call) {
  const auto id = base::read_whole_number(call.play);
  if (!id) {
    throw Problem(404, ErrorCode::unknown_play,
                  "a play has a whole number, as /v1/studies/NAME/plays/12");
  }
  return with_study(call, [&](Study& study) {
    const StudyPlayRecord record = study.play(*id);
    Json json = {{"play", *id}, {"is", fate_text(record.fate)}};
    if (record.loss) json["loss"] = *record.loss;
    if (!record.worker.empty()) json["worker"] = record.worker;
    if (!record.play.point.empty()) json.update(studies::play_json(record.play));
    return Response{.body = studies::json_text(json) + "\n"};
  });
}

Response log(const Call& call) {
  constexpr std::size_t part = 1U << 16U;  // bytes that are written at a time
  const Query query(call.request.query, {"after"});
  const std::uint64_t after = query.whole("after", 0, 0, UINT64_MAX);
  OpenStudies& studies = call.service.studies();
  (void)studies.open(call.tenant, call.name);
  const auto stream = [&store = studies.store(call.tenant), name = call.name,
                       after](const Write& write) {
    std::string lines;
    const auto flush = [&] {
      if (!write(std::exchange(lines, {}))) throw ClientLeft();
    };
    std::uint64_t number = 0;
    try {
      store.replay(name, [&](const StudyRecord& record) {
        if (++number <= after) return;
        lines += studies::json_text(studies::record_json(number, record)) + "\n";
        if (lines.size() >= part) flush();
      });
      flush();
    } catch (const ClientLeft&) {
    }
  };
  return {.type = "application/x-ndjson",
          .stream = stream,
          .memory = call.service.readers().take(call.tenant)};
}

Response state(const Call& call) {
  return with_study(call, [](Study& study) {
    const State state = study.state();
    const auto bytes = state.bytes();
    return Response{.type = "application/octet-stream",
                    .body = std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
  });
}

Response report(const Call& call) {
  const auto& make = call.service.options().report;
  OpenStudies& studies = call.service.studies();
  return with_study(call, [&](Study&) {
    if (!make) throw Problem(404, "unknown_path", "this service makes no reports");
    // Its scripts are in it, which the policy of what is shown here forbids; so it is a file.
    return Response{
        .type = "text/html; charset=utf-8",
        .body = make(studies.store(call.tenant), call.name),
        .headers = {{"Content-Disposition", "attachment; filename=\"" + call.name + ".html\""}}};
  });
}

}  // namespace keyhole::service
