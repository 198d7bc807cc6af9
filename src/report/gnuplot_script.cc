#include "report/gnuplot_script.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/number_text.h"

namespace keyhole::report {
namespace {

/// In single quotes gnuplot knows no escapes and runs no commands; only the quote itself is
/// doubled. A backquote is replaced all the same, and a control character, such as a line's end.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '`') {
      result += "''";
    } else {
      result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  }
  return result + "'";
}

std::string number_or_nan(double value) {
  return std::isfinite(value) ? base::number_text(value) : "NaN";
}

bool every_mean_positive(const Figure& figure) {
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) {
      if (std::isfinite(point.mean) && point.mean <= 0) return false;
    }
  }
  return true;
}

double least_mean(const Figure& figure) {
  double least = std::numeric_limits<double>::infinity();
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) least = std::min(least, point.mean);
  }
  return least;
}

/// Faint curves are told apart by their dashes.
std::string faint_line(std::size_t number) {
  return " lw 1 dt " + std::to_string(number % 4 + 1) + " lc rgb '" + light_faint + "'";
}

std::string dash_type(const Series& series, std::size_t colour) {
  const bool dots = colour >= light_palette.size();
  if (series.style == Style::dashed) return dots ? "4" : "2";
  return dots ? "3" : "1";
}

std::string ink_of(std::size_t colour) {
  return " lc rgb '" + std::string(light_palette[colour % light_palette.size()]) + "'";
}

/// A script: the data, what is set, and the plot once a terminal.
std::string script_of(const Figure& figure, const std::string& stem, const std::string& data,
                      const std::string& settings, std::string plots) {
  std::string script = "# Run by gnuplot, makes " + stem + ".svg, " + stem + ".png and " + stem +
                       ".pdf.\n" + data + settings + "set title " + in_quotes(figure.title) +
                       "\nset xlabel " + in_quotes(figure.x_label) + " offset 0,0.5\nset ylabel " +
                       in_quotes(figure.y_label) +
                       "\nset grid lt 1 lw 0.5 lc rgb '#dddddd'\nset border 3 lc rgb '#555555'\n"
                       "set tics nomirror\nset key below left Left reverse maxcols 3 height 1\n";
  if (!plots.empty()) plots = "plot \\\n" + plots.substr(0, plots.size() - 4) + "\n";
  for (const auto& [ending, terminal] :
       {std::pair(".svg", "svg noenhanced size 800,560 font 'sans-serif,13' background '#ffffff'"),
        std::pair(".png", "pngcairo noenhanced size 1600,1120 fontscale 1.7 linewidth 2"),
        std::pair(".pdf", "pdfcairo noenhanced size 6in,4.2in font 'sans-serif,10'")}) {
    script += std::string("set terminal ") + terminal + "\nset output " + in_quotes(stem + ending) +
              "\n" + plots + "unset output\n";
  }
  return script;
}

std::string curves_script(const Figure& figure, const Colours& colours, const std::string& stem) {
  const bool log_y = figure.log_y && every_mean_positive(figure);
  // On a logarithmic axis an interval that reaches below zero ends at the axis.
  const double floor = log_y ? least_mean(figure) / 10 : -std::numeric_limits<double>::infinity();

  std::string script;
  std::string faint;        // below the others...
  std::string faint_names;  // ...and last in the legend
  std::size_t faint_count = 0;
  std::string bands;
  std::string lines;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    if (series.points.empty()) continue;
    const std::string data = "$series" + std::to_string(i);
    script += data + " << END\n";
    bool intervals = false;
    for (const Point& point : series.points) {
      intervals |= point.lower && point.upper;
      script += number_or_nan(point.t) + " " + number_or_nan(point.mean) + " " +
                number_or_nan(std::max(point.lower.value_or(point.mean), floor)) + " " +
                number_or_nan(point.upper.value_or(point.mean)) + "\n";
    }
    script += "END\n";
    if (series.style == Style::faint) {
      const std::string line = faint_line(faint_count++);
      faint += "  " + data + " using 1:2 with lines" + line + " notitle, \\\n";
      faint_names += "  NaN with lines" + line + " title " + in_quotes(series.name) + ", \\\n";
      continue;
    }
    const std::size_t colour = colours(series);
    const std::string ink = ink_of(colour);
    if (intervals) {
      bands += "  " + data + " using 1:3:4 with filledcurves fs transparent solid 0.15 noborder" +
               ink + " notitle, \\\n";
    }
    lines += "  " + data + " using 1:2 with lines lw 2 dt " + dash_type(series, colour) + ink +
             " title " + in_quotes(series.name) + ", \\\n";
  }
  std::string settings = "set autoscale xfix\n";
  if (figure.log_x) settings += "set logscale x\n";
  if (log_y) settings += "set logscale y\n";
  for (const Mark& mark : figure.marks) {
    const std::string t = number_or_nan(mark.t);
    settings += "set arrow from first " + t + ", graph 0 to first " + t +
                ", graph 1 nohead dt 2 lc rgb '#777777'\n";
  }
  return script_of(figure, stem, script, settings, faint + bands + lines + faint_names);
}

