// Files that the build turns into bytes of the program (cmake/embed.cmake).

#pragma once

#include <string_view>

namespace keyhole::report::assets {

extern const std::string_view dygraph_js;   // of the package dygraphs
extern const std::string_view dygraph_css;  // of the package dygraphs
extern const std::string_view page_html;    // page.html of this folder
extern const std::string_view report_css;   // report.css of this folder
// The script of the page: these files of this folder, one after the other.
extern const std::string_view ticks_js;
extern const std::string_view panel_js;
extern const std::string_view curves_js;
extern const std::string_view bars_js;
extern const std::string_view report_js;

}  // namespace keyhole::report::assets
