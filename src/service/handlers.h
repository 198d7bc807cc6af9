// What answers the routes, a function each.

#pragma once

#include <cstdint>

#include "keyhole/study.h"
#include "service/routes.h"

namespace keyhole::service {

/// Throws Problem if a token is not for the study of a name.
void require_for(const Grant& grant, std::string_view study);

/// About how many bytes a play takes with its answer, if it has at most so many coordinates.
std::size_t bytes_of_play(const Study& study, std::size_t most = SIZE_MAX);

// studies_api.cc
Response create_study(const Call& call);
Response list_studies(const Call& call);
Response show_study(const Call& call);
Response take_copy(const Call& call);
Response label_study(const Call& call);
Response delete_study(const Call& call);
Response undelete_study(const Call& call);
Response list_deleted(const Call& call);
Response renew_study(const Call& call);
Response change_study(const Call& call);

// plays_api.cc
Response ask(const Call& call);
Response tell(const Call& call);
Response step(const Call& call);
Response learn_past(const Call& call);
Response estimate(const Call& call);
Response recommend(const Call& call);
Response pause(const Call& call);
Response prove(const Call& call);

// history_api.cc
Response list_plays(const Call& call);
Response show_front(const Call& call);
Response show_play(const Call& call);
Response log(const Call& call);
Response state(const Call& call);
Response report(const Call& call);

// page_api.cc
Response show_page(const Call& call);
Response page_file(const Call& call);
Response curve(const Call& call);
Response events(const Call& call);

// probes.cc
Response healthy(const Call& call);
Response ready(const Call& call);
Response show_metrics(const Call& call);
Response show_openapi(const Call& call);
Response no_route(const Call& call);

}  // namespace keyhole::service
