// Tables for readers and a file for scripts, with one measurement per line.
#pragma once

#include "limits.hpp"

namespace benchmarks {

// Seconds for a unit of work; 0: not measured.
struct Measurement {
    double serial = 0, peer = 0;
    Timing one_thread, all_threads, gpu;
};

class Report {
  public:
    Report(const Options& options, const Limits& limits, const std::string& json_path);
    ~Report();
    Report(const Report&) = delete;
    Report& operator=(const Report&) = delete;

    void begin(const Method& method);
    void add(const Method& method, const Problem& problem, const Measurement& measurement);
    void finish();

  private:
    Limits limits_;
    std::string json_path_;
    std::FILE* json_ = nullptr;
    const char* separator_ = "";
};

}  // namespace benchmarks
