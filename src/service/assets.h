// Files that are embedded into the program; cmake/service.cmake writes their sources.

#pragma once

#include <string_view>

namespace keyhole::service::assets {

extern const std::string_view openapi_yaml;
extern const std::string_view service_md;
// The page.
extern const std::string_view index_html;
extern const std::string_view icon_svg;
extern const std::string_view page_css;
extern const std::string_view page_js;
extern const std::string_view api_js;
extern const std::string_view text_js;
extern const std::string_view words_js;
extern const std::string_view charts_js;
extern const std::string_view contexts_js;
extern const std::string_view label_js;
extern const std::string_view limits_js;
extern const std::string_view plays_js;
extern const std::string_view list_js;
extern const std::string_view study_js;
extern const std::string_view create_js;
extern const std::string_view uplot_js;   // of the package uplot
extern const std::string_view uplot_css;  // of the package uplot
extern const std::string_view uplot_txt;  // its licence

}  // namespace keyhole::service::assets
