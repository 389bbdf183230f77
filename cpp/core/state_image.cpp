#include "core/state_image.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace legato {
namespace {

using hdf5::Handle;
using hdf5::Session;

// Returns a new name that no file can have. HDF5's core driver looks for a file with the name that it is given, and
// treats two open images of the same name as one file.
std::string image_name() {
    static std::atomic<unsigned> serial{0};
    return text("/dev/null/legato-state-", serial++);
}

struct TypePair {
    hid_t file, memory;
};

// Returns the types in the file and in memory. HDF5's type names are calls, so a table of constants is not possible.
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

// Returns the type of a text of fixed size, padded with zeros. HDF5's strings of variable size would be pointers into a
// heap.
Handle text_type(std::size_t size) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    if (H5Tset_size(type.get(), std::max<std::size_t>(size, 1)) < 0 || H5Tset_strpad(type.get(), H5T_STR_NULLPAD) < 0)
        return {-1, H5Tclose};
    return type;
}

// Selects elements first .. first + count - 1 of a one-dimensional dataset. The handle is invalid if HDF5 cannot.
Handle part_of(hid_t dataset, std::size_t first, std::size_t count) {
    Handle space(H5Dget_space(dataset), H5Sclose);
    const hsize_t start = first, length = count;
    if (H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &length, nullptr) < 0) return {-1, H5Sclose};
    return space;
}

Handle line_of(std::size_t count) {
    const hsize_t length = count;
    return {H5Screate_simple(1, &length, nullptr), H5Sclose};
}

Handle created_image() {
    const Session session;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    constexpr std::size_t increment = std::size_t{1} << 20;
    if (H5Pset_fapl_core(access.get(), increment, false) < 0 ||
        H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST) < 0 ||
        H5Pset_userblock(creation.get(), state_format::header_size) < 0)
        return {-1, H5Fclose};
    return {H5Fcreate(image_name().c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose};
}

hdf5::Layout layout_of(std::string_view label, std::span<const std::byte> file) {
    try {
        return hdf5::Layout(file.subspan(state_format::header_size));
    } catch (const hdf5::Unreadable& unreadable) {
        state_format::bad_file(label, unreadable.why);
    }
}

using Kind = hdf5::Dataset::Kind;

template <class T>
constexpr Kind kind_of = std::same_as<T, double>   ? Kind::real
                         : std::signed_integral<T> ? Kind::integer
                                                   : Kind::unsigned_integer;

std::string described_type(Kind kind, std::size_t size) {
    switch (kind) {
        case Kind::integer:
            return text(8 * size, "-bit integer");
        case Kind::unsigned_integer:
            return text(8 * size, "-bit unsigned integer");
        case Kind::real:
            return text(8 * size, "-bit real");
        case Kind::text:
            return "text";
        default:
            return "another type";
    }
}

// Describes a scalar if there is no length.
std::string described_shape(std::optional<std::size_t> length) {
    return length ? text("an array of ", *length) : "a scalar";
}

}  // namespace

StateWriter::Image::Image(std::string method) : method_(std::move(method)), file_(created_image()) {
    if (!file_) fail(Status::io_error, "state of ", method_, ": HDF5 cannot make a file in memory");
}

Handle StateWriter::Image::create(const std::string& name, hid_t type, const Handle& space) const {
    const Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (H5Pset_create_intermediate_group(link.get(), 1) < 0 ||
        H5Pset_obj_track_times(creation.get(), false) < 0)  // without times, files of one state are bitwise identical
        fail_at(name);
    Handle dataset(H5Dcreate2(file_.get(), name.c_str(), type, space.get(), link.get(), creation.get(), H5P_DEFAULT),
                   H5Dclose);
    if (!dataset) fail_at(name);
    return dataset;
}

void StateWriter::Image::write_scalar(std::string_view name, hid_t file_type, hid_t memory_type,
                                      const void* value) const {
    const Handle dataset = create(std::string(name), file_type, {H5Screate(H5S_SCALAR), H5Sclose});
    if (H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0) fail_at(name);
}

template <class T>
void StateWriter::Image::put_scalar(std::string_view name, T value) const {
    const Session session;
    const TypePair type = types<T>();
    write_scalar(name, type.file, type.memory, &value);
}

void StateWriter::Image::put_text(std::string_view name, std::string_view value) const {
    const Session session;
    const Handle type = text_type(value.size());
    write_scalar(name, type.get(), type.get(), value.empty() ? "" : value.data());
}

template <StateElement T>
void StateWriter::Image::put_part(std::string_view name, std::size_t length, std::size_t first,
                                  std::span<const T> values) const {
    const Session session;
    const std::string path(name);
    const Handle dataset = first == 0 ? create(path, types<T>().file, line_of(length))
                                      : Handle(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset) fail_at(name);
    if (values.empty()) return;
    const Handle target = part_of(dataset.get(), first, values.size()), source = line_of(values.size());
    if (H5Dwrite(dataset.get(), types<T>().memory, source.get(), target.get(), H5P_DEFAULT, values.data()) < 0)
        fail_at(name);
}

