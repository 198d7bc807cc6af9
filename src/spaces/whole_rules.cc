#include "spaces/whole_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/joined.h"
#include "base/require.h"
#include "math/programs/column_master.h"
#include "spaces/nearest_whole.h"

namespace keyhole::spaces {
namespace {

// Steps of a search: about a tenth of a second for a space, and a hundredth for a play.
constexpr std::size_t steps_for_space = 1000000;
constexpr std::size_t steps_for_play = 100000;
// How much of a mixture may be what is not allowed: the roundings of a point on a constraint.
constexpr double negligible = 1e-9;

bool has_terms(const std::vector<double>& coefficients) {
  return std::any_of(coefficients.begin(), coefficients.end(), [](double a) { return a != 0; });
}

}  // namespace

WholeRules::WholeRules(const std::vector<SpaceParameter>& parameters,
                       const std::vector<Constraint>& constraints, std::span<const double> middle) {
  // The constraints of whole numbers, and those of what is linked to them.
  std::vector<unsigned char> is_linked(middle.size());
  std::size_t column = 0;
  for (const SpaceParameter& parameter : parameters) {
    if (ladder_of(parameter)) is_linked[column] = 1;
    column += width(parameter);
  }
  std::vector<const Constraint*> linked;
  for (bool grows = true; grows;) {
    grows = false;
    for (const Constraint& constraint : constraints) {
      const auto is_in = [&](const auto& term) { return is_linked[term.first] != 0; };
      if (std::find(linked.begin(), linked.end(), &constraint) != linked.end() ||
          std::none_of(constraint.terms.begin(), constraint.terms.end(), is_in)) {
        continue;
      }
      for (const auto& [c, coefficient] : constraint.terms) is_linked[c] = 1;
      linked.push_back(&constraint);
      grows = true;
    }
  }
  if (linked.empty()) return;
  std::fill(is_linked.begin(), is_linked.end(), static_cast<unsigned char>(0));
  for (const Constraint* const constraint : linked) {
    for (const auto& [c, coefficient] : constraint->terms) is_linked[c] = 1;
  }
  add_columns(parameters, is_linked);
  std::vector<std::string> with_wholes;
  for (const Constraint* const constraint : linked) {
    add_row(*constraint);
    if (has_terms(rows_.back().of_wholes)) with_wholes.push_back("'" + constraint->name + "'");
  }
  NearestWhole search(*this, middle, steps_for_space);
  const bool found = search.find();
  base::require(found, (search.gave_up() ? "no whole numbers were found that meet the constraints "
                                         : "no whole numbers meet the constraints ") +
                           base::joined(with_wholes, " and "));
  one_allowed_ = search.found();
}

void WholeRules::add_columns(const std::vector<SpaceParameter>& parameters,
                             std::span<const unsigned char> is_linked) {
  std::size_t column = 0;
  for (const SpaceParameter& parameter : parameters) {
    const std::optional<Ladder> ladder = ladder_of(parameter);
    const std::vector<double> lower = lower_bounds(parameter);
    const std::vector<double> upper = upper_bounds(parameter);
    for (std::size_t i = 0; i < width(parameter); ++i, ++column) {
      if (is_linked[column] == 0) continue;
      if (ladder) {
        wholes_.push_back({column, *ladder});
      } else {
        others_.push_back({column, lower[i], upper[i]});
      }
    }
  }
}

void WholeRules::add_row(const Constraint& constraint) {
  Row row{.right = constraint.right, .equality = constraint.equality};
  const auto coefficient_of = [&](std::size_t column) {
    const auto& terms = constraint.terms;
    const auto found = std::find_if(terms.begin(), terms.end(),
                                    [&](const auto& term) { return term.first == column; });
    return found == terms.end() ? 0.0 : found->second;
  };
  for (const Whole& whole : wholes_) row.of_wholes.push_back(coefficient_of(whole.column));
  for (const Other& other : others_) row.of_others.push_back(coefficient_of(other.column));
  // A point is in the set but for the slack of the set. Sums of whole numbers are out by roundings.
  const bool all_whole = !has_terms(row.of_others);
  row.rounding = all_whole ? 1e-13 : 1e-9;
  if (all_whole) row.most_rounding = most_rounding(row);
  rows_.push_back(std::move(row));
}

double WholeRules::most_rounding(const Row& row) const {
  constexpr double exact = 0x1p53;  // up to here sums of whole numbers are
  const auto is_whole = [](double number) { return number == std::floor(number); };
  bool is_exact = is_whole(row.right);
  double low = -row.right;
  double high = -row.right;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < wholes_.size(); ++j) {
    const Ladder& ladder = wholes_[j].ladder;
    const double a = row.of_wholes[j];
    if (a == 0) continue;
    const double from = a * ladder.from;
    const double to = a * ladder.at(ladder.last);
    is_exact = is_exact && is_whole(a) && ladder.scale == Scale::linear;
    low += std::min({from, to, 0.0});
    high += std::max({from, to, 0.0});
    smallest = std::min(smallest, std::abs(a) * ladder.step);
  }
  return is_exact && low >= -exact && high <= exact ? 0 : smallest / 4;
}

