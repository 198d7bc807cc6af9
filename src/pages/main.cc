// usage: keyhole_set_pages FOLDER
//
// Writes the pages of all sets, their pictures and their index into the folder.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "pages/set_pages.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: keyhole_set_pages FOLDER\n";
    return 2;
  }
  try {
    const std::filesystem::path folder = arguments[1];
    std::filesystem::create_directories(folder);
    for (const keyhole::pages::File& page : keyhole::pages::set_pages()) {
      std::ofstream file(folder / page.name, std::ios::binary);
      file << page.text;
      if (!file.flush()) throw std::runtime_error("cannot write " + (folder / page.name).string());
    }
  } catch (const std::exception& error) {
    std::cerr << "keyhole_set_pages: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