std::span<std::byte> StateWriter::Image::bytes() const {
    const Session session;
    void* memory = nullptr;
    if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0 || H5Fget_vfd_handle(file_.get(), H5P_DEFAULT, &memory) < 0)
        fail_at("/");
    const ssize_t payload = H5Fget_file_image(file_.get(), nullptr, 0);  // without the user block
    if (payload < 0) fail_at("/");
    const std::span image(*static_cast<std::byte**>(memory),
                          state_format::header_size + static_cast<std::size_t>(payload));
    // HDF5 marks a file that is open for writing. H5Fget_file_image removes the mark from the copy that it makes. Here
    // the mark is removed likewise: a superblock of version 0, which the bounds above request, has it in bytes 20 to
    // 23.
    const auto superblock = image.subspan(state_format::header_size);
    if (superblock[8] != std::byte{0})
        fail(Status::io_error, "state of ", method_, ": HDF5 made a superblock of version ",
             std::to_integer<int>(superblock[8]), ", expected 0");
    std::fill_n(superblock.begin() + 20, 4, std::byte{0});
    return image;
}

StateReader::Image::Image(std::vector<std::byte> file, std::string path)
    : label(std::move(path)), bytes_(std::move(file)), layout_(layout_of(label, bytes_)) {}

bool StateReader::Image::has(std::string_view name) const {
    try {
        layout_.find(name);
        return true;
    } catch (const hdf5::Unreadable&) {
        return false;
    }
}

hdf5::Dataset StateReader::Image::found(std::string_view name) const {
    if (!known_.contains(name)) known_.emplace(name);
    try {
        return layout_.find(name);
    } catch (const hdf5::Unreadable& unreadable) {
        refuse(name, unreadable.why);
    }
}

void StateReader::Image::require_known(std::string_view group) const {
    try {
        for (const std::string_view name : layout_.names_in(group))
            if (const std::string entry = text(group, '/', name); !known_.contains(entry))
                refuse(entry, "this version of Legato does not know it; resume with the version that saved the file");
    } catch (const hdf5::Unreadable& unreadable) {
        refuse(group, unreadable.why);
    }
}

hdf5::Dataset StateReader::Image::expected(std::string_view name, Kind kind, std::size_t size,
                                           std::optional<std::size_t> length) const {
    const hdf5::Dataset dataset = found(name);
    if (dataset.length != length || dataset.kind != kind || (kind != Kind::text && dataset.size != size))
        refuse(name, "found ", described_shape(dataset.length), " of ", described_type(dataset.kind, dataset.size),
               ", expected ", described_shape(length), " of ", described_type(kind, size));
    return dataset;
}

template <class T>
T StateReader::Image::get_scalar(std::string_view name) const {
    T value{};
    std::memcpy(&value, expected(name, kind_of<T>, sizeof(T), std::nullopt).values.data(), sizeof value);
    return value;
}

std::string StateReader::Image::get_text(std::string_view name) const {
    const auto values = expected(name, Kind::text, 1, std::nullopt).values;
    const std::string_view all(reinterpret_cast<const char*>(values.data()), values.size());
    return std::string(all.substr(0, all.find('\0')));
}

template <StateElement T>
void StateReader::Image::expect(std::string_view name, std::size_t length) const {
    expected(name, kind_of<T>, sizeof(T), length);
}

template <StateElement T>
void StateReader::Image::get_part(std::string_view name, std::size_t length, std::size_t first,
                                  std::span<T> values) const {
    const auto all = expected(name, kind_of<T>, sizeof(T), length).values;
    if (!values.empty()) std::memcpy(values.data(), all.data() + first * sizeof(T), values.size_bytes());
}

#define LEGATO_INSTANTIATE(T)                                                                                     \
    template void StateWriter::Image::put_part<T>(std::string_view, std::size_t, std::size_t, std::span<const T>) \
        const;                                                                                                    \
    template void StateReader::Image::expect<T>(std::string_view, std::size_t) const;                             \
    template void StateReader::Image::get_part<T>(std::string_view, std::size_t, std::size_t, std::span<T>) const;
LEGATO_FOR_STATE_ELEMENTS(LEGATO_INSTANTIATE)
#undef LEGATO_INSTANTIATE

template void StateWriter::Image::put_scalar<std::int64_t>(std::string_view, std::int64_t) const;
template void StateWriter::Image::put_scalar<double>(std::string_view, double) const;
template std::int64_t StateReader::Image::get_scalar<std::int64_t>(std::string_view) const;
template double StateReader::Image::get_scalar<double>(std::string_view) const;

}  // namespace legato
