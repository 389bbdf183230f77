// How the time of a whole job falls with the number of devices or of ranks.
#pragma once

namespace benchmarks {

// `legato-bench scaling ...`; returns the exit status.
int scaling(int argc, char** argv);

}  // namespace benchmarks
