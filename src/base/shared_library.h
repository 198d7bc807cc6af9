#pragma once

#include <dlfcn.h>

#include <string>
#include <utility>

namespace keyhole::base {

/// A library of others that is loaded when it is needed: nobody links it, and programs that do
/// without it start without it. It stays for as long as the process lives. What cannot be found is
/// a Failure.
template <class Failure>
class SharedLibrary {
 public:
  /// By the name of its file, with what is said if it cannot be loaded: "studies need libx", and
  /// the package of Debian that has it.
  SharedLibrary(const char* file, std::string need, std::string package)
      : handle_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)),
        why_(handle_ == nullptr ? ::dlerror() : ""),
        need_(std::move(need)),
        package_(std::move(package)) {}

  /// The function of that name, of this library or of those that it needs.
  template <class Function>
  [[nodiscard]] Function find(const char* name) const {
    void* const found = handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
    if (found == nullptr) {
      throw Failure(need_ + ", which cannot be loaded: " + (why_.empty() ? ::dlerror() : why_) +
                    ": install it (Debian: " + package_ + ")");
    }
    return reinterpret_cast<Function>(found);
  }

 private:
  void* handle_;
  std::string why_;  // it could not be loaded
  std::string need_;
  std::string package_;
};

}  // namespace keyhole::base
