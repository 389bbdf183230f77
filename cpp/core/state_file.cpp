#include "core/state_file.hpp"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/memory.hpp"

namespace legato {

// ---- The checksum

namespace state_format {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

constexpr std::uint64_t prime1 = 0x9E3779B185EBCA87u, prime2 = 0xC2B2AE3D27D4EB4Fu, prime3 = 0x165667B19E3779F9u,
                        prime4 = 0x85EBCA77C2B2AE63u, prime5 = 0x27D4EB2F165667C5u;

template <class Word>
std::uint64_t word_at(const std::byte* p) {
    Word word;
    std::memcpy(&word, p, sizeof word);
    return word;
}

std::uint64_t mixed(std::uint64_t lane, std::uint64_t input) {
    return std::rotl(lane + input * prime2, 31) * prime1;
}

std::uint64_t merged(std::uint64_t hash, std::uint64_t lane) {
    return (hash ^ mixed(0, lane)) * prime1 + prime4;
}

// The four lanes over whole stripes of 32 bytes.
std::uint64_t stripes(const std::byte* p, const std::byte* end) {
    std::array<std::uint64_t, 4> lanes{prime1 + prime2, prime2, 0, std::uint64_t{0} - prime1};
    for (; end - p >= 32; p += 32)
        for (std::size_t i = 0; i < 4; ++i) lanes[i] = mixed(lanes[i], word_at<std::uint64_t>(p + 8 * i));
    std::uint64_t hash =
        std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) + std::rotl(lanes[3], 18);
    for (const std::uint64_t lane : lanes) hash = merged(hash, lane);
    return hash;
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
    const std::byte* p = bytes.data();
    const std::byte* const end = p + bytes.size();
    std::uint64_t hash = prime5;
    if (bytes.size() >= 32) {
        hash = stripes(p, end);
        p += bytes.size() / 32 * 32;
    }
    hash += bytes.size();
    for (; end - p >= 8; p += 8) hash = std::rotl(hash ^ mixed(0, word_at<std::uint64_t>(p)), 27) * prime1 + prime4;
    for (; end - p >= 4; p += 4) hash = std::rotl(hash ^ word_at<std::uint32_t>(p) * prime1, 23) * prime2 + prime3;
    for (; p != end; ++p) hash = std::rotl(hash ^ std::to_integer<std::uint64_t>(*p) * prime5, 11) * prime1;
    hash = (hash ^ (hash >> 33)) * prime2;
    hash = (hash ^ (hash >> 29)) * prime3;
    return hash ^ (hash >> 32);
}

}  // namespace state_format

// ---- The header

namespace {

using state_format::header_size;

constexpr std::string_view magic = "LEGATO STATE\n";
constexpr std::int64_t newest_format = 1;

struct Header {
    std::int64_t format = newest_format;
    std::string method;
    std::int64_t schema = 0;
    std::uint64_t payload = 0;  // bytes
    std::uint64_t checksum = 0;
};

std::string hexadecimal(std::uint64_t value) {
    std::string digits(16, '0');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, value >>= 4)
        *digit = "0123456789abcdef"[value & 15];
    return digits;
}

std::string rendered(const Header& header) {
    std::string block = text(magic, "format: ", header.format, "\nmethod: ", header.method, "\nschema: ", header.schema,
                             "\npayload: ", header.payload, " bytes of HDF5 after byte ", header_size,
                             "\npayload xxh64: ", hexadecimal(header.checksum), '\n');
    block += text("header xxh64: ", hexadecimal(state_format::checksum(std::as_bytes(std::span(block)))), '\n');
    block.resize(header_size - 1, ' ');
    return block + '\n';
}

// What stands between `key` and the next space or line feed; empty where there is no such key.
std::string_view field(std::string_view block, std::string_view key) {
    const std::size_t found = block.find(key);
    if (found == block.npos) return {};
    const std::string_view rest = block.substr(found + key.size());
    return rest.substr(0, std::min(rest.find_first_of(" \n"), rest.size()));
}

