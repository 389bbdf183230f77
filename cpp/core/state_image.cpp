#include "core/state_image.hpp"

#include <algorithm>
#include <atomic>

namespace legato {
namespace {

using hdf5::Handle;
using hdf5::Session;

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
    if (H5Tset_size(type.get(), std::max<std::size_t>(size, 1)) < 0 || H5Tset_strpad(type.get(), H5T_STR_NULLPAD) < 0)
        return {-1, H5Tclose};
    return type;
}

// Elements first .. first + count - 1 of a dataset of one dimension; no handle if HDF5 cannot select them.
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
    if (!file) state_format::bad_file(label, "HDF5 cannot open it: ", hdf5::reason());
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

}  // namespace

StateWriter::Image::Image(std::string method) : method_(std::move(method)), file_(created_image()) {
    if (!file_) fail(Status::io_error, "state of ", method_, ": HDF5 cannot make a file in memory");
}

Handle StateWriter::Image::create(const std::string& name, hid_t type, const Handle& space) const {
    const Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    if (H5Pset_create_intermediate_group(link.get(), 1) < 0 ||
        H5Pset_obj_track_times(creation.get(), false) < 0)  // the same state gives the same bytes
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
    // HDF5 marks a file that is open for writing. H5Fget_file_image takes the mark out of the copy it makes,
    // and so it is done here: a superblock of version 0, which the bounds above ask for, has it in bytes 20
    // to 23.
    const auto superblock = image.subspan(state_format::header_size);
    if (superblock[8] != std::byte{0})
        fail(Status::io_error, "state of ", method_, ": HDF5 made a superblock of version ",
             std::to_integer<int>(superblock[8]), ", expected 0");
    std::fill_n(superblock.begin() + 20, 4, std::byte{0});
    return image;
}

// A dataset whose values all lie in this file.
struct StateReader::Image::Entry {
    Handle dataset, type;
    std::string shape;
};

StateReader::Image::Image(std::vector<std::byte> file, std::string path)
    : label(std::move(path)), bytes_(std::move(file)), file_(opened_image(label, bytes_)) {}

// No link in the name leads out of the file or anywhere but downwards.
void StateReader::Image::check_links(const std::string& name) const {
    for (std::size_t end = name.find('/');; end = name.find('/', end + 1)) {
        H5L_info_t link;
        if (H5Lget_info(file_.get(), name.substr(0, end).c_str(), &link, H5P_DEFAULT) < 0)
            refuse(name, "found none, expected one");
        if (link.type != H5L_TYPE_HARD) refuse(name, "found a soft or external link, expected a dataset");
        if (end == name.npos) return;
    }
}

StateReader::Image::Entry StateReader::Image::entry(const std::string& name) const {
    check_links(name);
    Handle dataset(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset) refuse(name, "HDF5 cannot open it: ", hdf5::reason());
    Handle type(H5Dget_type(dataset.get()), H5Tclose);
    const Handle space(H5Dget_space(dataset.get()), H5Sclose);
    const Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose);
    if (!type || !space || !creation) refuse(name, hdf5::reason());
    // Values in other files, in chunks or packed are never written here, and could stand for more than is
    // there.
    if (H5Pget_layout(creation.get()) != H5D_CONTIGUOUS || H5Pget_external_count(creation.get()) != 0)
        refuse(name, "found another layout, expected contiguous");
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    const std::size_t size = H5Tget_size(type.get());
    const hsize_t stored = H5Dget_storage_size(dataset.get());
    if (count < 0 || size == 0 || stored / size != static_cast<hsize_t>(count) || stored % size != 0 ||
        stored > bytes_.size())
        refuse(name, "found ", stored, " bytes for ", count, " values of ", size, " bytes in a file of ",
               bytes_.size());
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
T StateReader::Image::get_scalar(std::string_view name) const {
    const Session session;
    const Handle dataset = expected(name, types<T>().file, std::nullopt);
    T value{};
    if (H5Dread(dataset.get(), types<T>().memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0)
        refuse(name, hdf5::reason());
    return value;
}

std::string StateReader::Image::get_text(std::string_view name) const {
    const Session session;
    const Entry found = entry(std::string(name));
    const std::size_t size = H5Tget_size(found.type.get());
    const Handle type = text_type(size);
    if (found.shape != described_shape(std::nullopt) || H5Tequal(found.type.get(), type.get()) <= 0)
        refuse(name, "found ", found.shape, " of ", described_type(found.type.get()), ", expected a scalar of text");
    std::string value(size, '\0');
    if (H5Dread(found.dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data()) < 0)
        refuse(name, hdf5::reason());
    value.resize(std::min(value.find('\0'), size));
    return value;
}

template <StateElement T>
void StateReader::Image::expect(std::string_view name, std::size_t length) const {
    const Session session;
    expected(name, types<T>().file, length);
}

template <StateElement T>
void StateReader::Image::get_part(std::string_view name, std::size_t length, std::size_t first,
                                  std::span<T> values) const {
    const Session session;
    const Handle dataset = expected(name, types<T>().file, length);
    if (values.empty()) return;
    const Handle source = part_of(dataset.get(), first, values.size()), target = line_of(values.size());
    if (H5Dread(dataset.get(), types<T>().memory, target.get(), source.get(), H5P_DEFAULT, values.data()) < 0)
        refuse(name, hdf5::reason());
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