bool WholeRules::allows(std::span<const double> x) const {
  return std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) {
    double excess = -row.right;
    double size = std::abs(row.right);
    const auto add = [&](double term) {
      excess += term;
      size += std::abs(term);
    };
    for (std::size_t j = 0; j < wholes_.size(); ++j) add(row.of_wholes[j] * x[wholes_[j].column]);
    for (std::size_t j = 0; j < others_.size(); ++j) add(row.of_others[j] * x[others_[j].column]);
    return (row.equality ? std::abs(excess) : excess) <= row.slack(size);
  });
}

void WholeRules::obey(std::span<const double> x, std::span<double> rounded,
                      std::optional<double> share) const {
  Cell cell;
  for (const Whole& whole : wholes_) {
    const Ladder& ladder = whole.ladder;
    const double top = ladder.at(ladder.last);
    const double inside = std::clamp(x[whole.column], ladder.from, top);
    cell.from.push_back(ladder.below(inside));
    cell.to.push_back(cell.from.back() + (ladder.at(cell.from.back()) < inside ? 1 : 0));
    cell.x.push_back((inside - ladder.from) / ladder.step);
  }
  if (allows_all(cell, x)) return;
  const std::span<const double> goal = share ? rounded : x;
  std::optional<std::vector<double>> found;
  if (share) found = draw(cell, x, *share);
  if (!found && allows(rounded)) return;
  if (!found) {
    NearestWhole search(*this, goal, steps_for_play);
    found = search.find() ? search.found() : one_allowed_;
  }
  for (const Whole& whole : wholes_) rounded[whole.column] = (*found)[whole.column];
  for (const Other& other : others_) rounded[other.column] = (*found)[other.column];
}

bool WholeRules::allows_all(const Cell& cell, std::span<const double> x) const {
  return std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) {
    double least = -row.right;
    double most = -row.right;
    double size = std::abs(row.right);
    const auto add = [&](double a, double b) {
      least += std::min(a, b);
      most += std::max(a, b);
      size += std::max(std::abs(a), std::abs(b));
    };
    for (std::size_t j = 0; j < wholes_.size(); ++j) {
      const Ladder& ladder = wholes_[j].ladder;
      add(row.of_wholes[j] * ladder.at(cell.from[j]), row.of_wholes[j] * ladder.at(cell.to[j]));
    }
    for (std::size_t j = 0; j < others_.size(); ++j) {
      const double term = row.of_others[j] * x[others_[j].column];
      add(term, term);
    }
    return most <= row.slack(size) && (!row.equality || least >= -row.slack(size));
  });
}

std::optional<std::vector<double>> WholeRules::draw(const Cell& cell, std::span<const double> x,
                                                    double share) const {
  std::vector<std::size_t> open;  // the whole numbers that are not at a step
  for (std::size_t j = 0; j < wholes_.size(); ++j) {
    if (cell.from[j] < cell.to[j]) open.push_back(j);
  }
  if (open.empty()) return {};
  const std::size_t room = 4 * open.size() + 8;
  const std::size_t most_columns = 20 * open.size();
  math::ColumnMaster master(open.size(), room);
  master.start(1);
  master.solve();
  NearestWhole search(*this, x, steps_for_play);
  std::vector<std::vector<double>> corners(room);
  std::vector<double> target(cell.from.begin(), cell.from.end());
  std::vector<double> weight(wholes_.size());
  std::vector<double> column(open.size());
  for (std::size_t k = 0; k < most_columns; ++k) {
    // The allowed corner that the prices praise most: the nearest to the best one of all.
    for (std::size_t i = 0; i < open.size(); ++i) {
      const double price = master.prices()[i];
      target[open[i]] = static_cast<double>(price > 0 ? cell.to[open[i]] : cell.from[open[i]]);
      weight[open[i]] = std::abs(price);
    }
    if (!search.find_within(cell.from, cell.to, target, weight)) return {};
    double praise = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Whole& whole = wholes_[open[i]];
      const double value = search.found()[whole.column];
      column[i] = (value - whole.ladder.from) / whole.ladder.step - cell.x[open[i]];
      praise += master.prices()[i] * column[i];
    }
    if (-1 - praise >= master.value() - 1e-12) break;
    corners[master.add(column, -1)] = search.found();
    master.solve();
    if (master.value() <= -1 + 1e-12) break;
  }
  // What the first columns weigh is not allowed.
  double allowed = 0;
  for (std::size_t k = 0; k <= open.size(); ++k) {
    if (master.basis()[k] > open.size()) allowed += master.weights()[k];
  }
  if (allowed < 1 - negligible) return {};
  double left = share * allowed;
  std::size_t last = 0;
  for (std::size_t k = 0; k <= open.size(); ++k) {
    if (master.basis()[k] <= open.size() || !(master.weights()[k] > 0)) continue;
    last = master.basis()[k] - open.size() - 1;
    left -= master.weights()[k];
    if (left < 0) break;
  }
  return corners[last];
}

}  // namespace keyhole::spaces
