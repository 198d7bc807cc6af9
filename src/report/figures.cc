#include "report/figures.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/disk.h"
#include "keyhole/error.h"
#include "report/gnuplot_script.h"

namespace keyhole::report {
namespace {

/// Small letters, digits and single hyphens; at most 40 characters.
std::string sanitised(const std::string& title) {
  std::string result;
  for (const char c : title) {
    if (result.size() >= 40) break;
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      result += c;
    } else if (c >= 'A' && c <= 'Z') {
      result += static_cast<char>(c - 'A' + 'a');
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  while (!result.empty() && result.back() == '-') result.pop_back();
  return result;
}

/// The number keeps names apart that are alike without their signs.
std::string stem_of(std::size_t number, const std::string& section, const std::string& title) {
  std::string stem = (number < 10 ? "0" : "") + std::to_string(number);
  for (const std::string& part : {sanitised(section), sanitised(title)}) {
    if (!part.empty()) stem += "-" + part;
  }
  return stem;
}

constexpr int not_found = 127;  // as the shell has it

/// Runs a program in a directory with one argument, without a shell and without its output; what it
/// complains of goes to the standard error. Returns how it exited, 127 if there is no such program.
int run(const std::string& program, const std::string& directory, const std::string& argument) {
  // Made before the fork: afterwards, with other threads about, nothing may be allocated.
  std::string program_copy = program;
  std::string argument_copy = argument;
  char* const arguments[] = {program_copy.data(), argument_copy.data(), nullptr};
  const pid_t child = fork();
  if (child < 0) throw Error("a process for " + program + " cannot be started");
  if (child == 0) {
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere >= 0) {
      dup2(nowhere, STDIN_FILENO);
      dup2(nowhere, STDOUT_FILENO);
    }
    if (chdir(directory.c_str()) == 0) execvp(program.c_str(), arguments);
    _exit(not_found);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Error(program + " cannot be waited for");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

WrittenFigures write_figures(const Report& report, const std::string& directory,
                             const std::string& gnuplot) {
  const std::filesystem::path path(directory);
  std::error_code made;
  std::filesystem::create_directories(path, made);
  if (made) throw Error("the directory " + directory + " cannot be made: " + made.message());

  base::Disk disk;
  const Colours colours(report);
  WrittenFigures written;
  std::size_t number = 0;
  bool present = true;
  for (const Section& section : report.sections) {
    for (const Figure& figure : section.figures) {
      const std::string stem = stem_of(++number, section.title, figure.title);
      const std::string script = stem + ".gp";
      base::write_file(disk, path / script, gnuplot_script(figure, colours, stem));
      written.files.push_back(script);
      if (!present) continue;
      const int exited = run(gnuplot, directory, script);
      if (exited == 0) {
        for (const char* const ending : {".svg", ".png", ".pdf"}) {
          written.files.push_back(stem + ending);
        }
      } else if (exited == not_found) {
        present = false;
        written.message =
            "gnuplot is not installed: there are no SVG, PNG and PDF figures, but their "
            "scripts, which gnuplot will draw";
      } else {
        written.message = "gnuplot failed on " + (path / script).string();
      }
    }
  }
  return written;
}

}  // namespace keyhole::report
