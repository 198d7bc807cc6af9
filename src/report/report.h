// What a report says, wherever it comes from: text, figures and tables.

#pragma once

#include <optional>
#include <string>
#include <vector>

namespace keyhole::report {

/// A point of a curve: the mean at round t and, if it is known, its interval [lower, upper]. A mean
/// that is not finite leaves a gap.
struct Point {
  double t = 0;
  double mean = 0;
  std::optional<double> lower = {};
  std::optional<double> upper = {};
};

/// How a curve is drawn: what was measured solid, what was published dashed, a control faint: thin,
/// grey and below the others.
enum class Style { solid, dashed, faint };

/// A curve, its points in the order of t.
struct Series {
  std::string name;
  std::vector<Point> points = {};
  Style style = Style::solid;
  /// Series of one key have one colour, in all figures of the report; the name, if this is empty.
  /// A published curve has the key of the learner that it belongs to. Faint ones are all grey.
  std::string key = {};
};

/// Where something happened: a vertical line in a figure of curves.
struct Mark {
  double t = 0;
  std::string name = {};
};

/// A figure: curves, or bars in groups. Its reader can switch both axes between logarithmic and
/// linear; log_x and log_y say how it begins. One that has means at or below zero begins with a
/// linear y axis, and says so.
struct Figure {
  std::string title;
  /// A sentence below the title.
  std::string note = {};
  std::string x_label = {};
  std::string y_label = {};
  bool log_x = false;
  bool log_y = false;
  std::vector<Series> series = {};
  /// The names of the groups of a bar chart, in which each series has a bar; none for curves. The
  /// t of a point is then the number of its group, from 0 on.
  std::vector<std::string> groups = {};
  /// Of a bar chart: a value to compare with. It is drawn as a line, and bars on a logarithmic axis
  /// begin there.
  std::optional<double> reference = {};
  /// Of curves.
  std::vector<Mark> marks = {};
};

/// What a cell of a table has to say about a claim, or that it is out of the ordinary; shown as a
/// colour and as a sign.
enum class Verdict { none, good, partly, bad, warn };

/// A cell of a table.
struct Cell {
  std::string text;
  Verdict verdict = Verdict::none;
};

/// A column of a table; numbers are set flush right.
struct Column {
  std::string title;
  bool number = false;
};

/// A table; a row shorter than the header is filled with blanks. On a phone a table of more than
/// three columns shows each row as a list.
struct Table {
  std::string title;
  /// Stands before the title, if it is not blank. Tables that have one are set next to each other.
  Cell verdict = {};
  /// A sentence below the table.
  std::string note = {};
  std::vector<Column> header = {};
  std::vector<std::vector<Cell>> rows = {};
};

/// A chapter: paragraphs, then figures, then tables.
struct Section {
  std::string title;
  std::vector<std::string> text = {};
  std::vector<Figure> figures = {};
  std::vector<Table> tables = {};
};

/// A line of the report's particulars: seed, version, command. No dates: the same results make the
/// same bytes.
struct Fact {
  std::string label;
  std::string value;
};

/// A report. All text is plain text: whatever shows it escapes it.
struct Report {
  std::string title;
  /// The result in a sentence, below the title.
  std::string headline = {};
  std::vector<std::string> introduction = {};
  std::vector<Fact> facts = {};
  std::vector<Section> sections = {};
};

}  // namespace keyhole::report
