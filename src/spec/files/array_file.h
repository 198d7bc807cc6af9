// Lists of numbers and matrices that are written down in files.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keyhole/contents.h"

namespace keyhole::spec {

/// The numbers of a file, by its ending: an array of NumPy (.npy), of float64 and one or two
/// dimensions; a table (.csv), whose first line names the columns; and else a graph
/// (graph_of_text), which is its edges, a row [from, to] each. `column` picks one column of a table
/// or a graph. Throws InputError.
[[nodiscard]] Array array_of_file(const std::string& path, const std::string& column = {});

/// Numbers with a name for each column.
struct NamedColumns {
  /// What they were read from.
  std::string file;
  /// The names.
  std::vector<std::string> names;
  /// Row by row.
  std::vector<double> numbers = {};
};

/// A graph: in DIMACS's format if a line begins with "p", and else a list of edges.
///
/// - DIMACS: `p sp 3 2` or min, max, asn, edge and col, with how many nodes and edges there are;
///   then an edge a line, `a 1 2 7` or `e 1 2`. Nodes are counted from 1 in the file, and from 0
///   here. Besides from and to there are the columns length (sp), capacity (max), lower, capacity
///   and cost (min) and cost (asn). Lines that begin with c or n say nothing of edges.
/// - A list of edges: two nodes a line, counted from 0, and perhaps a number, the column weight.
///   What follows # or % is a comment.
///
/// `file` stands in messages. Throws InputError.
[[nodiscard]] NamedColumns graph_of_text(std::string_view text, const std::string& file);

}  // namespace keyhole::spec
