// Costs that the timing trials of AUTO have measured on this machine. They are kept in the process, and in a file for
// other processes. Each measurement is a line: a key, the seconds to make an engine, and the seconds of a unit of its
// work, with a tab after each. The first line of a key counts, so that a program's choice does not change. Lines of
// lower_fixed_cost are the exception: they lower the seconds.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace legato {

struct Cost {
    double fixed = 0, each = 0;  // seconds to make an engine, and seconds of a unit of its work
};

std::optional<Cost> known_cost(const std::string& key);
void keep_cost(const std::string& key, const Cost& cost);

// Keeps a cost if none is known. Otherwise it lowers the known `fixed` if the new one is less than nine tenths of it.
void lower_fixed_cost(const std::string& key, const Cost& cost);

// Returns the path of "costs-1.txt" in the folder LEGATO_CACHE, in XDG_CACHE_HOME/legato, or in HOME/.cache/legato. The
// path is empty if LEGATO_CACHE is "none" or if no such folder is known. Costs are then kept in the process only.
std::filesystem::path cost_file();

// Returns a text without spaces that identifies the processor and the devices. It reads the driver's list of devices in
// /proc and does not start the driver.
const std::string& machine_name();

}  // namespace legato
