// The suite of stores: studies in a folder, and in memory.

#include "store_itself.h"

namespace keyhole::tests {
namespace {

const Kind in_a_folder = {.name = "folder", .make = [] {
                            const auto folder = std::make_shared<Folder>();
                            return store_at(folder->path("studies"), folder);
                          }};

const Kind in_memory = {.name = "memory",
                        .make = [] { return store_of(Store::in_memory(quick_steps)); },
                        .is_shared = false};

const auto kinds = testing::Values(in_a_folder, in_memory);

INSTANTIATE_TEST_SUITE_P(Stores, StoreSuite, kinds, name_of_kind);
INSTANTIATE_TEST_SUITE_P(Stores, StoreItself, kinds, name_of_kind);
INSTANTIATE_TEST_SUITE_P(Stores, StoreAtOnce, kinds_and_ways({in_a_folder, in_memory}),
                         name_of_kind_and_way);

}  // namespace
}  // namespace keyhole::tests
