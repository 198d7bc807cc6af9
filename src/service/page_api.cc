// The page and what it shows live.

#include "base/number_text.h"
#include "service/assets.h"
#include "service/handlers.h"
#include "service/live/live_json.h"
#include "service/query.h"
#include "service/with_study.h"
#include "studies/json/study_json.h"

namespace keyhole::service {
namespace {

struct PageFile {
  std::string_view name;
  std::string_view type;
  std::string_view bytes;
};

constexpr std::string_view html = "text/html; charset=utf-8";
constexpr std::string_view script = "text/javascript; charset=utf-8";
constexpr std::string_view plain = "text/plain; charset=utf-8";
constexpr std::string_view picture = "image/svg+xml";
constexpr std::string_view style = "text/css; charset=utf-8";

Response file_response(std::string_view type, std::string_view bytes) {
  return {.type = type, .body = std::string(bytes)};
}

/// The events of a study, a text a second.
class Events {
 public:
  explicit Events(const Call& call)
      : service_(call.service),
        authorization_(call.request.authorization),
        tenant_(call.tenant),
        name_(call.name) {
    if (const auto seen = base::read_whole_number(call.request.last_event_id)) {
      constexpr std::uint64_t far = 1ULL << 40U;  // seconds
      next_ = static_cast<std::int64_t>(std::min(*seen, far)) + 1;
    }
  }

  std::optional<std::string> operator()() {
    if (!service_.allows(authorization_, tenant_, name_)) return {};
    std::shared_ptr<Study> study;
    try {
      study = service_.studies().open(tenant_, name_);
    } catch (const Problem&) {
      return {};  // it was deleted
    }
    try {
      return text_of(*study);
    } catch (const ReplacedStudy&) {
      service_.studies().close(tenant_, name_);  // the next second opens it as it is now
      return "";
    }
  }

 private:
  std::string text_of(Study& study) {
    std::string text;
    const Millis now = millis_now();
    service_.watch().look(tenant_, name_, study, now, [&](const Samples& samples) {
      if (Json about = about_json(study); about != about_) {  // at first, and when it was changed
        about_ = about;
        about["status"] = live_json(samples, now);
        text = event_text("study", "", about);
      }
      if (next_ < 0) next_ = samples.end_second();
      text += sample_events(samples, next_, now);
    });
    return text;
  }

  Service& service_;
  std::string authorization_;
  std::string tenant_;
  std::string name_;
  std::int64_t next_ = -1;  // the second to begin with; below 0 for what comes
  Json about_;              // what was said last
};

}  // namespace

Response show_page(const Call& /*call*/) { return file_response(html, assets::index_html); }

Response page_file(const Call& call) {
  const PageFile files[] = {
      {"uplot.js", script, assets::uplot_js},   {"uplot.css", style, assets::uplot_css},
      {"uplot.txt", plain, assets::uplot_txt},  {"icon.svg", picture, assets::icon_svg},
      {"page.js", script, assets::page_js},     {"page.css", style, assets::page_css},
      {"api.js", script, assets::api_js},       {"text.js", script, assets::text_js},
      {"charts.js", script, assets::charts_js}, {"contexts.js", script, assets::contexts_js},
      {"list.js", script, assets::list_js},     {"study.js", script, assets::study_js},
      {"create.js", script, assets::create_js}, {"limits.js", script, assets::limits_js},
      {"label.js", script, assets::label_js},   {"words.js", script, assets::words_js},
      {"plays.js", script, assets::plays_js},   {"service.md", plain, assets::service_md}};
  for (const PageFile& file : files) {
    if (file.name == call.name) return file_response(file.type, file.bytes);
  }
  throw Problem(404, "unknown_path", "the page has no such file");
}

Response curve(const Call& call) {
  constexpr std::uint64_t most = 10000;
  const Query query(call.request.query, {"points"});
  const std::uint64_t points = query.whole("points", 1000, 1, most);
  return with_study(call, [&](Study& study) {
    Response response;
    call.service.watch().look(
        call.tenant, call.name, study, millis_now(), [&](const Samples& samples) {
          response.body = studies::json_text(curve_json(samples, points)) + "\n";
        });
    return response;
  });
}

Response events(const Call& call) {
  return with_study(
      call, [&](Study&) { return Response{.type = "text/event-stream", .events = Events(call)}; });
}

}  // namespace keyhole::service
