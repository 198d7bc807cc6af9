#include "report/html.h"

#include <map>
#include <string_view>

#include "keyhole/version.h"
#include "report/assets.h"
#include "report/figure_data.h"
#include "report/text.h"

namespace keyhole::report {
namespace {

/// The template with each {{name}} replaced by its value. What is put in is not looked at again.
std::string filled(std::string_view page, const std::map<std::string_view, std::string>& values) {
  std::string result;
  for (;;) {
    const auto begin = page.find("{{");
    result += page.substr(0, begin);
    if (begin == std::string_view::npos) return result;
    const auto end = page.find("}}", begin);
    result += values.at(page.substr(begin + 2, end - begin - 2));
    page.remove_prefix(end + 2);
  }
}

std::string element(const std::string& tag, const std::string& text) {
  return "<" + tag + ">" + escaped(text) + "</" + tag + ">\n";
}

/// An element, or nothing where there is no text.
std::string optional_element(const std::string& opening, const std::string& tag,
                             const std::string& text) {
  return text.empty() ? "" : "<" + opening + ">" + escaped(text) + "</" + tag + ">\n";
}

std::string paragraphs(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) result += element("p", text);
  return result;
}

std::string facts(const Report& report) {
  if (report.facts.empty()) return "";
  std::string result = "<dl class=\"facts\">\n";
  for (const Fact& fact : report.facts) {
    result += "<div>" + element("dt", fact.label) + element("dd", fact.value) + "</div>\n";
  }
  return result + "</dl>\n";
}

std::string contents(const Report& report) {
  if (report.sections.size() < 2) return "";
  std::string result = "<nav aria-label=\"Sections\"><ul>\n";
  for (std::size_t i = 0; i < report.sections.size(); ++i) {
    result += "<li><a href=\"#section-" + std::to_string(i) + "\">" +
              escaped(report.sections[i].title) + "</a></li>\n";
  }
  return result + "</ul></nav>\n";
}

/// The frame of a figure, which the script fills.
std::string frame(const Figure& figure, std::size_t number) {
  return "<figure id=\"figure-" + std::to_string(number) + "\" data-figure=\"" +
         std::to_string(number) + "\">\n<figcaption><h3>" + escaped(figure.title) + "</h3>\n" +
         optional_element("p", "p", figure.note) + "</figcaption>\n</figure>\n";
}

/// What a cell says: the classes of its element, and its text with the sign of its verdict.
struct Shown {
  std::string classes;
  std::string text;
};

Shown shown(const Cell& cell) {
  static const std::map<Verdict, std::pair<std::string, std::string>> verdicts = {
      {Verdict::good, {"good", "✓"}},
      {Verdict::partly, {"partly", "~"}},
      {Verdict::bad, {"bad", "✗"}},
      {Verdict::warn, {"warn", "!"}}};
  const auto verdict = verdicts.find(cell.verdict);
  if (verdict == verdicts.end()) return {"", escaped(cell.text)};
  return {verdict->second.first,
          "<span class=\"sign\">" + verdict->second.second + "</span>&nbsp;" + escaped(cell.text)};
}

/// A cell; the title of its column is shown where a row is a list.
std::string cell_html(const Cell& cell, const Column& column, bool listed) {
  auto [classes, text] = shown(cell);
  constexpr std::size_t long_text = 24;
  const std::string kind = column.number ? "number" : cell.text.size() > long_text ? "long" : "";
  if (!kind.empty()) classes = classes.empty() ? kind : kind + " " + classes;
  return "<td" + (classes.empty() ? "" : " class=\"" + classes + "\"") +
         (listed ? " data-title=\"" + escaped(column.title) + "\"" : "") + ">" + text + "</td>";
}

/// Whether a table has more columns than fit a phone: each row is a list there.
bool is_listed(const Table& table) { return table.header.size() > 3; }

std::string table_html(const Table& table) {
  const bool listed = is_listed(table);
  const std::string title = escaped(table.title);
  const auto [classes, verdict] = shown(table.verdict);
  std::string result =
      R"(<div class="table" tabindex="0" role="region" aria-label=")" + title + "\">\n" +
      (listed ? "<table class=\"listed\">" : "<table>") + "\n<caption>" +
      (verdict.empty() ? ""
                       : "<span class=\"verdict" + (classes.empty() ? "" : " " + classes) + "\">" +
                             verdict + "</span> ") +
      "<strong>" + title + "</strong></caption>\n<thead><tr>";
  for (const Column& column : table.header) {
    result += std::string("<th scope=\"col\"") + (column.number ? " class=\"number\"" : "") + ">" +
              escaped(column.title) + "</th>";
  }
  result += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    result += "<tr>";
    for (std::size_t j = 0; j < table.header.size(); ++j) {
      result += cell_html(j < row.size() ? row[j] : Cell{}, table.header[j], listed);
    }
    result += "</tr>\n";
  }
  return result + "</tbody>\n</table>\n</div>\n" +
         optional_element("p class=\"table-note\"", "p", table.note);
}

/// The tables below each other; narrow ones with a verdict next to each other, if there is room.
std::string tables_html(const std::vector<Table>& tables) {
  std::string result;
  bool judged = false;
  for (const Table& table : tables) {
    if (judged == table.verdict.text.empty()) {
      judged = !judged;
      result += judged ? "<div class=\"judged\">\n" : "</div>\n";
    }
    const std::string opening = is_listed(table) ? "<div class=\"wide\">\n" : "<div>\n";
    result += judged ? opening + table_html(table) + "</div>\n" : table_html(table);
  }
  return result + (judged ? "</div>\n" : "");
}

std::string sections(const Report& report) {
  std::string result;
  std::size_t number = 0;
  for (std::size_t i = 0; i < report.sections.size(); ++i) {
    const Section& section = report.sections[i];
    result += "<section id=\"section-" + std::to_string(i) + "\">\n" +
              element("h2", section.title) + paragraphs(section.text);
    if (!section.figures.empty()) {
      result += "<div class=\"figures\">\n";
      for (const Figure& figure : section.figures) result += frame(figure, number++);
      result += "</div>\n";
    }
    result += tables_html(section.tables) + "</section>\n";
  }
  return result;
}

}  // namespace

std::string html(const Report& report) {
  return filled(assets::page_html,
                {{"title", escaped(report.title)},
                 {"version", version},
                 {"dygraph_css", std::string(assets::dygraph_css)},
                 {"report_css", std::string(assets::report_css)},
                 {"headline", optional_element("p class=\"headline\"", "p", report.headline)},
                 {"introduction", paragraphs(report.introduction)},
                 {"facts", facts(report)},
                 {"contents", contents(report)},
                 {"sections", sections(report)},
                 {"data", figure_data(report)},
                 {"dygraph_js", std::string(assets::dygraph_js)},
                 {"ticks_js", std::string(assets::ticks_js)},
                 {"panel_js", std::string(assets::panel_js)},
                 {"curves_js", std::string(assets::curves_js)},
                 {"bars_js", std::string(assets::bars_js)},
                 {"report_js", std::string(assets::report_js)}});
}

}  // namespace keyhole::report
