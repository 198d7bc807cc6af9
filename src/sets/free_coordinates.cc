#include "sets/free_coordinates.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "keyhole/error.h"
#include "keyhole/exploration.h"
#include "sets/sampled_vertices.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

}  // namespace

FreeCoordinates::FreeCoordinates(std::vector<bool> which, Vector at, SetPtr of_free)
    : fixed(std::move(which)), values(std::move(at)), inner(std::move(of_free)) {
  for (std::size_t j = 0; j < fixed.size(); ++j) {
    if (!fixed[j]) free.push_back(j);
  }
}

void FreeCoordinates::gather(std::span<const double> x, std::span<double> of_free) const {
  for (std::size_t i = 0; i < free.size(); ++i) of_free[i] = x[free[i]];
}

void FreeCoordinates::scatter(std::span<const double> of_free, std::span<double> x) const {
  for (std::size_t i = 0; i < free.size(); ++i) x[free[i]] = of_free[i];
}

Vector FreeCoordinates::whole(std::span<const double> of_free) const {
  Vector result = values;
  scatter(of_free, result);
  return result;
}

Geometry FreeCoordinates::whole(Geometry of_free) const {
  of_free.centre = whole(of_free.centre);
  return of_free;
}

Geometry FreeCoordinates::geometry_about(std::span<const double> centre) const {
  Vector of_free(free.size());
  gather(centre, of_free);
  return inner->geometry_about(of_free);
}

FreeOracle::FreeOracle(const FreeCoordinates& body)
    : body_(body),
      inner_(body.inner->oracle()),
      direction_(body.free.size()),
      answer_(body.free.size()),
      point_(body.values) {
  vertex_.dense = point_;
}

const Vertex& FreeOracle::do_minimise(std::span<const double> direction) {
  body_.gather(direction, direction_);
  inner_->minimise(direction_).write_to(answer_);
  body_.scatter(answer_, point_);
  return vertex_;
}

bool FreeOracle::do_project(std::span<const double> point, std::span<double> nearest) {
  if (!body_.inner->can_project()) {
    return Oracle::do_project(point, nearest);  // says that there is none
  }
  body_.gather(point, direction_);
  inner_->project(direction_, answer_);
  std::copy(body_.values.begin(), body_.values.end(), nearest.begin());
  body_.scatter(answer_, nearest);
  return true;
}

double FreeOracle::do_gauge(std::span<const double> w, std::span<double> subgradient) {
  body_.gather(w, direction_);
  const double gamma = inner_->gauge(direction_, answer_);
  std::fill(subgradient.begin(), subgradient.end(), 0.0);
  body_.scatter(answer_, subgradient);
  return gamma;
}

void FreeOracle::settle(std::span<double> point) {
  body_.gather(point, direction_);
  inner_->settle(direction_);
  const double slack = body_.inner->slack();
  for (std::size_t j = 0; j < point.size(); ++j) {
    const double value = body_.values[j];
    if (body_.fixed[j] && std::abs(point[j] - value) <= slack) point[j] = value;
  }
  body_.scatter(direction_, point);
}

FreeSet::FreeSet(FreeCoordinates body, Geometry geometry, std::string spec)
    : Set(body.fixed.size(), body.inner->hull_dimension(), std::move(geometry)),
      body_(std::move(body)),
      spec_(std::move(spec)) {}

FreeSet::FreeSet(FreeCoordinates body, std::string spec)
    : Set(body.fixed.size(), body.inner->hull_dimension(), body.whole(body.inner->geometry())),
      body_(std::move(body)),
      spec_(std::move(spec)) {}

std::unique_ptr<Oracle> FreeSet::make_oracle() const { return std::make_unique<FreeOracle>(body_); }

std::unique_ptr<Exploration> FreeSet::exploration() const { return explore_vertices(*this); }

bool FreeSet::contains(std::span<const double> x) const {
  if (x.size() != dimension()) return false;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (!body_.fixed[j]) continue;
    const bool near = std::abs(x[j] - body_.values[j]) <= body_.inner->slack();
    if (!near || x[j] < 0) return false;
  }
  Vector of_free(body_.free.size());
  body_.gather(x, of_free);
  return body_.inner->contains(of_free);
}

/// Within the span itself: the free coordinates first, and back from the end.
void FreeSet::flatten(std::span<double> direction) const {
  const std::size_t count = body_.free.size();
  for (std::size_t i = 0; i < count; ++i) direction[i] = direction[body_.free[i]];
  body_.inner->flatten(direction.first(count));
  std::size_t left = count;
  for (std::size_t j = direction.size(); j-- > 0;) {
    const bool is_free = left > 0 && body_.free[left - 1] == j;
    direction[j] = is_free ? direction[--left] : 0;
  }
}

Geometry FreeSet::geometry_about(std::span<const double> centre) const {
  return body_.whole(body_.geometry_about(centre));
}

SetPtr with_unused_edges(std::span<const Edge> edges, const std::vector<bool>& unused,
                         std::string spec,
                         const std::function<SetPtr(std::span<const Edge>)>& make) {
  std::vector<Edge> used;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!unused[e]) used.push_back(edges[e]);
  }
  SetPtr of_used = make(used);
  if (of_used == nullptr) return nullptr;
  return std::make_shared<FreeSet>(
      FreeCoordinates(unused, Vector(edges.size(), 0.0), std::move(of_used)), std::move(spec));
}

std::vector<bool> are_loops(std::span<const Edge> edges) {
  std::vector<bool> result;
  for (const auto& [from, to] : edges) result.push_back(from == to);
  return result;
}

SetPtr polytope_of(const std::string& what, const PolytopeConstraints& rows) {
  try {
    return polytope(rows);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(what + " are refused: " + std::string(error.what()));
  }
}

}  // namespace keyhole::sets
