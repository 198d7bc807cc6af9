#include "report/palette.h"

#include <algorithm>

namespace keyhole::report {
namespace {

const std::string& key(const Series& series) {
  return series.key.empty() ? series.name : series.key;
}

}  // namespace

Colours::Colours(const Report& report) {
  for (const Section& section : report.sections) {
    for (const Figure& figure : section.figures) {
      for (const Series& series : figure.series) {
        if (series.style == Style::faint) continue;
        if (std::find(keys_.begin(), keys_.end(), key(series)) == keys_.end()) {
          keys_.push_back(key(series));
        }
      }
    }
  }
}

std::size_t Colours::operator()(const Series& series) const {
  return static_cast<std::size_t>(std::find(keys_.begin(), keys_.end(), key(series)) -
                                  keys_.begin());
}

}  // namespace keyhole::report