template <class Integer>
std::optional<Integer> number(std::string_view digits, int base = 10) {
    Integer value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

// Nothing where the block is not letter by letter what this library writes.
std::optional<Header> parsed(std::string_view block) {
    const auto format = number<std::int64_t>(field(block, "\nformat: "));
    const auto schema = number<std::int64_t>(field(block, "\nschema: "));
    const auto payload = number<std::uint64_t>(field(block, "\npayload: "));
    const auto checksum = number<std::uint64_t>(field(block, "\npayload xxh64: "), 16);
    if (!format || !schema || !payload || !checksum) return std::nullopt;
    Header header{*format, std::string(field(block, "\nmethod: ")), *schema, *payload, *checksum};
    if (rendered(header) != block) return std::nullopt;
    return header;
}

void check_method(std::string_view method, std::int64_t schema) {
    const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    if (method.empty() || method.size() > 32 || !std::all_of(method.begin(), method.end(), allowed))
        fail(Status::internal_error, "state file: \"", method, "\" cannot be a method's name");
    if (schema < 1) fail(Status::internal_error, "state file: schema ", schema, " is not 1 or more");
}

}  // namespace

std::string state_format::header(std::string_view method, std::int64_t schema, std::span<const std::byte> payload) {
    return rendered({newest_format, std::string(method), schema, payload.size(), checksum(payload)});
}

// ---- Plain file access

namespace {

[[noreturn]] void fail_io(const std::filesystem::path& path, std::string_view what, int error) {
    fail(Status::io_error, "state file ", path.string(), ": ", what, ": ", std::generic_category().message(error));
}

template <class... Parts>
[[noreturn]] void bad_file(std::string_view label, Parts&&... parts) {
    fail(Status::bad_file, "state file ", label, ": ", std::forward<Parts>(parts)...);
}

// Repeats a system call that a signal interrupts.
template <class Call>
auto uninterrupted(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

class Descriptor {
  public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return fd_; }
    void reset(int fd) { fd_ = fd; }
    int close() { return ::close(std::exchange(fd_, -1)); }

  private:
    int fd_;
};

// A new file in the target's directory, gone again unless it has replaced the target.
class ReplacementFile {
  public:
    explicit ReplacementFile(const std::filesystem::path& target);
    ~ReplacementFile() {
        if (!name_.empty()) ::unlink(name_.c_str());
    }
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void replace_target();

