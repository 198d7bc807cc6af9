// The suite of stores: studies in a folder.

#include "store_itself.h"

namespace keyhole::tests {
namespace {

// A store in memory would be one more kind here, with `.is_shared = false`.
const Kind in_a_folder = {.name = "folder", .make = [] {
                            const auto folder = std::make_shared<Folder>();
                            return store_at(folder->path("studies"), folder);
                          }};

INSTANTIATE_TEST_SUITE_P(Stores, StoreSuite, testing::Values(in_a_folder), name_of_kind);
INSTANTIATE_TEST_SUITE_P(Stores, StoreItself, testing::Values(in_a_folder), name_of_kind);
INSTANTIATE_TEST_SUITE_P(Stores, StoreAtOnce, kinds_and_ways({in_a_folder}), name_of_kind_and_way);

}  // namespace
}  // namespace keyhole::tests
