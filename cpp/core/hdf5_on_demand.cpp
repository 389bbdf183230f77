// Replaces HDF5 in the shared library. Each HDF5 function that core/ calls is defined here and passes the call on to
// libhdf5. The first call opens libhdf5: most programs never save, and libhdf5 brings some 30 libraries with it. The
// version script keeps these names within liblegato. The static library leaves this file out and is linked to HDF5.
#include <dlfcn.h>
#include <hdf5.h>

#include "core/error.hpp"

// A line has one function, or some identifiers.
// clang-format off
#define LEGATO_HDF5_FUNCTIONS(call) \
    call(H5Eget_auto2, herr_t, (hid_t stack, H5E_auto2_t* print, void** data), (stack, print, data)) \
    call(H5Eset_auto2, herr_t, (hid_t stack, H5E_auto2_t print, void* data), (stack, print, data)) \
    call(H5Ewalk2, herr_t, \
         (hid_t stack, H5E_direction_t direction, H5E_walk2_t take, void* data), (stack, direction, take, data)) \
    call(H5Pcreate, hid_t, (hid_t kind_of_list), (kind_of_list)) \
    call(H5Pset_fapl_core, herr_t, (hid_t list, size_t increment, hbool_t backing), (list, increment, backing)) \
    call(H5Pset_libver_bounds, herr_t, (hid_t list, H5F_libver_t low, H5F_libver_t high), (list, low, high)) \
    call(H5Pset_userblock, herr_t, (hid_t list, hsize_t size), (list, size)) \
    call(H5Pset_create_intermediate_group, herr_t, (hid_t list, unsigned create), (list, create)) \
    call(H5Pset_obj_track_times, herr_t, (hid_t list, hbool_t track), (list, track)) \
    call(H5Pclose, herr_t, (hid_t list), (list)) \
    call(H5Fcreate, hid_t, \
         (const char* name, unsigned flags, hid_t creation, hid_t access), (name, flags, creation, access)) \
    call(H5Fflush, herr_t, (hid_t file, H5F_scope_t scope), (file, scope)) \
    call(H5Fget_vfd_handle, herr_t, (hid_t file, hid_t access, void** handle), (file, access, handle)) \
    call(H5Fget_file_image, ssize_t, (hid_t file, void* bytes, size_t size), (file, bytes, size)) \
    call(H5Fclose, herr_t, (hid_t file), (file)) \
    call(H5Tcopy, hid_t, (hid_t type), (type)) \
    call(H5Tset_size, herr_t, (hid_t type, size_t size), (type, size)) \
    call(H5Tset_strpad, herr_t, (hid_t type, H5T_str_t padding), (type, padding)) \
    call(H5Tclose, herr_t, (hid_t type), (type)) \
    call(H5Screate, hid_t, (H5S_class_t kind_of_space), (kind_of_space)) \
    call(H5Screate_simple, hid_t, (int rank, const hsize_t* extents, const hsize_t* most), (rank, extents, most)) \
    call(H5Sselect_hyperslab, herr_t, \
         (hid_t space, H5S_seloper_t how, const hsize_t* start, const hsize_t* stride, const hsize_t* count, const hsize_t* block), \
         (space, how, start, stride, count, block)) \
    call(H5Sclose, herr_t, (hid_t space), (space)) \
    call(H5Dcreate2, hid_t, \
         (hid_t file, const char* name, hid_t type, hid_t space, hid_t link, hid_t creation, hid_t access), \
         (file, name, type, space, link, creation, access)) \
    call(H5Dopen2, hid_t, (hid_t file, const char* name, hid_t access), (file, name, access)) \
    call(H5Dwrite, herr_t, \
         (hid_t dataset, hid_t type, hid_t from, hid_t to, hid_t transfer, const void* values), \
         (dataset, type, from, to, transfer, values)) \
    call(H5Dget_space, hid_t, (hid_t dataset), (dataset)) \
    call(H5Dclose, herr_t, (hid_t dataset), (dataset)) \
    call(H5check_version, herr_t, (unsigned major, unsigned minor, unsigned release), (major, minor, release))

