#include "core/cost_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

#include "core/error.hpp"
#include "core/thread.hpp"

namespace legato {
namespace {

constexpr std::size_t most_bytes = 1 << 20;  // largest size of the file
constexpr std::string_view least = "least";  // mark after the last tab of a line that only lowers `fixed`

struct Known {
    GlobalMutex mutex;
    std::map<std::string, Cost, std::less<>> costs;
    bool read = false;
} known;

class Descriptor {
  public:
    Descriptor(const std::filesystem::path& path, int flags)
        : number_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    int number() const { return number_; }
    // Returns the size of a regular file, and nullopt for anything else.
    std::optional<std::size_t> bytes() const {
        struct stat of {};
        if (number_ < 0 || ::fstat(number_, &of) != 0 || !S_ISREG(of.st_mode)) return std::nullopt;
        return static_cast<std::size_t>(of.st_size);
    }

  private:
    int number_;
};

std::string contents(const std::filesystem::path& path) {
    const Descriptor file(path, O_RDONLY);
    const std::optional<std::size_t> bytes = file.bytes();
    if (!bytes || *bytes > most_bytes) return {};
    std::string text(*bytes, '\0');
    const ssize_t got = ::read(file.number(), text.data(), *bytes);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

// Removes a number and the tab after it from the front of `rest`, and returns the number.
std::optional<double> take_seconds(std::string_view& rest) {
    double value = 0;
    const auto [next, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || next == rest.data() + rest.size() || *next != '\t' || !(value >= 0) ||
        !std::isfinite(value))
        return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(next - rest.data()) + 1);
    return value;
}

// Adds the cost of a line. An incomplete line, for example of a process that was killed, is ignored.
void take_line(std::string_view line) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return;
    std::string_view rest = line.substr(tab + 1);
    const std::optional<double> fixed = take_seconds(rest), each = take_seconds(rest);
    if (!fixed || !each) return;
    const auto [place, is_new] = known.costs.try_emplace(std::string(line.substr(0, tab)), Cost{*fixed, *each});
    if (!is_new && rest == least) place->second.fixed = std::min(place->second.fixed, *fixed);
}

void read_once() {
    if (std::exchange(known.read, true)) return;
    const std::filesystem::path path = cost_file();
    if (path.empty()) return;
    const std::string all = contents(path);
    std::string_view rest = all;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
        take_line(rest.substr(0, end));
        rest.remove_prefix(end + 1);
    }
}

// Appends a whole line in one write, so that lines of several processes do not mix. The line begins with a line end,
// because the last line may have been cut off. A full file is emptied first; its costs are measured again.
void append(const std::string& line) {
    const std::filesystem::path path = cost_file();
    if (path.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    const Descriptor file(path, O_WRONLY | O_APPEND | O_CREAT);
    const std::optional<std::size_t> bytes = file.bytes();
    if (!bytes || (*bytes + line.size() > most_bytes && ::ftruncate(file.number(), 0) != 0)) return;
    (void)!::write(file.number(), line.data(), line.size());  // if this fails, the cost is measured again
}

std::string line_of(const std::string& key, const Cost& cost, std::string_view mark) {
    return text('\n', key, '\t', cost.fixed, '\t', cost.each, '\t', mark, '\n');
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

void add_lines(std::string& to, const std::filesystem::path& path, std::string_view beginning, std::size_t most) {
    std::ifstream file(path);
    for (std::string line; most > 0 && std::getline(file, line);)
        if (line.starts_with(beginning)) to += line, --most;
}

std::string name_of_machine() {
    std::string all = variable("CUDA_VISIBLE_DEVICES") + '\n' + variable("CUDA_DEVICE_ORDER") + '\n';
    add_lines(all, "/proc/cpuinfo", "model name", 1);
    std::vector<std::filesystem::path> devices;
    std::error_code error;
    for (std::filesystem::directory_iterator i("/proc/driver/nvidia/gpus", error), end; !error && i != end;
         i.increment(error))
        devices.push_back(i->path() / "information");
    std::sort(devices.begin(), devices.end());
    for (const std::filesystem::path& device : devices) add_lines(all, device, "Model", 1);
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a
    for (const char c : all) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    char digits[17];
    return {digits, std::to_chars(digits, digits + sizeof digits, hash, 16).ptr};
}

}  // namespace

std::filesystem::path cost_file() {
    constexpr const char* name = "costs-1.txt";
    if (const std::string own = variable("LEGATO_CACHE"); !own.empty())
        return own == "none" ? std::filesystem::path() : std::filesystem::path(own) / name;
    if (const std::string cache = variable("XDG_CACHE_HOME"); cache.starts_with('/'))
        return std::filesystem::path(cache) / "legato" / name;
    const std::string home = variable("HOME");
    return home.starts_with('/') ? std::filesystem::path(home) / ".cache/legato" / name : std::filesystem::path();
}

const std::string& machine_name() {
    static const std::string name = name_of_machine();
    return name;
}

std::optional<Cost> known_cost(const std::string& key) {
    const std::lock_guard lock(known.mutex);
    read_once();
    const auto found = known.costs.find(key);
    return found == known.costs.end() ? std::nullopt : std::optional(found->second);
}

void keep_cost(const std::string& key, const Cost& cost) {
    const std::lock_guard lock(known.mutex);
    if (known.costs.try_emplace(key, cost).second) append(line_of(key, cost, {}));
}

void lower_fixed_cost(const std::string& key, const Cost& cost) {
    const std::lock_guard lock(known.mutex);
    const auto [place, is_new] = known.costs.try_emplace(key, cost);
    if (!is_new && !(cost.fixed < 0.9 * place->second.fixed)) return;
    place->second.fixed = cost.fixed;
    append(line_of(key, cost, least));
}

}  // namespace legato
