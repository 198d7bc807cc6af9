#include <iostream>

#include "base/disk.h"
#include "cli/commands.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/results.h"

namespace keyhole::cli {

std::vector<std::string> write_report(const report::Report& report, const std::string& directory,
                                      const Program& program) {
  base::Disk disk;
  std::vector<std::string> files = {directory + "/report.html"};
  base::write_file(disk, files.front(), report::html(report));
  const report::WrittenFigures figures = report::write_figures(report, directory + "/figures");
  if (!figures.message.empty()) std::cerr << program.name << ": " << figures.message << "\n";
  for (const std::string& figure : figures.files) {
    files.push_back(directory + "/figures/" + figure);
  }
  return files;
}

int report(const Arguments& arguments, const Program& program) {
  const std::string directory = arguments.word(0);
  for (const std::string& file : write_report(report::of_results(directory), directory, program)) {
    std::cout << file << "\n";
  }
  return 0;
}

}  // namespace keyhole::cli
