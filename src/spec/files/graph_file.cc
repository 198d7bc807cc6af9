#include <array>
#include <cmath>

#include "base/number_text.h"
#include "base/shortened.h"
#include "keyhole/error.h"
#include "spec/files/array_file.h"

namespace keyhole::spec {
namespace {

/// The fields of a line, between blanks.
std::vector<std::string_view> fields_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<std::string_view> fields;
  for (std::size_t end = 0;;) {
    const std::size_t begin = line.find_first_not_of(blanks, end);
    if (begin == std::string_view::npos) return fields;
    end = std::min(line.find_first_of(blanks, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
  }
}

/// The kinds of DIMACS's files, how their lines of edges begin, and what these have besides the
/// nodes.
struct DimacsKind {
  std::string_view name;
  std::string_view edge;
  std::vector<std::string> more;
};

const std::array<DimacsKind, 6>& dimacs_kinds() {
  static const std::array<DimacsKind, 6> kinds = {{{"sp", "a", {"length"}},
                                                   {"max", "a", {"capacity"}},
                                                   {"min", "a", {"lower", "capacity", "cost"}},
                                                   {"asn", "a", {"cost"}},
                                                   {"edge", "e", {}},
                                                   {"col", "e", {}}}};
  return kinds;
}

class GraphReader {
 public:
  explicit GraphReader(const std::string& file) : graph_{.file = file, .names = {"from", "to"}} {}

  void line(std::string_view text) {
    ++line_;
    const auto fields = fields_of(text.substr(0, text.find_first_of("#%")));
    if (fields.empty() || fields[0] == "c") return;
    if (fields[0] == "p") {
      begin_dimacs(fields);
    } else if (kind_ != nullptr) {
      dimacs_line(fields);
    } else {
      listed_edge(fields);
    }
  }

  NamedColumns finish() {
    const std::size_t edges = graph_.numbers.size() / graph_.names.size();
    if (kind_ != nullptr && edges != edges_) {
      throw InputError(graph_.file + ": has " + std::to_string(edges) +
                       " edges, and its line p says " + std::to_string(edges_));
    }
    if (edges == 0) throw InputError(graph_.file + ": has no edges");
    return std::move(graph_);
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(graph_.file + ":" + std::to_string(line_) + ": " + message);
  }

  [[nodiscard]] double number(std::string_view field) const {
    const auto value = base::read_number(field);
    if (!value || !std::isfinite(*value)) {
      refuse("'" + base::shortened(std::string(field)) + "' is not a number");
    }
    return *value;
  }

  [[nodiscard]] std::uint64_t whole(std::string_view field) const {
    const auto value = base::read_whole_number(field);
    if (!value || *value > most_nodes_of_files) {
      refuse("'" + base::shortened(std::string(field)) + "' is not a whole number up to 2^53");
    }
    return *value;
  }

  void begin_dimacs(const std::vector<std::string_view>& fields) {
    if (kind_ != nullptr || !graph_.numbers.empty())
      refuse("a line p stands before all edges, once");
    for (const DimacsKind& kind : dimacs_kinds()) {
      if (fields.size() == 4 && fields[1] == kind.name) kind_ = &kind;
    }
    if (kind_ == nullptr) {
      refuse(
          "a line p is like 'p max 4 5': sp, max, min, asn, edge or col, the number of nodes, "
          "and the number of edges");
    }
    nodes_ = whole(fields[2]);
    edges_ = whole(fields[3]);
    graph_.names.insert(graph_.names.end(), kind_->more.begin(), kind_->more.end());
  }

  void dimacs_line(const std::vector<std::string_view>& fields) {
    if (fields[0] == "n") return;  // sources, sinks and supplies
    if (fields[0] != kind_->edge || fields.size() != 1 + graph_.names.size()) {
      refuse("an edge is a line '" + std::string(kind_->edge) + "' with " +
             std::to_string(graph_.names.size()) + " numbers");
    }
    for (std::size_t k = 1; k < fields.size(); ++k) {
      if (k > 2) {
        graph_.numbers.push_back(number(fields[k]));
        continue;
      }
      const std::uint64_t node = whole(fields[k]);
      if (node == 0 || node > nodes_) {
        refuse("node " + std::to_string(node) + " is none of 1 to " + std::to_string(nodes_));
      }
      graph_.numbers.push_back(static_cast<double>(node - 1));
    }
  }

  void listed_edge(const std::vector<std::string_view>& fields) {
    if (graph_.numbers.empty() && fields.size() == 3) graph_.names.emplace_back("weight");
    if (fields.size() != graph_.names.size()) {
      refuse("an edge has " + std::to_string(graph_.names.size()) + " numbers here, not " +
             std::to_string(fields.size()));
    }
    for (std::size_t k = 0; k < fields.size(); ++k) {
      graph_.numbers.push_back(k < 2 ? static_cast<double>(whole(fields[k])) : number(fields[k]));
    }
  }

  static constexpr std::uint64_t most_nodes_of_files = std::uint64_t{1} << 53U;

  NamedColumns graph_;
  std::size_t line_ = 0;
  const DimacsKind* kind_ = nullptr;  // null for a list of edges
  std::uint64_t nodes_ = 0;
  std::uint64_t edges_ = 0;
};

}  // namespace

NamedColumns graph_of_text(std::string_view text, const std::string& file) {
  GraphReader reader(file);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    reader.line(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return reader.finish();
}

}  // namespace keyhole::spec
