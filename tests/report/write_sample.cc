// usage: report_sample <directory>
//
// Writes sample.html, results.html, odd.html and study.html into the directory, for the test in a
// browser.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "report/figures.h"
#include "report/html.h"
#include "report/results.h"
#include "report/study.h"
#include "sample.h"
#include "study_sample.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: report_sample <directory>\n";
    return 2;
  }
  try {
    const std::filesystem::path directory = argv[1];
    keyhole::tests::write_sample_results(directory / "results");
    const auto sample = keyhole::tests::sample_report();
    std::ofstream(directory / "sample.html") << keyhole::report::html(sample);
    std::ofstream(directory / "odd.html") << keyhole::report::html(keyhole::tests::odd_report());
    std::ofstream(directory / "results.html")
        << keyhole::report::html(keyhole::report::of_results((directory / "results").string()));
    const auto study = keyhole::report::of_study(keyhole::tests::sample_history());
    std::ofstream(directory / "study.html") << keyhole::report::html(study);
    const auto written = keyhole::report::write_figures(sample, (directory / "figures").string());
    if (!written.message.empty()) std::cerr << written.message << "\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
