// What operators and their programs ask.

#include <filesystem>

#include "base/disk.h"
#include "service/assets.h"
#include "service/handlers.h"
#include "service/problem.h"
#include "service/service.h"
#include "studies/journals/place.h"
#include "studies/journals/store_disk.h"

namespace keyhole::service {
namespace {

/// Throws if nothing could be stored now.
void require_store(Service& service) {
  const std::string& store = service.options().folder;
  if (studies::names_database(store)) {
    (void)service.studies().store("").identity("readyz");
    return;
  }
  base::Disk& disk = studies::store_disk();
  const std::string file = store + "/.readyz";
  base::write_file(disk, file, "ready\n");
  (void)disk.remove(file);
}

}  // namespace

Response healthy(const Call& /*call*/) { return {.body = "{\"status\":\"ok\"}\n"}; }

Response ready(const Call& call) {
  if (call.service.draining()) {
    throw Problem(503, "ending", "the service is about to end: ask another one, or ask again");
  }
  require_store(call.service);
  return {.body = "{\"status\":\"ready\"}\n"};
}

Response show_metrics(const Call& call) {
  std::optional<std::uint64_t> free_disk;
  const std::string& folder = call.service.options().folder;
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  if (!studies::names_database(folder) && !error) free_disk = space.available;
  std::vector<SeenLimit> limits = call.service.watch().limits(call.tenant);
  std::erase_if(limits, [&](const SeenLimit& seen) { return !call.grant.is_for(seen.study); });
  return {.type = "text/plain; version=0.0.4",
          .body = call.service.metrics().text(call.service.studies().size(),
                                              call.service.memory().most(), free_disk, call.tenant,
                                              limits)};
}

Response show_openapi(const Call& /*call*/) {
  return {.type = "application/yaml", .body = std::string(assets::openapi_yaml)};
}

Response no_route(const Call& call) {
  const std::string methods = methods_of(call.request.path);
  if (methods.empty()) {
    throw Problem(404, "unknown_path", "there is nothing here: /openapi.yaml says what there is");
  }
  Response response =
      problem_response({405, "wrong_method", "this path takes " + methods + ", not what was sent"});
  response.headers.emplace_back("Allow", methods);
  return response;
}

}  // namespace keyhole::service
