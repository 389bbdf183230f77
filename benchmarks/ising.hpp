#pragma once

#include <cstdio>

// Bytes that a sweep with demons moves at least for each spin: it and three levels, read and written.
inline constexpr double demon_bytes = 1.0;

// The engines with demons by themselves: a table, and rows of JSON between commas where json is not null. A measurement
// takes about so many seconds; copies move so many bytes a second, on the device 0 without one.
void measure_demon_engines(std::FILE* json, double seconds, double host_copy, double device_copy);