  private:
    const std::filesystem::path& target_;
    std::filesystem::path folder_;
    std::filesystem::path name_;
    Descriptor file_;
};

ReplacementFile::ReplacementFile(const std::filesystem::path& target)
    : target_(target), folder_(target.has_parent_path() ? target.parent_path() : ".") {
    // A device or a directory must not be replaced by a file, which rename would do to /dev/null.
    struct stat status;
    if (::stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
        fail_io(target, "what is there is no plain file", S_ISDIR(status.st_mode) ? EISDIR : EEXIST);
    static std::atomic<unsigned> serial{0};
    for (int attempt = 0; attempt < 100; ++attempt) {
        const auto name = folder_ / text(".legato-state-", ::getpid(), "-", serial++);
        // Not mkstemp: the file is to have the rights that the user's umask leaves.
        file_.reset(uninterrupted([&] { return ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }));
        if (file_.get() >= 0) {
            name_ = name;
            return;
        }
        const int error = errno;
        if (error != EEXIST) fail_io(target, text("create a file in ", folder_.string()), error);
    }
    fail_io(target, text("create a file in ", folder_.string()), EEXIST);
}

void ReplacementFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto written = uninterrupted([&] { return ::write(file_.get(), bytes.data(), bytes.size()); });
        if (written < 0) fail_io(target_, "write", errno);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void ReplacementFile::replace_target() {
    if (uninterrupted([&] { return ::fsync(file_.get()); }) != 0) fail_io(target_, "fsync", errno);
    if (file_.close() != 0) fail_io(target_, "close", errno);
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail_io(target_, "rename", errno);
    name_.clear();
    const Descriptor folder(uninterrupted([&] { return ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (folder.get() < 0) fail_io(target_, "open its folder", errno);
    // Some network file systems have no fsync of a directory.
    if (uninterrupted([&] { return ::fsync(folder.get()); }) != 0 && errno != EINVAL)
        fail_io(target_, "fsync of its folder", errno);
}

// Reads on up to the end of `bytes` or of the file; returns the number of bytes read.
std::size_t read_up_to(const std::filesystem::path& path, const Descriptor& file, std::span<std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto part = uninterrupted([&] { return ::read(file.get(), bytes.data() + done, bytes.size() - done); });
        if (part < 0) fail_io(path, "read", errno);
        if (part == 0) break;
        done += static_cast<std::size_t>(part);
    }
    return done;
}

// ---- Checks before HDF5

std::string printable(std::string_view bytes) {
    std::string shown(bytes);
    for (char& c : shown)
        if (c < ' ' || c > '~') c = '.';
    return shown;
}

// All that can be said from the first block and the length of the file.
Header checked_header(std::string_view label, std::string_view block, std::uint64_t file_size, std::string_view method,
                      std::int64_t newest_schema) {
    if (!block.starts_with(magic)) {
        if (block.size() < magic.size() && magic.starts_with(block))
            bad_file(label, "is cut short: found ", block.size(), " bytes, expected ", header_size, " and more");
        bad_file(label, "is no Legato state: it begins with \"", printable(block.substr(0, magic.size() - 1)),
                 "\", expected \"", magic.substr(0, magic.size() - 1), "\"");
    }
    if (block.size() < header_size)
        bad_file(label, "is cut short: found ", block.size(), " bytes, expected ", header_size, " and more");
    const auto format = number<std::int64_t>(field(block, "\nformat: "));
    if (format && *format > newest_format)
        bad_file(label, "found format ", *format, ", expected ", newest_format,
                 ": it was written by a newer version of Legato");
    const auto header = parsed(block);
    if (!header || header->format != newest_format)
        bad_file(label, "its header is damaged: found other text or another checksum than Legato writes");
    if (header->method != method)
        bad_file(label, "found the state of method \"", header->method, "\", expected \"", method, "\"");
    if (header->schema < 1 || header->schema > newest_schema)
        bad_file(label, "found schema ", header->schema, " of ", method, ", expected 1..", newest_schema,
                 ": it was written by a newer version of Legato");
    if (header->payload != file_size - header_size)
        bad_file(label, file_size - header_size < header->payload ? "is cut short" : "is too long", ": found ",
                 file_size, " bytes, expected ", header_size, " + ", header->payload);
    return *header;
}

std::string_view first_block(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), header_size)};
}

void check_payload(std::string_view label, const Header& header, std::span<const std::byte> file) {
    const std::uint64_t found = state_format::checksum(file.subspan(header_size));
    if (found != header.checksum)
        bad_file(label, "is damaged: found checksum ", hexadecimal(found), ", expected ", hexadecimal(header.checksum));
}

// The whole file. Its header is checked before memory is taken for the rest.
std::vector<std::byte> loaded(const std::filesystem::path& path, std::string_view method, std::int64_t newest_schema) {
    // O_NONBLOCK: to open a pipe must not wait for its writer.
    const Descriptor file(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
    if (file.get() < 0) fail_io(path, "open", errno);
    struct stat status;
    if (::fstat(file.get(), &status) != 0) fail_io(path, "fstat", errno);
    if (!S_ISREG(status.st_mode)) bad_file(path.string(), "is no plain file");
    std::vector<std::byte> bytes(header_size);
    bytes.resize(read_up_to(path, file, bytes));
    const auto size = std::max<std::uint64_t>(static_cast<std::uint64_t>(status.st_size), bytes.size());
    checked_header(path.string(), first_block(bytes), size, method, newest_schema);
    if (size > available_memory())
        fail(Status::out_of_memory, "state file ", path.string(), ": is ", size, " bytes long, but only ",
             available_memory(), " bytes of memory are free");
    bytes.resize(size);
    // Shorter now than fstat said: the check of the payload will find it.
    read_up_to(path, file, std::span(bytes).subspan(header_size));
    return bytes;
}

// ---- HDF5

// All of HDF5's calls are made while one of these lives: one thread at a time, HDF5's own printing off.
// Recursive, for handles that are closed while an exception passes.
std::recursive_mutex hdf5_mutex;

class Session {
  public:
    Session() : lock_(hdf5_mutex) {
        saved_ = H5Eget_auto2(H5E_DEFAULT, &print_, &data_) >= 0;
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    }
    ~Session() {
        if (saved_) H5Eset_auto2(H5E_DEFAULT, print_, data_);
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

  private:
    std::lock_guard<std::recursive_mutex> lock_;
    H5E_auto2_t print_ = nullptr;
    void* data_ = nullptr;
    bool saved_ = false;
};

// Owns an HDF5 identifier; negative if the call that made it failed.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);
    Handle(hid_t id, Close close) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ < 0) return;
        const Session session;
        close_(id_);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&&) = delete;

