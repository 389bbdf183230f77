#include "core/state_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/state_disk.hpp"
#include "core/state_header.hpp"
#include "core/state_image.hpp"

namespace legato {
namespace {

using state_format::header_size;

}  // namespace

// Checks the header before it allocates memory for the rest.
std::vector<std::byte> load_state(const std::filesystem::path& path, std::string_view method,
                                  std::int64_t newest_schema) {
    const SourceFile file(path);
    std::vector<std::byte> bytes(header_size);
    bytes.resize(file.read(bytes));
    const auto size = std::max<std::uint64_t>(file.size(), bytes.size());
    state_format::check_header(path.string(), bytes, size, method, newest_schema);
    if (const MemoryLimit free = free_memory(); size > static_cast<std::uint64_t>(free.bytes))
        fail(Status::out_of_memory, "state file ", path.string(), ": it is ", size, " bytes long, but ", free.text);
    bytes.resize(size);
    // If the file has become shorter since, the checksum of the payload will be wrong.
    file.read(std::span(bytes).subspan(header_size));
    return bytes;
}

StateWriter::StateWriter(std::string_view method, std::int64_t schema) : method_(method), schema_(schema) {
    state_format::check_method(method, schema);
    image_ = std::make_unique<Image>(method_);
}
StateWriter::~StateWriter() = default;
StateWriter::StateWriter(StateWriter&&) noexcept = default;
StateWriter& StateWriter::operator=(StateWriter&&) noexcept = default;

void StateWriter::put(std::string_view name, std::int64_t value) {
    image_->put_scalar(name, value);
}

void StateWriter::put(std::string_view name, double value) {
    image_->put_scalar(name, value);
}

void StateWriter::put(std::string_view name, std::string_view value) {
    if (value.find('\0') != value.npos)
        fail(Status::internal_error, "state of ", method_, ": entry ", name, ": a text with a zero byte");
    image_->put_text(name, value);
}

template <StateElement T>
void StateWriter::put_part(std::string_view name, std::size_t length, std::size_t first, std::span<const T> values) {
    if (first > length || values.size() > length - first)
        fail(Status::internal_error, "state of ", method_, ": entry ", name, ": ", values.size(), " values from ",
             first, " are not within ", length);
    image_->put_part(name, length, first, values);
}

void StateWriter::write_to(ReplacementFile& file) {
    const std::span<std::byte> image = image_->bytes();
    const std::string header = state_format::header(method_, schema_, image.subspan(header_size));
    std::memcpy(image.data(), header.data(), header_size);
    file.write(image);
}

void StateWriter::commit(const std::filesystem::path& path, const std::filesystem::path& like, const char* kind) {
    ReplacementFile file(path, like, kind);
    write_to(file);
    file.replace_target();
    file.sync_folder();
}

StateReader::StateReader(const std::filesystem::path& path, std::string_view method, std::int64_t newest_schema)
    : StateReader(load_state(path, method, newest_schema), path.string(), method, newest_schema) {}

StateReader::StateReader(std::vector<std::byte> file, std::string label, std::string_view method,
                         std::int64_t newest_schema) {
    state_format::check_method(method, newest_schema);
    schema_ = state_format::checked_schema(label, file, method, newest_schema);
    image_ = std::make_unique<Image>(std::move(file), std::move(label));
}
StateReader::~StateReader() = default;
StateReader::StateReader(StateReader&&) noexcept = default;
StateReader& StateReader::operator=(StateReader&&) noexcept = default;

void StateReader::close() {
    image_.reset();
}

std::int64_t StateReader::schema() const {
    return schema_;
}

void StateReader::refuse(const std::string& why) const {
    state_format::bad_file(image_->label, why);
}

const std::string& StateReader::label() const {
    return image_->label;
}

bool StateReader::has(std::string_view name) const {
    return image_->has(name);
}

void StateReader::require_known(std::string_view group) const {
    image_->require_known(group);
}

std::int64_t StateReader::get_int(std::string_view name) const {
    return image_->get_scalar<std::int64_t>(name);
}

std::int64_t StateReader::get_int(std::string_view name, std::int64_t low, std::int64_t high) const {
    const std::int64_t value = get_int(name);
    if (value < low || value > high) image_->refuse(name, "found ", value, ", expected ", low, "..", high);
    return value;
}

double StateReader::get_real(std::string_view name) const {
    const auto value = image_->get_scalar<double>(name);
    if (!std::isfinite(value)) image_->refuse(name, "found ", value, ", expected a finite number");
    return value;
}

std::string StateReader::get_text(std::string_view name) const {
    return image_->get_text(name);
}

std::vector<double> StateReader::get_reals(std::string_view name, std::size_t length) const {
    std::vector<double> values = get<double>(name, length);
    const auto bad = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
    if (bad != values.end())
        image_->refuse(name, "found ", *bad, " at [", bad - values.begin(), "], expected finite numbers");
    return values;
}

template <StateElement T>
void StateReader::expect(std::string_view name, std::size_t length) const {
    image_->expect<T>(name, length);
}

template <StateElement T>
void StateReader::get_part(std::string_view name, std::size_t length, std::size_t first, std::span<T> values) const {
    if (first > length || values.size() > length - first)
        fail(Status::internal_error, "state file ", image_->label, ": entry ", name, ": ", values.size(),
             " values from ", first, " are not within ", length);
    image_->get_part(name, length, first, values);
}

#define LEGATO_INSTANTIATE(T)                                                                               \
    template void StateWriter::put_part<T>(std::string_view, std::size_t, std::size_t, std::span<const T>); \
    template void StateReader::expect<T>(std::string_view, std::size_t) const;                              \
    template void StateReader::get_part<T>(std::string_view, std::size_t, std::size_t, std::span<T>) const;
LEGATO_FOR_STATE_ELEMENTS(LEGATO_INSTANTIATE)
#undef LEGATO_INSTANTIATE

}  // namespace legato
