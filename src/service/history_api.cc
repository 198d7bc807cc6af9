// What a study has seen: plays, log, state, report.

#include "base/number_text.h"
#include "service/handlers.h"
#include "service/json_body.h"
#include "service/query.h"
#include "service/with_study.h"
#include "studies/json/study_json.h"

namespace keyhole::service {
namespace {

std::string fate_text(PlayFate fate) {
  constexpr const char* words[] = {"pending", "told", "expired"};
  return words[static_cast<int>(fate)];
}

/// Ends a replay when the client has left.
struct ClientLeft {};

}  // namespace

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
  return {.type = "application/x-ndjson", .stream = stream};
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
