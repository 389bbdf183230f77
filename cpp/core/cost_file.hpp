// What AUTO has measured on this machine, kept in the process and, for others, in a file: a line for each measurement,
// of a key, the seconds that an engine takes to make and those of a unit of its work, a tab after each. The first line
// of a key counts, so that a program's choice stays as it is. Lines of keep_least_cost are the exception: they
// lower the seconds.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace legato {

struct Cost {
    double fixed = 0, each = 0;  // seconds: to make an engine, and of a unit of its work
};

std::optional<Cost> known_cost(const std::string& key);
void keep_cost(const std::string& key, const Cost& cost);

// Replaces a known cost if `fixed` is less than nine tenths of it.
void keep_least_cost(const std::string& key, const Cost& cost);

// "costs-1.txt" in the folder LEGATO_CACHE, or in legato within XDG_CACHE_HOME, or within .cache of HOME. Empty where
// LEGATO_CACHE is "none" and where there is no such folder to be had: then costs are kept in the process alone.
std::filesystem::path cost_file();

// A text without spaces for the processor and the devices that the driver lists, without asking the driver itself.
const std::string& machine_name();

}  // namespace legato
