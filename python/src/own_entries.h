#pragma once

#include "bindings.h"
#include "keyhole/catalogue.h"

namespace keyhole::python {

/// Adds an entry that an object of Python makes when it is called. `parameters` has a tuple for
/// each that can be given: its name, its type, and its default in words or None. The parameters of
/// an algorithm come after the set.
void add_own_entry(Catalogue& catalogue, const std::string& kind, const std::string& name,
                   const std::string& summary, const py::list& parameters, const py::object& make);

}  // namespace keyhole::python
