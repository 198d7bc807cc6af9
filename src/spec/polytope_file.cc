#include "spec/polytope_file.h"

#include <algorithm>
#include <filesystem>

#include "base/nearest.h"
#include "base/number_text.h"
#include "base/sha256.h"
#include "base/shortened.h"
#include "keyhole/polytope.h"
#include "problems/csv.h"
#include "spec/hidden_equalities.h"
#include "spec/implied_equalities.h"
#include "spec/linear_model.h"
#include "spec/syntax.h"

namespace keyhole::spec {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 28U;

Node quoted_argument(const char* key, std::string text) {
  return {.kind = Node::Kind::quoted, .text = std::move(text), .key = key};
}

/// " (coordinate 3 is the column 'x')" for the first coordinate that a message speaks of.
std::string column_text(const std::string& message, const LinearModel& model) {
  const std::string word = "coordinate ";
  const std::size_t found = message.find(word);
  if (found == std::string::npos) return "";
  const std::size_t begin = found + word.size();
  const std::size_t end = message.find_first_not_of("0123456789", begin);
  const std::string digits = message.substr(begin, end - begin);
  const std::optional<std::uint64_t> j = base::read_whole_number(digits);
  if (!j || *j >= model.columns.size()) return "";
  return " (" + word + digits + " is the column '" + base::shortened(model.columns[*j].name) + "')";
}

/// ".mps", ".lp" or ".csv".
std::string ending_of(const std::string& path) {
  const std::string ending = base::lower_case(std::filesystem::path(path).extension().string());
  if (ending != ".mps" && ending != ".lp" && ending != ".csv") {
    throw InputError(path + ": the name of a polytope's file ends in .mps, .lp or .csv");
  }
  return ending;
}

}  // namespace

SetPtr polytope_of_file(const std::string& name, const std::string& path,
                        const std::string& sha256) {
  (void)ending_of(path);
  const std::string expected = base::lower_case(sha256);
  if (!expected.empty() && (expected.size() != 64 ||
                            expected.find_first_not_of("0123456789abcdef") != std::string::npos)) {
    throw InputError("sha256 is a digest of 64 hexadecimal digits, not '" + sha256.substr(0, 80) +
                     "'");
  }
  const std::string text = problems::read_text(path, most_bytes);
  if (const std::string digest = base::sha256(text); !expected.empty() && digest != expected) {
    throw InputError(path + ": is not the file that is meant: its sha256 is " + digest +
                     ", and should be " + expected);
  }
  return polytope_of_text(name, path, text);
}

SetPtr polytope_of_text(const std::string& name, const std::string& path, const std::string& text) {
  const std::string ending = ending_of(path);
  LinearModel model = ending == ".mps"  ? read_mps(text, path)
                      : ending == ".lp" ? read_lp(text, path)
                                        : read_csv_rows(text, path);
  write_hidden_equalities(model);
  const std::string digest = base::sha256(text);
  const auto make = [&] {
    PolytopeConstraints constraints = model.constraints();
    constraints.source =
        print({.kind = Node::Kind::call,
               .text = "polytope",
               .arguments = {quoted_argument("file", name), quoted_argument("sha256", digest)}});
    return polytope(constraints);
  };
  std::string refusal;
  try {
    return make();
  } catch (const InvalidArgument& error) {
    refusal = error.what();
  }
  try {
    if (write_implied_equalities(model)) return make();
  } catch (const InvalidArgument& error) {
    refusal = error.what();
  }
  throw InputError(path + ": " + refusal + column_text(refusal, model));
}

}  // namespace keyhole::spec
