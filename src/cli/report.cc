#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "cli/commands.h"
#include "keyhole/error.h"
#include "report/figures.h"
#include "report/html.h"
#include "report/results.h"

namespace keyhole::cli {

int report(const Arguments& arguments) {
  const std::string& directory = arguments.argument;
  const report::Report results = report::of_results(directory);
  const std::string file = directory + "/report.html";
  std::ofstream out(file, std::ios::binary);
  out << report::html(results);
  out.close();
  if (!out) throw Error(file + " cannot be written: " + std::strerror(errno));
  const report::WrittenFigures figures = report::write_figures(results, directory + "/figures");
  if (!figures.message.empty()) std::cerr << "keyhole: " << figures.message << "\n";
  std::cout << file << "\n";
  for (const std::string& figure : figures.files)
    std::cout << directory << "/figures/" << figure << "\n";
  return 0;
}

}  // namespace keyhole::cli
