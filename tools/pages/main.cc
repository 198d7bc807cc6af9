// usage: keyhole_set_pages FOLDER
//
// Writes the pages of all sets, their pictures and their index into the folder.

#include <exception>
#include <filesystem>
#include <iostream>

#include "base/disk.h"
#include "pages/set_pages.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: keyhole_set_pages FOLDER\n";
    return 2;
  }
  try {
    const std::filesystem::path folder = arguments[1];
    std::filesystem::create_directories(folder);
    keyhole::base::Disk disk;
    for (const keyhole::pages::File& page : keyhole::pages::set_pages()) {
      keyhole::base::write_file(disk, folder / page.name, page.text);
    }
  } catch (const std::exception& error) {
    std::cerr << "keyhole_set_pages: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
