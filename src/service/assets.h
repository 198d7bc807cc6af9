// Files that are embedded into the program; cmake/service.cmake writes their sources.

#pragma once

#include <string_view>

namespace keyhole::service::assets {

extern const std::string_view openapi_yaml;

}  // namespace keyhole::service::assets
