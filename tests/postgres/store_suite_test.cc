// The suite of stores: studies in PostgreSQL, and replicas of the service over it behind a proxy.

#include "../service/http_stores.h"
#include "../studies/store_itself.h"
#include "shared_cluster.h"

namespace keyhole::tests {
namespace {

const Kind in_postgres = {.name = "postgres", .make = [] { return store_at(new_address()); }};
const Kind over_postgres = {.name = "replicas",
                            .make = [] { return services_over(new_address(), {}, 2); },
                            .is_store = false};

INSTANTIATE_TEST_SUITE_P(Stores, StoreSuite, testing::Values(in_postgres, over_postgres),
                         name_of_kind);
INSTANTIATE_TEST_SUITE_P(Stores, StoreItself, testing::Values(in_postgres), name_of_kind);
INSTANTIATE_TEST_SUITE_P(Stores, StoreAtOnce, kinds_and_ways({in_postgres, over_postgres}),
                         name_of_kind_and_way);
INSTANTIATE_TEST_SUITE_P(Stores, HttpStores, kinds_and_ways({over_postgres}), name_of_kind_and_way);

}  // namespace
}  // namespace keyhole::tests
