// Studies: create, list, show, copy, delete, renew, change.

#include <algorithm>

#include "service/description.h"
#include "service/handlers.h"
#include "service/json_body.h"
#include "service/live/live_json.h"
#include "service/query.h"
#include "service/with_study.h"
#include "studies/image/description_text.h"
#include "studies/json/study_json.h"
#include "studies/name.h"
#include "studies/study/transfer.h"

namespace keyhole::service {
namespace {

using studies::json_text;

Json study_json(const Call& call, const std::string& name, Study& study) {
  Json json = {{"name", name}};
  json.update(studies::label_json(call.service.studies().store(call.tenant).label(name)));
  json.update(studies::description_json(study.description()));
  json["dimension"] = study.set().dimension();
  if (study.needs_renewal()) json["needs_renewal"] = true;
  json["paused"] = !study.explores();
  json["past"] = study.past();
  const double keep = call.service.options().keep_deleted;
  if (keep > 0) json["kept_if_deleted"] = keep;
  if (const auto changed = study.changed()) json["changed"] = studies::change_json(*changed);
  if (!studies::contexts_of(study).empty()) json["clipped"] = study.clipped();
  json.update(studies::status_json(study));
  const StudyPosition position = study.position();
  json["log_bytes"] = position.bytes;
  json["durable_bytes"] = position.durable;
  return json;
}

/// Throws Problem if the tenant may have no more studies.
void require_quota(const Call& call) {
  const std::size_t most = call.service.options().studies;
  const std::size_t count = call.service.studies().count(call.tenant, most);
  if (count >= most) {
    throw Problem(
        429, "quota",
        "there are " + std::to_string(count) +
            " studies, and there may be no more: delete one first, or ask whoever runs the "
            "service to raise --max-studies");
  }
}

/// Makes a study unless there is one of that name; whether it did.
bool make_study(const Call& call, const std::string& name, const StudyDescription& description) {
  const Store& store = call.service.studies().store(call.tenant);
  if (!store.identity(name).empty()) return false;
  require_quota(call);
  const bool made = store.add(name, description);
  if (made) call.service.studies().made(call.tenant);
  return made;
}

/// A study of the list, and what it does if that is known without opening it.
Json list_entry(const Call& call, const LabelledStudy& study) {
  Json entry = {{"name", study.name}};
  entry.update(studies::label_json(study.label));
  const Millis now = millis_now();
  call.service.watch().glance(call.tenant, study.name, now, [&](const Samples& samples) {
    entry["live"] = glance_json(samples, now);
  });
  return entry;
}

/// The store of a study that may not be open. Throws Problem for what is no name of one.
const Store& store_of(const Call& call) {
  if (!studies::is_name(call.name)) {
    throw Problem(404, ErrorCode::unknown_study,
                  "there is no such study: GET /v1/studies lists them");
  }
  return call.service.studies().store(call.tenant);
}

}  // namespace

Response create_study(const Call& call) {
  const Json json = read_object(call.request.body, description_keys());
  const std::string name = text(json, "name", "");
  if (!studies::is_name(name)) {
    bad_request(
        "'name' must be up to 100 letters, digits, '-', '_' and '.', and begin with a letter, a "
        "digit or '_'");
  }
  require_for(call.grant, name);
  const ServiceOptions& options = call.service.options();
  const StudyDescription description =
      read_description(json, call.service.modest_catalogue(), options.dimension);
  call.service.studies().require_room();
  constexpr int most_tries = 100;
  bool made = false;
  for (int tries = 1;; ++tries) {
    made = make_study(call, name, description) || made;
    try {
      const auto study = call.service.studies().open(call.tenant, name);
      const Json shown = study_json(call, name, *study);  // it notices if another has its place
      studies::require_same(name, study->description(), description);
      return {.status = made ? 201 : 200,
              .body = json_text(shown) + "\n",
              .headers = {{"Location", "/v1/studies/" + name}},
              .study = name};
    } catch (const Problem& problem) {  // somebody has deleted it again
      if (problem.status() != 404 || tries == most_tries) throw;
    } catch (const StudyError& error) {  // it has gone, or another has its place
      const bool is_gone =
          error.code() == ErrorCode::unknown_study || error.code() == ErrorCode::replaced;
      if (!is_gone || tries == most_tries) throw;
      call.service.studies().close(call.tenant, name);
    }
  }
}

Response list_studies(const Call& call) {
  constexpr std::uint64_t most = 1000;
  const Query query(call.request.query, {"after", "limit", "prefix", "search", "tag"});
  const std::uint64_t limit = query.whole("limit", 100, 1, most);
  const std::string prefix = query.text("prefix");
  const std::string& granted = call.grant.prefix;
  if (!prefix.starts_with(granted) && !granted.starts_with(prefix)) {
    return {.body = json_text({{"studies", Json::array()}}) + "\n"};  // none of these may be seen
  }
  // One more than the page has says whether there is another page.
  std::vector<LabelledStudy> found = call.service.studies()
                                         .store(call.tenant)
                                         .find({.text = query.text("search"),
                                                .tag = query.text("tag"),
                                                .prefix = std::max(prefix, granted),
                                                .after = query.text("after"),
                                                .most = limit + 1});
  const bool is_last = found.size() <= limit;
  if (!is_last) found.pop_back();
  Json listed = Json::array();
  for (const LabelledStudy& study : found) listed.push_back(list_entry(call, study));
  Json json = {{"studies", listed}};
  if (!is_last) json["next"] = found.back().name;
  return {.body = json_text(json) + "\n"};
}

Response show_study(const Call& call) {
  return with_study(call, [&](Study& study) {
    Json json = study_json(call, call.name, study);
    call.service.watch().glance(call.tenant, call.name, millis_now(), [&](const Samples& samples) {
      const auto& bounds = samples.looked().bounds;
      if (!bounds.empty()) json["at_bound"] = studies::bounds_json(bounds);
    });
    return Response{.body = json_text(json) + "\n"};
  });
}

Response take_copy(const Call& call) {
  const Query query(call.request.query, {"from"});
  const std::uint64_t from = query.whole("from", 0, 0, UINT64_MAX);
  const Store& store = store_of(call);
  const bool is_there = !store.identity(call.name).empty();
  if (!is_there) require_quota(call);
  // The log as it is, and as it will be.
  const auto memory =
      call.service.memory().take(2 * (store.log_bytes(call.name) + call.request.body.size()));
  const auto look = [&](const studies::DescriptionRead& read) {
    const SetPtr set = studies::make_set_of(read.description, call.service.modest_catalogue(),
                                            read.making, Contents());
    require_dimension(*set, call.service.options().dimension);
  };
  const std::uint64_t bytes =
      studies::Transfer::take(store, call.name, from, call.request.body, look);
  call.service.studies().close(call.tenant, call.name);
  call.service.watch().forget(call.tenant, call.name);
  if (!is_there) call.service.studies().made(call.tenant);
  return {.status = is_there ? 200 : 201, .body = json_text({{"log_bytes", bytes}}) + "\n"};
}

Response label_study(const Call& call) {
  const Json json = read_object(call.request.body, {"note", "tags"});
  const Json tags = json.value("tags", Json::array());
  const bool is_list =
      tags.is_array() &&
      std::all_of(tags.begin(), tags.end(), [](const Json& tag) { return tag.is_string(); });
  if (!is_list) bad_request(R"('tags' must be a list of texts, as ["prod", "team:search"])");
  const Store& store = store_of(call);
  store.set_label(call.name, {.note = text(json, "note", ""), .tags = tags});
  return {.body = json_text(studies::label_json(store.label(call.name))) + "\n"};
}

Response delete_study(const Call& call) {
  OpenStudies& open = call.service.studies();
  (void)open.open(call.tenant, call.name);
  open.store(call.tenant).remove(call.name, call.service.options().keep_deleted);
  open.close(call.tenant, call.name);
  call.service.watch().forget(call.tenant, call.name);
  return {.status = 204, .type = ""};
}

Response undelete_study(const Call& call) {
  (void)read_object(call.request.body, {});
  const Store& store = store_of(call);
  const bool is_there = !store.identity(call.name).empty();
  if (!is_there) require_quota(call);
  store.undelete(call.name);
  if (!is_there) call.service.studies().made(call.tenant);
  return show_study(call);
}

Response list_deleted(const Call& call) {
  Json listed = Json::array();
  for (const auto& [name, until] : call.service.studies().store(call.tenant).deleted()) {
    if (!call.grant.is_for(name)) continue;
    listed.push_back({{"name", name}, {"until", time_text(Time(std::chrono::seconds(until)))}});
  }
  return {.body = json_text({{"studies", listed}}) + "\n"};
}

Response renew_study(const Call& call) {
  const bool dry_run = flag(read_object(call.request.body, {"dry_run"}), "dry_run", false);
  OpenStudies& open = call.service.studies();
  (void)open.open(call.tenant, call.name);
  const Renewal renewal = open.store(call.tenant).renew(call.name, dry_run);
  if (!dry_run) open.close(call.tenant, call.name);  // the next call opens it as it is now
  const Json json = {{"goes_on_with", studies::renewal_text(renewal)}};
  return {.body = studies::json_text(json) + "\n"};
}

Response change_study(const Call& call) {
  OpenStudies& open = call.service.studies();
  (void)open.open(call.tenant, call.name);
  const Json json = read_object(call.request.body, {"space", "start"});
  if (!json.contains("space")) bad_request("'space' is missing: the new one");
  const StudyDescription wanted =
      read_description(json, call.service.modest_catalogue(), call.service.options().dimension);
  const StudyChange change =
      open.store(call.tenant).change(call.name, std::get<Space>(wanted.on), wanted.start);
  open.close(call.tenant, call.name);
  return with_study(call, [&](Study& study) {
    call.service.watch().changed(call.tenant, call.name, study, millis_now());
    return Response{.body = json_text(studies::change_json(change)) + "\n"};
  });
}

}  // namespace keyhole::service
