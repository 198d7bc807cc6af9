// Lists of points that are written down in files.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keyhole::spec {

/// The points of a file, one a row: by its ending a CSV file (.csv), whose first line names the
/// coordinates, or an array of two dimensions of NumPy (.npy), of float64. Throws InputError.
[[nodiscard]] std::vector<std::vector<double>> points_of_file(const std::string& path);

/// The same of the bytes of an .npy file; the name stands in messages.
[[nodiscard]] std::vector<std::vector<double>> parse_npy(std::string_view bytes,
                                                         const std::string& name);

}  // namespace keyhole::spec
