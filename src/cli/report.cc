#include <filesystem>
#include <iostream>

#include "base/disk.h"
#include "cli/commands.h"
#include "cli/study.h"
#include "keyhole/error.h"
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

namespace {

namespace fs = std::filesystem;

bool holds_results(const std::string& directory) {
  std::error_code error;
  return fs::exists(directory + "/summary.json", error) ||
         fs::exists(directory + "/curves.csv", error);
}

/// Whether a study is meant, and not a directory of results.
bool means_study(const Arguments& arguments, const Program& program) {
  const std::string name = arguments.word(0);
  if (arguments.has("--store")) return true;
  if (holds_results(name)) return false;
  if (has_study(arguments, program)) return true;
  std::error_code error;
  if (fs::is_directory(name, error)) return false;
  throw InputError("there is neither a directory '" + name + "' nor a study of that name: '" +
                   program.name +
                   " run' makes a directory of results, and --store names the folder of a study");
}

}  // namespace

int report(const Arguments& arguments, const Program& program) {
  const std::string name = arguments.word(0);
  const bool of_study = means_study(arguments, program);
  const std::string directory = arguments.get("--out", of_study ? name + ".report" : name);
  const report::Report report =
      of_study ? study_report(the_store(arguments, program), name, program.catalogue)
               : report::of_results(name);
  if (std::error_code error; !fs::create_directories(directory, error) && error) {
    throw Error("the directory " + directory + " cannot be made: " + error.message());
  }
  for (const std::string& file : write_report(report, directory, program)) {
    std::cout << file << "\n";
  }
  return 0;
}

}  // namespace keyhole::cli