    hid_t get() const { return id_; }
    explicit operator bool() const { return id_ >= 0; }

  private:
    hid_t id_;
    Close close_;
};

// What HDF5 says of the last failure, from where it happened.
std::string hdf5_reason() {
    std::string reason = "HDF5 gives no reason";
    const auto take = [](unsigned depth, const H5E_error2_t* error, void* out) -> herr_t {
        if (depth == 0 && error->desc) *static_cast<std::string*>(out) = error->desc;
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &reason);
    return reason;
}

// The core driver looks for a file of the name it is given, and takes two open images of one name for one
// file: so a name that cannot exist, and another one each time.
std::string image_name() {
    static std::atomic<unsigned> serial{0};
    return text("/dev/null/legato-state-", serial++);
}

struct TypePair {
    hid_t file, memory;
};

// HDF5's type names are calls, so that this is no table of constants.
template <class T>
TypePair types() {
    if constexpr (std::same_as<T, double>) return {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
    if constexpr (std::same_as<T, std::int8_t>) return {H5T_STD_I8LE, H5T_NATIVE_INT8};
    if constexpr (std::same_as<T, std::uint8_t>) return {H5T_STD_U8LE, H5T_NATIVE_UINT8};
    if constexpr (std::same_as<T, std::int32_t>) return {H5T_STD_I32LE, H5T_NATIVE_INT32};
    if constexpr (std::same_as<T, std::uint32_t>) return {H5T_STD_U32LE, H5T_NATIVE_UINT32};
    if constexpr (std::same_as<T, std::int64_t>) return {H5T_STD_I64LE, H5T_NATIVE_INT64};
    if constexpr (std::same_as<T, std::uint64_t>) return {H5T_STD_U64LE, H5T_NATIVE_UINT64};
}

// Padded with zeros to a fixed size: no pointers into a heap, as HDF5's strings of variable size are.
Handle text_type(std::size_t size) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), std::max<std::size_t>(size, 1));
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    return type;
}

// Selects elements first .. first + count - 1 of a dataset of one dimension.
Handle part_of(hid_t dataset, std::size_t first, std::size_t count) {
    Handle space(H5Dget_space(dataset), H5Sclose);
    const hsize_t start = first, length = count;
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &length, nullptr);
    return space;
}

Handle line_of(std::size_t count) {
    const hsize_t length = count;
    return {H5Screate_simple(1, &length, nullptr), H5Sclose};
}

}  // namespace

// ---- Writing

struct StateWriter::Image {
    explicit Image(std::string method);

    Handle create(const std::string& name, hid_t type, const Handle& space) const;
    void put_scalar(std::string_view name, TypePair type, const void* value) const;
    std::span<std::byte> bytes() const;
    [[noreturn]] void fail_at(std::string_view name) const {
        fail(Status::io_error, "state of ", method, ": entry ", name, ": ", hdf5_reason());
    }

    std::string method;
    Handle file;
};