/// Where the interval of a bar begins; on a logarithmic axis at the bar's end, if that is below 0.
double lower_end(const Point& point, bool log_y) {
  const double lower = point.lower.value_or(point.mean);
  return log_y && lower <= 0 ? point.mean : lower;
}

/// The range of a bar chart with room for numbers at the ends of the bars, all of which begin at
/// `base`.
std::string bars_range(const Figure& figure, bool log_y, double base) {
  double low = std::min(base, figure.reference.value_or(base));
  double high = std::max(base, figure.reference.value_or(base));
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) {
      if (!std::isfinite(point.mean)) continue;
      low = std::min(low, lower_end(point, log_y));
      high = std::max(high, point.upper.value_or(point.mean));
    }
  }
  if (!(high > low)) high = log_y ? 2 * low : low + 1;
  const double room = log_y ? std::pow(high / low, 0.08) : 0.08 * (high - low);
  const double bottom = low == base ? low : log_y ? low / room : low - room;
  return "set yrange [" + number_or_nan(bottom) + ":" +
         number_or_nan(log_y ? high * room : high + room) + "]\n";
}

/// Names with a line's end after each comma.
std::string in_lines(std::string_view name) {
  const auto comma = name.find(", ");
  if (comma == std::string_view::npos) return in_quotes(name);
  return in_quotes(name.substr(0, comma + 1)) + R"(."\n".)" + in_lines(name.substr(comma + 2));
}

/// Bars as rectangles, so that they can begin at the reference of a logarithmic axis.
std::string bars_script(const Figure& figure, const Colours& colours, const std::string& stem) {
  const bool log_y = figure.log_y && every_mean_positive(figure);
  const double base = !log_y ? 0 : figure.reference.value_or(least_mean(figure) / 2);
  const double width = 0.84 / static_cast<double>(figure.series.size());
  const std::string thin = " lw 1 dt 1 lc rgb '#333333' notitle, \\\n";

  std::string script;
  std::string bars;
  std::string intervals;
  std::string up;    // the numbers above the bars...
  std::string down;  // ...and below those that point down
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    const std::string data = "$series" + std::to_string(i);
    const double shift = (static_cast<double>(i) + 0.5) * width - 0.42;
    std::string rows;
    for (const Point& point : series.points) {
      if (!std::isfinite(point.mean)) continue;
      const double x = point.t + shift;
      const double lower = lower_end(point, log_y);
      const double upper = point.upper.value_or(point.mean);
      for (const double value :
           {x, point.mean, x - 0.41 * width, x + 0.41 * width, base, point.mean, lower, upper}) {
        rows += number_or_nan(value) + " ";
      }
      rows += "\n";
      (point.mean < base ? down : up) += number_or_nan(x) + " " +
                                         number_or_nan(point.mean < base ? lower : upper) + " " +
                                         base::digits_text(point.mean, 3) + "\n";
    }
    if (rows.empty()) continue;
    script += data + " << END\n" + rows + "END\n";
    const bool published = series.style == Style::dashed;
    bars += "  " + data + " using 1:2:3:4:5:6 with boxxyerror fs " +
            (published ? "pattern 4 border dt 2" : "solid 1 border dt 1") +
            ink_of(colours(series)) + " title " + in_quotes(series.name) + ", \\\n";
    if (!published) {
      intervals +=
          "  " + data + " using 1:7:(0):($8-$7) with vectors heads size screen 0.004,90" + thin;
    }
  }
  std::string numbers;
  for (const auto& [name, rows, offset] :
       {std::tuple("$up", up, "0.6"), std::tuple("$down", down, "-0.6")}) {
    if (rows.empty()) continue;
    script += std::string(name) + " << END\n" + rows + "END\n";
    numbers += std::string("  ") + name + " using 1:2:3 with labels font ',10' offset 0," + offset +
               " notitle, \\\n";
  }
  if (figure.reference) {
    numbers += "  " + number_or_nan(*figure.reference) + " with lines" + thin;
  }
  std::string names;
  for (std::size_t g = 0; g < figure.groups.size(); ++g) {
    names += (g == 0 ? "" : ", ") + in_lines(figure.groups[g]) + " " + std::to_string(g);
  }
  const std::string settings =
      "set bmargin 6.5\nset xtics (" + names + ") scale 0\nset xrange [-0.5:" +
      number_or_nan(static_cast<double>(figure.groups.size()) - 0.5) + "]\n" +
      (log_y ? "set logscale y\n" : "") + bars_range(figure, log_y, base);
  return script_of(figure, stem, script, settings, bars.empty() ? "" : bars + intervals + numbers);
}

}  // namespace

std::string gnuplot_script(const Figure& figure, const Colours& colours, const std::string& stem) {
  return figure.groups.empty() ? curves_script(figure, colours, stem)
                               : bars_script(figure, colours, stem);
}

}  // namespace keyhole::report
