#include "report/curves.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/number_text.h"
#include "keyhole/error.h"

namespace keyhole::report {
namespace {

constexpr std::string_view header =
    "problem,learner,measure,round,mean,lower,upper,repeats";  // in this order
enum Field : std::size_t { problem, learner, measure, round, mean, lower, upper, repeats, count };

/// Goes through a CSV text row by row (RFC 4180: fields may be quoted, quotes in them doubled).
class Rows {
 public:
  Rows(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  /// The next row; false at the end.
  bool next(std::vector<std::string>& fields) {
    fields.clear();
    if (at_ >= text_.size()) return false;
    line_ = next_line_;
    do {
      fields.push_back(field());
    } while (take(','));
    take('\r');
    if (!take('\n') && at_ < text_.size()) fail("there is text after a closing quote");
    ++next_line_;
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(file_ + ", line " + std::to_string(line_) + ": " + what);
  }

 private:
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string field() {
    if (!take('"')) {
      const auto begin = at_;
      at_ = std::min(text_.find_first_of(",\r\n", at_), text_.size());
      return std::string(text_.substr(begin, at_ - begin));
    }
    std::string result;
    for (;;) {
      if (at_ >= text_.size()) fail("a quote is not closed");
      const char c = text_[at_++];
      if (c == '\n') ++next_line_;
      if (c == '"' && !take('"')) return result;
      result += c;
    }
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t next_line_ = 1;
};

double number(const Rows& rows, const std::string& text, const char* name) {
  const std::optional<double> value = base::read_number(text);
  if (!value || !std::isfinite(*value)) {
    rows.fail("the " + std::string(name) + " '" + text + "' is not a number");
  }
  return *value;
}

std::optional<double> optional_number(const Rows& rows, const std::string& text, const char* name) {
  if (text.empty()) return {};
  return number(rows, text, name);
}

Point point(const Rows& rows, const std::vector<std::string>& fields) {
  Point result{.t = number(rows, fields[round], "round"),
               .mean = number(rows, fields[mean], "mean"),
               .lower = optional_number(rows, fields[lower], "lower"),
               .upper = optional_number(rows, fields[upper], "upper")};
  if (result.t < 1) rows.fail("the round " + fields[round] + " is below 1");
  if (result.lower.has_value() != result.upper.has_value()) {
    rows.fail("of lower and upper one is blank and one is not");
  }
  if (result.lower && (*result.lower > result.mean || *result.upper < result.mean)) {
    rows.fail("the mean " + fields[mean] + " is not between lower " + fields[lower] +
              " and upper " + fields[upper]);
  }
  return result;
}

/// Whether a learner of that name is one of the controls, which learn nothing.
bool is_control(const std::string& name) {
  return name == "stay" || name == "random_vertex" || name == "fed_constant";
}

/// The element of that name, made at the end if there is none. Files come in order: look there
/// first.
template <typename Element>
Element& named(std::vector<Element>& all, std::string Element::*name, const std::string& wanted) {
  const auto found = std::find_if(all.rbegin(), all.rend(),
                                  [&](const Element& element) { return element.*name == wanted; });
  if (found != all.rend()) return *found;
  all.emplace_back();
  all.back().*name = wanted;
  return all.back();
}

}  // namespace

std::string file_text(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw InputError(file +
                     " cannot be read; a directory of results holds curves.csv and "
                     "summary.json, which are written when the experiment is complete");
  }
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) throw InputError(file + " cannot be read");
  return text;
}

std::vector<ProblemCurves> read_curves(const std::string& file) {
  const std::string text = file_text(file);
  if (text.substr(0, text.find_first_of("\r\n")) != header) {
    throw InputError(file + ", line 1: the header should be " + std::string(header));
  }
  Rows rows(text, file);
  std::vector<std::string> fields;
  rows.next(fields);  // the header
  std::vector<ProblemCurves> all;
  while (rows.next(fields)) {
    if (fields.size() != count) {
      rows.fail("there should be 8 fields, but there are " + std::to_string(fields.size()));
    }
    ProblemCurves& curves = named(all, &ProblemCurves::problem, fields[problem]);
    const bool is_loss = fields[measure] == "average_loss";
    if (!is_loss && fields[measure] != "average_regret") {
      rows.fail("the measure '" + fields[measure] + "' is not average_loss or average_regret");
    }
    Series& series = named(is_loss ? curves.average_loss : curves.average_regret, &Series::name,
                           fields[learner]);
    if (is_control(series.name)) series.style = Style::faint;
    series.points.push_back(point(rows, fields));
    const auto& points = series.points;
    if (points.size() > 1 && points.back().t <= points[points.size() - 2].t) {
      rows.fail("the rounds of " + fields[learner] + " do not ascend at " + fields[round]);
    }
    curves.intervals |= points.back().lower.has_value();
  }
  return all;
}

}  // namespace keyhole::report
