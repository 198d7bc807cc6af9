// The suite of stores: a service over a folder, and replicas over one behind a proxy.

#include "http_stores.h"

namespace keyhole::tests {
namespace {

Kind over_a_folder(const std::string& name, int replicas) {
  const auto make = [replicas] {
    const auto folder = std::make_shared<Folder>();
    return services_over(folder->path("studies"), folder, replicas);
  };
  return {.name = name, .make = make, .is_store = false};
}

const std::vector<Kind> services = {over_a_folder("http", 1), over_a_folder("proxied", 2)};

INSTANTIATE_TEST_SUITE_P(Stores, StoreSuite, testing::ValuesIn(services), name_of_kind);
INSTANTIATE_TEST_SUITE_P(Stores, StoreAtOnce, kinds_and_ways(services), name_of_kind_and_way);
INSTANTIATE_TEST_SUITE_P(Stores, HttpStores, kinds_and_ways(services), name_of_kind_and_way);

}  // namespace
}  // namespace keyhole::tests
