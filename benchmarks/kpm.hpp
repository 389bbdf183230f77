#pragma once

// Bytes read and written a second by a copy within the GPU's memory; 0 in a build without CUDA.
double device_copy_bandwidth();