// HDF5 sets these in H5open, which its macros call each time before they read one.
#define LEGATO_HDF5_IDENTIFIERS(id) \
    id(H5P_CLS_DATASET_CREATE_ID_g) id(H5P_CLS_FILE_ACCESS_ID_g) id(H5P_CLS_FILE_CREATE_ID_g) \
    id(H5P_CLS_LINK_CREATE_ID_g) id(H5T_C_S1_g) id(H5T_IEEE_F64LE_g) id(H5T_NATIVE_DOUBLE_g) id(H5T_NATIVE_INT32_g) \
    id(H5T_NATIVE_INT64_g) id(H5T_NATIVE_INT8_g) id(H5T_NATIVE_UINT32_g) id(H5T_NATIVE_UINT64_g) \
    id(H5T_NATIVE_UINT8_g) id(H5T_STD_I32LE_g) id(H5T_STD_I64LE_g) id(H5T_STD_I8LE_g) id(H5T_STD_U32LE_g) \
    id(H5T_STD_U64LE_g) id(H5T_STD_U8LE_g)
// clang-format on

namespace {

using legato::fail;
using legato::Status;

// LEGATO_HDF5_SONAME is that of the library whose headers this was compiled with.
constexpr const char* soname = LEGATO_HDF5_SONAME;

void* opened() {
    void* const library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail(Status::io_error, "saving needs HDF5, and ", soname, " cannot be opened: ", dlerror(),
             "; install the HDF5 that Legato was built with (Debian, Ubuntu: libhdf5-dev), or name its folder in "
             "LD_LIBRARY_PATH");
    return library;
}

template <class T>
void take(void* library, const char* name, T*& target) {
    void* const found = dlsym(library, name);
    if (!found)
        fail(Status::io_error, "saving needs HDF5, and ", soname, " has no ", name,
             "; install the HDF5 that Legato was built with (Debian, Ubuntu: libhdf5-dev)");
    target = reinterpret_cast<T*>(found);
}

#define LEGATO_TEXT_OF(name) #name
#define LEGATO_TEXT(name) LEGATO_TEXT_OF(name)

// The library stays open until the process ends, because HDF5 has work to do at exit.
struct Library {
    Library() {
        void* const library = opened();
        take(library, "H5open", open);
#define LEGATO_TAKE(name, result, parameters, arguments) take(library, LEGATO_TEXT(name), call_##name);
        LEGATO_HDF5_FUNCTIONS(LEGATO_TAKE)
#define LEGATO_TAKE_ID(name) take(library, #name, from_##name);
        LEGATO_HDF5_IDENTIFIERS(LEGATO_TAKE_ID)
    }

    herr_t (*open)() = nullptr;
#define LEGATO_MEMBER(name, result, parameters, arguments) \
    result(*call_##name) parameters = nullptr;  // NOLINT(bugprone-macro-parentheses): a type
    LEGATO_HDF5_FUNCTIONS(LEGATO_MEMBER)
#define LEGATO_MEMBER_ID(name) const hid_t* from_##name = nullptr;
    LEGATO_HDF5_IDENTIFIERS(LEGATO_MEMBER_ID)
};

// Opens the library in the first call. If that throws, the next call tries again.
const Library& library() {
    static const Library library;
    return library;
}

}  // namespace

extern "C" {

#define LEGATO_DEFINE_ID(name) hid_t name = -1;
LEGATO_HDF5_IDENTIFIERS(LEGATO_DEFINE_ID)

herr_t H5open() {
    const Library& from = library();
    const herr_t status = from.open();
#define LEGATO_COPY_ID(name) name = *from.from_##name;
    LEGATO_HDF5_IDENTIFIERS(LEGATO_COPY_ID)
    return status;
}

#define LEGATO_PASS_ON(name, result, parameters, arguments) \
    result name parameters {                                \
        return library().call_##name arguments;             \
    }
LEGATO_HDF5_FUNCTIONS(LEGATO_PASS_ON)

}  // extern "C"
