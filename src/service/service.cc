#include "service/service.h"

#include <algorithm>

#include "base/disk.h"
#include "base/require.h"
#include "service/handlers.h"
#include "service/json_body.h"
#include "service/log_line.h"
#include "service/problem.h"
#include "studies/journals/place.h"
#include "studies/study/inside.h"

namespace keyhole::service {
namespace {

/// The address of a host, without its port.
std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && host.find(']', colon) == std::string_view::npos;
  return has_port ? host.substr(0, colon) : host;
}

/// Refuses what a page of another site makes a browser send.
void require_no_foreign_page(const Request& request, bool has_tokens) {
  if (!request.origin.empty()) {
    const std::size_t slashes = request.origin.find("//");
    if (slashes == std::string::npos || request.origin.substr(slashes + 2) != request.host) {
      throw Problem(403, "foreign_origin",
                    "the page of another site cannot use this service: open its own page");
    }
  }
  if (has_tokens || request.host.empty()) return;
  // Else a name of another site could lead a browser here.
  const std::string_view host = without_port(request.host);
  const bool is_loopback =
      host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos;
  if (host != "localhost" && host != "[::1]" && !is_loopback) {
    throw Problem(421, "foreign_host",
                  "a service without tokens is called by localhost or 127.0.0.1 only");
  }
}

/// Whose calls are counted together.
std::string rated(const Grant& grant) { return grant.tenant + "/" + grant.name; }

}  // namespace

void require_for(const Grant& grant, std::string_view study) {
  if (grant.is_for(study)) return;
  throw Problem(403, "forbidden",
                "this token is for studies whose names begin with '" + grant.prefix + "'");
}

Time Service::system_time() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

Service::Service(ServiceOptions options, const Catalogue& catalogue, Clock clock)
    : options_(std::move(options)),
      clock_(std::move(clock)),
      catalogue_(catalogue),
      memory_(options_.memory),
      readers_(options_.readers),
      rates_(options_.rate),
      studies_(options_.folder, options_.store, catalogue, options_.open_studies, memory_,
               [this](const std::string& tenant, const std::string& name) {
                 watch_.forget(tenant, name);
                 metrics_.closed_study();
               }),
      syncs_(options_.store.durability == Durability::disk &&
             !studies::names_database(options_.folder)) {
  base::require(options_.rate == 0 || has_tokens(),
                "--rate is of tokens, and there are none: give --tokens");
  read_tokens();
}

void Service::read_tokens() {
  if (!has_tokens()) return;
  const auto text = base::read_file(options_.tokens);
  if (!text) {
    throw InputError("there is no file '" + options_.tokens +
                     "' of tokens: 'keyhole token new' makes one");
  }
  auto tokens = std::make_shared<const Tokens>(*text);
  const std::lock_guard lock(mutex_);
  tokens_ = std::move(tokens);
}

std::optional<Grant> Service::grant_of(const std::string& authorization) const {
  if (!has_tokens()) return Grant{.scope = Scope::admin};
  constexpr std::string_view scheme = "bearer ";
  std::shared_ptr<const Tokens> tokens;
  {
    const std::lock_guard lock(mutex_);
    tokens = tokens_;
  }
  // Words of HTTP have no fixed letters.
  const auto is_same = [](char a, char b) { return a == b || (a != ' ' && (a ^ b) == ' '); };
  const std::string_view text = authorization;
  const std::string_view word = text.substr(0, scheme.size());
  if (!std::equal(scheme.begin(), scheme.end(), word.begin(), word.end(), is_same)) return {};
  return tokens->find(text.substr(scheme.size()), now());
}

bool Service::allows(const std::string& authorization, const std::string& tenant,
                     const std::string& study) const {
  const auto grant = grant_of(authorization);
  return grant && grant->tenant == tenant && grant->is_for(study);
}

std::string Service::tenant_of(const std::string& authorization) const {
  auto grant = grant_of(authorization);
  return grant ? std::move(grant->tenant) : "";
}