namespace {

Handle created_image() {
    const Session session;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    constexpr std::size_t increment = std::size_t{1} << 20;
    H5Pset_fapl_core(access.get(), increment, false);
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
    H5Pset_userblock(creation.get(), header_size);
    return {H5Fcreate(image_name().c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose};
}

}  // namespace

StateWriter::Image::Image(std::string of_method) : method(std::move(of_method)), file(created_image()) {
    if (!file) fail(Status::io_error, "state of ", method, ": HDF5 cannot make a file in memory");
}

Handle StateWriter::Image::create(const std::string& name, hid_t type, const Handle& space) const {
    const Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(link.get(), 1);
    H5Pset_obj_track_times(creation.get(), false);  // the same state gives the same bytes
    Handle dataset(H5Dcreate2(file.get(), name.c_str(), type, space.get(), link.get(), creation.get(), H5P_DEFAULT),
                   H5Dclose);
    if (!dataset) fail_at(name);
    return dataset;
}

void StateWriter::Image::put_scalar(std::string_view name, TypePair type, const void* value) const {
    const Handle dataset = create(std::string(name), type.file, {H5Screate(H5S_SCALAR), H5Sclose});
    if (H5Dwrite(dataset.get(), type.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0) fail_at(name);
}

// The image as it would stand in a file, user block first: HDF5's own memory, for a large state is there
// once.
std::span<std::byte> StateWriter::Image::bytes() const {
    const Session session;
    void* memory = nullptr;
    if (H5Fflush(file.get(), H5F_SCOPE_GLOBAL) < 0 || H5Fget_vfd_handle(file.get(), H5P_DEFAULT, &memory) < 0)
        fail_at("/");
    const ssize_t payload = H5Fget_file_image(file.get(), nullptr, 0);  // without the user block
    if (payload < 0) fail_at("/");
    const std::span image(*static_cast<std::byte**>(memory), header_size + static_cast<std::size_t>(payload));
    // HDF5 marks a file that is open for writing. H5Fget_file_image takes the mark out of the copy it makes,
    // and so it is done here: a superblock of version 0, which the bounds above ask for, has it in bytes 20
    // to 23.
    const auto superblock = image.subspan(header_size);
    if (superblock[8] != std::byte{0})
        fail(Status::io_error, "state of ", method, ": HDF5 made a superblock of version ",
             std::to_integer<int>(superblock[8]), ", expected 0");
    std::fill_n(superblock.begin() + 20, 4, std::byte{0});
    return image;
}

StateWriter::StateWriter(std::string_view method, std::int64_t schema) : method_(method), schema_(schema) {
    check_method(method, schema);
    image_ = std::make_unique<Image>(method_);
}
StateWriter::~StateWriter() = default;
StateWriter::StateWriter(StateWriter&&) noexcept = default;
StateWriter& StateWriter::operator=(StateWriter&&) noexcept = default;

void StateWriter::put(std::string_view name, std::int64_t value) {
    const Session session;
    image_->put_scalar(name, types<std::int64_t>(), &value);
}

void StateWriter::put(std::string_view name, double value) {
    const Session session;
    image_->put_scalar(name, types<double>(), &value);
}

void StateWriter::put(std::string_view name, std::string_view value) {
    if (value.find('\0') != value.npos)
        fail(Status::internal_error, "state of ", method_, ": entry ", name, ": a text with a zero byte");
    const Session session;
    const Handle type = text_type(value.size());
    image_->put_scalar(name, {type.get(), type.get()}, value.empty() ? "" : value.data());
}

template <StateElement T>
void StateWriter::put_part(std::string_view name, std::size_t length, std::size_t first, std::span<const T> values) {
    if (first > length || values.size() > length - first)
        fail(Status::internal_error, "state of ", method_, ": entry ", name, ": ", values.size(), " values from ",
             first, " are not within ", length);
    const Session session;
    const std::string path(name);
    const Handle dataset = first == 0 ? image_->create(path, types<T>().file, line_of(length))
                                      : Handle(H5Dopen2(image_->file.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset) image_->fail_at(name);
    if (values.empty()) return;
    const Handle target = part_of(dataset.get(), first, values.size()), source = line_of(values.size());
    const hid_t type = types<T>().memory;
    if (H5Dwrite(dataset.get(), type, source.get(), target.get(), H5P_DEFAULT, values.data()) < 0)
        image_->fail_at(name);
}

void StateWriter::commit(const std::filesystem::path& path) {
    const std::span<std::byte> image = image_->bytes();
    const std::string header = state_format::header(method_, schema_, image.subspan(header_size));
    std::memcpy(image.data(), header.data(), header_size);
    ReplacementFile file(path);
    file.write(image);
    file.replace_target();
}

// ---- Reading

namespace {

// HDF5 would copy the image twice, into its property list and again when it opens it. These callbacks let it
// use the reader's own bytes (it opens them for reading only).
H5FD_file_image_callbacks_t callbacks_that_lend(std::byte* bytes) {
    H5FD_file_image_callbacks_t callbacks{};
    callbacks.image_malloc = [](std::size_t, H5FD_file_image_op_t, void* lent) { return lent; };
    callbacks.image_memcpy = [](void* to, const void*, std::size_t, H5FD_file_image_op_t, void*) { return to; };
    callbacks.image_realloc = [](void*, std::size_t, H5FD_file_image_op_t, void*) -> void* { return nullptr; };
    callbacks.image_free = [](void*, H5FD_file_image_op_t, void*) -> herr_t { return 0; };
    callbacks.udata_copy = [](void* lent) { return lent; };
    callbacks.udata_free = [](void*) -> herr_t { return 0; };
    callbacks.udata = bytes;
    return callbacks;
}

Handle opened_image(std::string_view label, std::vector<std::byte>& bytes) {
    const Session session;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5FD_file_image_callbacks_t callbacks = callbacks_that_lend(bytes.data());
    H5Pset_fapl_core(access.get(), 4096, false);
    H5Pset_file_image_callbacks(access.get(), &callbacks);
    H5Pset_file_image(access.get(), bytes.data(), bytes.size());
    Handle file(H5Fopen(image_name().c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
    if (!file) bad_file(label, "HDF5 cannot open it: ", hdf5_reason());
    return file;
}

std::string described_type(hid_t type) {
    const std::size_t bits = 8 * H5Tget_size(type);
    switch (H5Tget_class(type)) {
        case H5T_INTEGER:
            return text(bits, H5Tget_sign(type) == H5T_SGN_NONE ? "-bit unsigned integer" : "-bit integer");
        case H5T_FLOAT:
            return text(bits, "-bit real");
        case H5T_STRING:
            return "text";
        default:
            return "another type";
    }
}

// No length stands for a scalar.
std::string described_shape(std::optional<std::size_t> length) {
    return length ? text("an array of ", *length) : "a scalar";
}

std::string described_space(hid_t space) {
    const H5S_class_t kind = H5Sget_simple_extent_type(space);
    if (kind == H5S_SCALAR) return described_shape(std::nullopt);
    const int rank = kind == H5S_SIMPLE ? H5Sget_simple_extent_ndims(space) : 0;
    if (rank != 1) return text("an array of ", rank, " dimensions");
    hsize_t length = 0;
    H5Sget_simple_extent_dims(space, &length, nullptr);
    return described_shape(length);
}

// A dataset whose values all lie in this file.
struct Entry {
    Handle dataset, type;
    std::string shape;
};

}  // namespace

struct StateReader::Image {
    Image(std::vector<std::byte> file, std::string path, std::int64_t found_schema)
        : bytes(std::move(file)), label(std::move(path)), schema(found_schema), image(opened_image(label, bytes)) {}

    void check_links(const std::string& name) const;
    Entry entry(const std::string& name) const;
    Handle expected(std::string_view name, hid_t type, std::optional<std::size_t> length) const;
    template <class T>
    T scalar(std::string_view name) const;
    template <class... Parts>
    [[noreturn]] void refuse(std::string_view name, Parts&&... parts) const {
        bad_file(label, "entry ", name, ": ", std::forward<Parts>(parts)...);
    }

    std::vector<std::byte> bytes;
    std::string label;
    std::int64_t schema;
    Handle image;
};

// No link in the name leads out of the file or anywhere but downwards.
void StateReader::Image::check_links(const std::string& name) const {
    for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {
        H5L_info_t link;
        if (H5Lget_info(image.get(), name.substr(0, end).c_str(), &link, H5P_DEFAULT) < 0)
            refuse(name, "found none, expected one");
        if (link.type != H5L_TYPE_HARD) refuse(name, "found a soft or external link, expected a dataset");
        if (end == name.npos) return;
    }
}

Entry StateReader::Image::entry(const std::string& name) const {
    check_links(name);
    Handle dataset(H5Dopen2(image.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset) refuse(name, "HDF5 cannot open it: ", hdf5_reason());
    Handle type(H5Dget_type(dataset.get()), H5Tclose);
    const Handle space(H5Dget_space(dataset.get()), H5Sclose);
    const Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose);
    if (!type || !space || !creation) refuse(name, hdf5_reason());
    // Values in other files, in chunks or packed are never written here, and could stand for more than is
    // there.
    if (H5Pget_layout(creation.get()) != H5D_CONTIGUOUS || H5Pget_external_count(creation.get()) != 0)
        refuse(name, "found another layout, expected contiguous");
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    const std::size_t size = H5Tget_size(type.get());
    const hsize_t stored = H5Dget_storage_size(dataset.get());
    if (count < 0 || size == 0 || stored / size != static_cast<hsize_t>(count) || stored % size != 0 ||
        stored > bytes.size())
        refuse(name, "found ", stored, " bytes for ", count, " values of ", size, " bytes in a file of ", bytes.size());
    return {std::move(dataset), std::move(type), described_space(space.get())};
}

// Without a length, a scalar.
Handle StateReader::Image::expected(std::string_view name, hid_t type, std::optional<std::size_t> length) const {
    Entry found = entry(std::string(name));
    const std::string shape = described_shape(length);
    if (found.shape != shape || H5Tequal(found.type.get(), type) <= 0)
        refuse(name, "found ", found.shape, " of ", described_type(found.type.get()), ", expected ", shape, " of ",
               described_type(type));
    return std::move(found.dataset);
}

template <class T>
T StateReader::Image::scalar(std::string_view name) const {
    const Session session;
    const Handle dataset = expected(name, types<T>().file, std::nullopt);
    T value{};
    if (H5Dread(dataset.get(), types<T>().memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0)
        refuse(name, hdf5_reason());
    return value;
}

StateReader::StateReader(const std::filesystem::path& path, std::string_view method, std::int64_t newest_schema)
    : StateReader(loaded(path, method, newest_schema), path.string(), method, newest_schema) {}

StateReader::StateReader(std::vector<std::byte> file, std::string label, std::string_view method,
                         std::int64_t newest_schema) {
    check_method(method, newest_schema);
    const Header header = checked_header(label, first_block(file), file.size(), method, newest_schema);
    check_payload(label, header, file);
    image_ = std::make_unique<Image>(std::move(file), std::move(label), header.schema);
}
StateReader::~StateReader() = default;
StateReader::StateReader(StateReader&&) noexcept = default;
StateReader& StateReader::operator=(StateReader&&) noexcept = default;

std::int64_t StateReader::schema() const {
    return image_->schema;
}

void StateReader::refuse(const std::string& why) const {
    bad_file(image_->label, why);
}

std::int64_t StateReader::get_int(std::string_view name) const {
    return image_->scalar<std::int64_t>(name);
}

std::int64_t StateReader::get_int(std::string_view name, std::int64_t low, std::int64_t high) const {
    const std::int64_t value = get_int(name);
    if (value < low || value > high) image_->refuse(name, "found ", value, ", expected ", low, "..", high);
    return value;
}

double StateReader::get_real(std::string_view name) const {
    const auto value = image_->scalar<double>(name);
    if (!std::isfinite(value)) image_->refuse(name, "found ", value, ", expected a finite number");
    return value;
}

std::string StateReader::get_text(std::string_view name) const {
    const Session session;
    const Entry found = image_->entry(std::string(name));
    const std::size_t size = H5Tget_size(found.type.get());
    const Handle type = text_type(size);
    if (found.shape != described_shape(std::nullopt) || H5Tequal(found.type.get(), type.get()) <= 0)
        image_->refuse(name, "found ", found.shape, " of ", described_type(found.type.get()),
                       ", expected a scalar of text");
    std::string value(size, '\0');
    if (H5Dread(found.dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data()) < 0)
        image_->refuse(name, hdf5_reason());
    value.resize(std::min(value.find('\0'), size));
    return value;
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
    const Session session;
    image_->expected(name, types<T>().file, length);
}

template <StateElement T>
void StateReader::get_part(std::string_view name, std::size_t length, std::size_t first, std::span<T> values) const {
    if (first > length || values.size() > length - first)
        fail(Status::internal_error, "state file ", image_->label, ": entry ", name, ": ", values.size(),
             " values from ", first, " are not within ", length);
    const Session session;
    const Handle dataset = image_->expected(name, types<T>().file, length);
    if (values.empty()) return;
    const Handle source = part_of(dataset.get(), first, values.size()), target = line_of(values.size());
    if (H5Dread(dataset.get(), types<T>().memory, target.get(), source.get(), H5P_DEFAULT, values.data()) < 0)
        image_->refuse(name, hdf5_reason());
}

#define LEGATO_STATE_ELEMENT(T)                                                                             \
    template void StateWriter::put_part<T>(std::string_view, std::size_t, std::size_t, std::span<const T>); \
    template void StateReader::expect<T>(std::string_view, std::size_t) const;                              \
    template void StateReader::get_part<T>(std::string_view, std::size_t, std::size_t, std::span<T>) const;
LEGATO_STATE_ELEMENT(double)
LEGATO_STATE_ELEMENT(std::int8_t)
LEGATO_STATE_ELEMENT(std::uint8_t)
LEGATO_STATE_ELEMENT(std::int32_t)
LEGATO_STATE_ELEMENT(std::uint32_t)
LEGATO_STATE_ELEMENT(std::int64_t)
LEGATO_STATE_ELEMENT(std::uint64_t)
#undef LEGATO_STATE_ELEMENT

}  // namespace legato
