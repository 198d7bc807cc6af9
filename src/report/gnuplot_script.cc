#include "report/gnuplot_script.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "math/number_text.h"

namespace keyhole::report {
namespace {

/// In single quotes gnuplot knows no escapes and runs no commands; only the quote itself is
/// doubled. A backquote is replaced all the same, and a control character, such as a line's end.
std::string quoted(std::string_view text) {
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

std::string number(double value) { return std::isfinite(value) ? math::number_text(value) : "NaN"; }

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

std::string dash_type(const Series& series, std::size_t colour) {
  const bool dots = colour >= light_palette.size();
  if (series.style == Style::dashed) return dots ? "4" : "2";
  return dots ? "3" : "1";
}

}  // namespace

std::string gnuplot_script(const Figure& figure, const Colours& colours, const std::string& stem) {
  const bool log_y = figure.log_y && every_mean_positive(figure);
  // On a logarithmic axis an interval that reaches below zero ends at the axis.
  const double floor = log_y ? least_mean(figure) / 10 : -std::numeric_limits<double>::infinity();

  std::string script = "# Run by gnuplot, makes " + stem + ".svg and " + stem + ".png.\n";
  std::string bands;
  std::string lines;
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const Series& series = figure.series[i];
    if (series.points.empty()) continue;
    const std::string data = "$series" + std::to_string(i);
    const std::size_t colour = colours(series);
    const std::string ink =
        " lc rgb '" + std::string(light_palette[colour % light_palette.size()]) + "'";
    script += data + " << END\n";
    bool intervals = false;
    for (const Point& point : series.points) {
      intervals |= point.lower && point.upper;
      script += number(point.t) + " " + number(point.mean) + " " +
                number(std::max(point.lower.value_or(point.mean), floor)) + " " +
                number(point.upper.value_or(point.mean)) + "\n";
    }
    script += "END\n";
    if (intervals) {
      bands += "  " + data + " using 1:3:4 with filledcurves fs transparent solid 0.15 noborder" +
               ink + " notitle, \\\n";
    }
    lines += "  " + data + " using 1:2 with lines lw 2 dt " + dash_type(series, colour) + ink +
             " title " + quoted(series.name) + ", \\\n";
  }
  if (!lines.empty()) lines.erase(lines.size() - 4);  // the last comma

  if (figure.log_x) script += "set logscale x\n";
  if (log_y) script += "set logscale y\n";
  script += "set title " + quoted(figure.title) + "\nset xlabel " + quoted(figure.x_label) +
            " offset 0,0.5\nset ylabel " + quoted(figure.y_label) +
            "\nset autoscale xfix\nset grid lt 1 lw 0.5 lc rgb '#dddddd'\n"
            "set border 3 lc rgb '#555555'\nset tics nomirror\n"
            "set key below left Left reverse maxcols 3 height 1\n";
  const std::string plot = lines.empty() ? "" : "plot \\\n" + bands + lines + "\n";
  for (const std::string terminal :
       {"svg noenhanced size 800,560 font 'sans-serif,13' background '#ffffff'",
        "pngcairo noenhanced size 1600,1120 fontscale 1.7 linewidth 2"}) {
    const std::string ending = terminal.starts_with("svg") ? ".svg" : ".png";
    script += "set terminal " + terminal + "\nset output " + quoted(stem + ending) + "\n" + plot +
              "unset output\n";
  }
  return script;
}

}  // namespace keyhole::report
