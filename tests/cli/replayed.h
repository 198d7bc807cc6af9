// Commands with what they print and how they end, run again.

#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "folder.h"

namespace keyhole::tests {

/// What a command prints and how it ends, as a transcript shows it.
inline std::string transcript_of(const std::string& command, const std::filesystem::path& folder) {
  const std::string shell = "cd '" + folder.string() + "' && { " + command + "\n} 2>&1";
  FILE* pipe = popen(shell.c_str(), "r");
  if (pipe == nullptr) return "popen failed\n";
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  if (!text.empty() && text.back() != '\n') text += "[no newline]\n";
  if (!WIFEXITED(status)) return text + "[killed]\n";
  if (WEXITSTATUS(status) != 0) text += "[" + std::to_string(WEXITSTATUS(status)) + "]\n";
  return text;
}

/// The program is found first, and speaks the same language everywhere.
inline void find_program() {
  const std::string path = std::filesystem::path(KEYHOLE_PROGRAM).parent_path().string();
  setenv("PATH", (path + ":" + std::getenv("PATH")).c_str(), 1);
  setenv("LC_ALL", "C", 1);
}

/// The text with every command run again in a folder; comments above the first command stay.
inline std::string replayed(const std::string& recorded, const std::filesystem::path& folder) {
  std::string text;
  std::istringstream lines(recorded);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#") && text.find("$ ") == std::string::npos) text += line + "\n";
    if (line.starts_with("$ ")) text += line + "\n" + transcript_of(line.substr(2), folder);
  }
  return text;
}

}  // namespace keyhole::tests