void Service::admit(const Request& request, const Match& match, Grant& grant) const {
  const Route& route = routes()[match.route];
  require_no_foreign_page(request, has_tokens());
  if (route.scope == Scope::none) return;
  auto found = grant_of(request.authorization);
  if (!found) {
    throw Problem(
        401, "unauthorized",
        "a token is needed that is known and has not ended: Authorization: Bearer kh_...");
  }
  grant = std::move(*found);
  if (grant.scope < route.scope) {
    throw Problem(403, "forbidden",
                  "this needs a token of scope " + scope_text(route.scope) + ", and yours is " +
                      scope_text(grant.scope));
  }
  if (!match.name.empty()) require_for(grant, match.name);
}

std::optional<Response> Service::early_answer(const Request& head) {
  const Match found = match(head.method, head.path);
  const Route& route = routes()[found.route];
  if (route.scope == Scope::none && route.pace == Pace::at_once) return answer(head);
  Grant grant;
  try {
    admit(head, found, grant);
    rates_.require(rated(grant), head.received);
    // Who has no token takes no memory for one.
    if (route.scope == Scope::none) bad_request("this takes no body");
    return {};
  } catch (const Problem& problem) {
    Response response = problem_response(problem);
    response.route = found.route;
    response.known = grant.scope != Scope::none;
    response.tenant = grant.tenant;
    response.token = grant.name;
    response.study = found.name;
    response.received = head.received;
    count(response);
    return response;
  }
}

Response Service::checked_answer(const Request& request, const Match& match) {
  Call call{*this, request, "", std::string(match.name), std::string(match.play)};
  const auto about = [&](Response response) {
    response.known = call.grant.scope != Scope::none;
    response.tenant = call.grant.tenant;
    response.token = call.grant.name;
    if (response.study.empty()) response.study = call.name;
    return response;
  };
  try {
    admit(request, match, call.grant);
    if (call.grant.scope != Scope::none) rates_.take(rated(call.grant), request.received);
    call.tenant = call.grant.tenant;
    return about(routes()[match.route].answer(call));
  } catch (const std::exception& error) {
    // The image of a study whose disk failed is of no use.
    if (dynamic_cast<const base::DiskError*>(&error) != nullptr && !call.name.empty()) {
      studies_.close(call.tenant, call.name);
    }
    Response response = about(error_response(error));
    response.failure = error.what();
    return response;
  }
}

Response Service::answer(const Request& request) {
  Answered answered{.response = begin(request)};
  if (answered.response.unsettled.study != nullptr) finish({&answered, 1});
  return std::move(answered.response);
}

void Service::finish(std::span<Answered> group) {
  std::uint64_t end = 0;
  for (const Answered& answered : group) end = std::max(end, answered.response.unsettled.end);
  const auto begin = Metrics::Clock::now();
  try {
    studies::Inside::harden(*group.front().response.unsettled.study, end);
    if (syncs_) note_sync(begin, group);
  } catch (const std::exception& error) {
    metrics_.failed_to_sync();
    for (auto& [to, response] : group) {
      // The next call reads what is really there.
      studies_.close(response.tenant, response.unsettled.name);
      Response failed = error_response(error);
      failed.route = response.route;
      failed.received = response.received;
      failed.known = response.known;
      failed.tenant = response.tenant;
      failed.failure = error.what();
      response = std::move(failed);
    }
  }
  for (const Answered& answered : group) count(answered.response);
}

Response Service::begin(const Request& request) {
  const Match found = match(request.method, request.path);
  Response response = checked_answer(request, found);
  response.route = found.route;
  response.received = request.received;
  if (response.unsettled.study == nullptr) count(response);
  return response;
}

void Service::note_sync(Metrics::Clock::time_point begin, std::span<const Answered> group) {
  metrics_.synced(begin);
  const auto time = Metrics::Clock::now() - begin;
  if (time <= std::chrono::seconds(1) || !told_) return;
  told_(sync_line(now(), group.front().response.tenant, std::chrono::duration<double>(time).count(),
                  group.size()));
}

void Service::count(const Response& response) {
  metrics_.answered(response.route, response.status, response.received);
  if (response.tenant.empty() || !response.known) return;
  const bool is_step = routes()[response.route].scope == Scope::play;
  metrics_.answered(response.tenant, is_step, response.status);
}

}  // namespace keyhole::service
