#include "studies/study/label.h"

#include <algorithm>
#include <sstream>

#include "base/joined.h"
#include "base/nearest.h"
#include "base/quoted.h"
#include "base/shortened.h"

namespace keyhole::studies {
namespace {

constexpr std::size_t longest_note = 10000;  // bytes
constexpr std::size_t longest_tag = 100;
constexpr std::size_t most_tags = 20;

bool is_tag(const std::string& word) {
  constexpr std::string_view signs = "-_.:/";
  return !word.empty() && word.size() <= longest_tag &&
         std::all_of(word.begin(), word.end(), [&](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  signs.find(c) != std::string_view::npos;
         });
}

bool is_text(std::string_view text) {
  constexpr std::string_view blanks = "\n\r\t";
  while (!text.empty()) {
    const std::size_t letter = base::length_of_letter(text);
    if (letter == 0 && blanks.find(text[0]) == std::string_view::npos) return false;
    text.remove_prefix(std::max(letter, std::size_t{1}));
  }
  return true;
}

bool contains(const std::string& text, const std::string& part) {
  return base::lower_case(text).find(base::lower_case(part)) != std::string::npos;
}

}  // namespace

std::string label_text(const StudyLabel& label) {
  if (!is_text(label.note)) {
    throw InvalidArgument("a note must be text in UTF-8, of letters that print and ends of lines");
  }
  if (label.note.size() > longest_note) {
    throw InvalidArgument("a note has at most " + std::to_string(longest_note) +
                          " bytes, and this one has " + std::to_string(label.note.size()));
  }
  std::vector<std::string> tags;
  for (const std::string& tag : label.tags) {
    if (!is_tag(tag)) {
      throw InvalidArgument(base::quoted(tag) + " cannot be a tag: take up to " +
                            std::to_string(longest_tag) +
                            " letters, digits, '-', '_', '.', ':' and '/'");
    }
    if (std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(tag);
    if (tags.size() > most_tags) {
      throw InvalidArgument("a study has at most " + std::to_string(most_tags) +
                            " tags, and these are more");
    }
  }
  if (tags.empty() && label.note.empty()) return "";
  return base::joined(tags, " ") + "\n" + label.note;
}

StudyLabel read_label(const std::string& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  StudyLabel label;
  std::istringstream words(text.substr(0, end));
  for (std::string tag; words >> tag;) label.tags.push_back(tag);
  label.note = text.substr(std::min(end + 1, text.size()));
  return label;
}

bool fits(const LabelledStudy& study, const StudySearch& search) {
  const auto& [note, tags] = study.label;
  const bool has_tag =
      search.tag.empty() || std::find(tags.begin(), tags.end(), search.tag) != tags.end();
  return has_tag && (contains(study.name, search.text) || contains(note, search.text));
}

}  // namespace keyhole::studies
