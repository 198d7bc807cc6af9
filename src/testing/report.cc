#include "testing/report.h"

#include <algorithm>
#include <exception>

namespace keyhole::testing {

bool Report::failed(const std::string& check) const {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.check == check; });
}

std::string Report::text() const {
  std::string lines;
  auto finding = findings.begin();
  for (const std::string& check : checks) {
    if (finding != findings.end() && finding->check == check) {
      lines += check + ": FAILED: " + finding->message + "\n";
      ++finding;
    } else {
      lines += check + ": ok\n";
    }
  }
  return lines;
}

void run_check(Report& report, const std::string& name, const std::function<Complaint()>& check) {
  Complaint complaint;
  try {
    complaint = check();
  } catch (const std::exception& error) {
    complaint = std::string("an exception: ") + error.what();
  } catch (...) {
    complaint = "an exception of an unknown type";
  }
  report.checks.push_back(name);
  if (!complaint.empty()) report.findings.push_back({name, complaint});
}

std::string short_list(std::span<const double> values) {
  constexpr std::size_t most = 6;
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(values.size(), most); ++i) {
    text += (i == 0 ? "" : ", ") + base::number_text(values[i]);
  }
  return text + (values.size() > most ? ", ...]" : "]");
}

}  // namespace keyhole::testing
