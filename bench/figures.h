#pragma once

// Figures with names, as lines or, with --json, as one object for scripts/performance.

#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace keyhole::bench {

class Figures {
 public:
  void add(const std::string& name, double value) { figures_.emplace_back(name, value); }
  void say(const std::string& name, const std::string& text) { texts_.emplace_back(name, text); }

  void print(bool as_json) const {
    const char* separator = as_json ? "{\n" : "";
    for (const auto& [name, value] : figures_) {
      if (as_json) {
        std::printf("%s\"%s\": %.17g", separator, name.c_str(), value);
      } else {
        std::printf("%-52s %12.4g\n", name.c_str(), value);
      }
      separator = ",\n";
    }
    for (const auto& [name, text] : texts_) {
      std::printf(as_json ? ",\n\"%s\": \"%s\"" : "%-52s %s\n", name.c_str(), text.c_str());
    }
    if (as_json) std::printf("\n}\n");
  }

 private:
  std::vector<std::pair<std::string, double>> figures_;
  std::vector<std::pair<std::string, std::string>> texts_;
};

inline bool wants_json(int count, char** arguments) {
  return count > 1 && std::strcmp(arguments[1], "--json") == 0;
}

}  // namespace keyhole::bench
