#include "report.hpp"

#include <ctime>

namespace benchmarks {
namespace {

std::string processor_name() {
    char line[256], name[200] = "unknown";
    if (std::FILE* file = std::fopen("/proc/cpuinfo", "r")) {
        while (std::fgets(line, sizeof line, file))
            if (std::sscanf(line, "model name : %199[^\n]", name) == 1) break;
        std::fclose(file);
    }
    return name;
}

std::string device_name(bool gpu) {
    if (!gpu) return "none";
    legato_context* context = nullptr;
    legato_device_info info{};
    info.struct_size = sizeof info;
    require(context, legato_context_create(nullptr, &context));
    require(context, legato_context_device_info(context, 0, &info));
    legato_context_destroy(context);
    return info.name;
}

std::string today() {
    char text[16];
    const std::time_t now = std::time(nullptr);
    std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
    return text;
}

double in_unit(double seconds, const std::string& unit) {
    return seconds * (unit == "us" ? 1e6 : unit == "ns" ? 1e9 : unit == "ps" ? 1e12 : 1);
}

// Prints a value right-aligned; 0 means that it is unknown.
void cell(int width, const char* format, double value) {
    char text[32] = "-";
    if (value > 0) std::snprintf(text, sizeof text, format, value);
    std::printf(" %*s", width, text);
}

double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

}  // namespace

Report::Report(const Options& options, const Limits& limits, const std::string& json_path)
    : limits_(limits), json_path_(json_path) {
    const std::string cpu = processor_name(), gpu = device_name(options.gpu), date = today();
    std::printf("legato %s, %s, %d threads, GPU: %s, %s\n", legato_version(), cpu.c_str(), options.threads, gpu.c_str(),
                date.c_str());
    const Limit* const all[] = {&limits_.one_thread, &limits_.all_threads, &limits_.gpu};
    std::printf(
        "copies, GB/s, and multiply-adds, Gflop/s: one thread %.4g, %.4g; all threads %.4g, %.4g; GPU %.4g, %.4g\n",
        all[0]->bytes_per_second / 1e9, all[0]->flops_per_second / 1e9, all[1]->bytes_per_second / 1e9,
        all[1]->flops_per_second / 1e9, all[2]->bytes_per_second / 1e9, all[2]->flops_per_second / 1e9);
    if (json_path.empty()) return;
    json_ = std::fopen(json_path.c_str(), "w");
    if (!json_) fail("cannot write " + json_path);
    std::fprintf(
        json_,
        "{\"version\": \"%s\", \"date\": \"%s\", \"cpu\": \"%s\", \"threads\": %d, \"gpu\": \"%s\",\n \"limits\": [",
        legato_version(), date.c_str(), cpu.c_str(), options.threads, gpu.c_str());
    const char* const names[] = {"one thread", "all threads", "GPU"};
    for (int i = 0; i < 3; ++i)
        std::fprintf(json_, "%s\n  {\"place\": \"%s\", \"bytes_per_second\": %.4g, \"flops_per_second\": %.4g}",
                     i == 0 ? "" : ",", names[i], all[i]->bytes_per_second, all[i]->flops_per_second);
    std::fputs("],\n \"measurements\": [", json_);
}

Report::~Report() {
    if (json_) std::fclose(json_);
}

void Report::begin(const Method& method) {
    std::printf("\n%s: %s for a %s\n", method.name.c_str(), method.unit.c_str(), method.quantity.c_str());
    std::printf("%-52s %10s %10s %7s %10s %7s %8s %10s %7s %8s %10s\n", "problem", "serial", "1 thread", "ratio", "all",
                "ratio", "reached", "GPU", "ratio", "reached", "peer");
}

void Report::add(const Method& method, const Problem& problem, const Measurement& m) {
    const auto time = [&](double seconds) { return in_unit(seconds, method.unit); };
    const double floor_all = floor_of(m.all_threads.least, limits_.all_threads);
    const double floor_gpu = floor_of(m.gpu.least, limits_.gpu);
    std::printf("%-52s", problem.name.c_str());
    cell(10, "%.4g", time(m.serial));
    cell(10, "%.4g", time(m.one_thread.seconds));
    cell(7, "%.2f", ratio(m.serial, m.one_thread.seconds));
    cell(10, "%.4g", time(m.all_threads.seconds));
    cell(7, "%.2f", ratio(m.serial, m.all_threads.seconds));
    cell(8, "%.2g%%", 100 * ratio(floor_all, m.all_threads.seconds));
    cell(10, "%.4g", time(m.gpu.seconds));
    cell(7, "%.1f", ratio(m.serial, m.gpu.seconds));
    cell(8, "%.2g%%", 100 * ratio(floor_gpu, m.gpu.seconds));
    cell(10, "%.4g", time(m.peer));
    std::puts("");
    std::fflush(stdout);
    if (!json_) return;
    std::fprintf(
        json_,
        "%s\n  {\"method\": \"%s\", \"problem\": \"%s\", \"quantity\": \"%s\", \"unit\": \"%s\", \"serial\": %.5g, "
        "\"one_thread\": %.5g, \"all_threads\": %.5g, \"all_threads_floor\": %.4g, \"all_threads_reached\": %.4g, "
        "\"gpu\": %.5g, \"gpu_floor\": %.4g, \"gpu_reached\": %.4g, \"peer\": %.5g, \"peer_name\": \"%s\"}",
        separator_, method.name.c_str(), problem.name.c_str(), method.quantity.c_str(), method.unit.c_str(),
        time(m.serial), time(m.one_thread.seconds), time(m.all_threads.seconds), time(floor_all),
        ratio(floor_all, m.all_threads.seconds), time(m.gpu.seconds), time(floor_gpu), ratio(floor_gpu, m.gpu.seconds),
        time(m.peer), m.peer > 0 ? problem.peer.name.c_str() : "");
    separator_ = ",";
}

void Report::finish() {
    if (!json_) return;
    std::fputs("\n]}\n", json_);
    std::FILE* const file = json_;
    json_ = nullptr;
    if (std::fclose(file) != 0) fail("cannot write " + json_path_);
}

}  // namespace benchmarks
