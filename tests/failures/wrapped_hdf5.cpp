// Wraps every function of HDF5 that the library calls.
#include <hdf5.h>

#include "wrapped.hpp"

namespace {

constexpr auto kind = legato::tests::Failure::file;

}  // namespace

LEGATO_FAILS(H5open, -1, herr_t, (), ())
LEGATO_FAILS(H5Eget_auto2, -1, herr_t, (hid_t stack, H5E_auto2_t* print, void** data), (stack, print, data))
LEGATO_FAILS(H5Eset_auto2, -1, herr_t, (hid_t stack, H5E_auto2_t print, void* data), (stack, print, data))
LEGATO_FAILS(H5Ewalk2, -1, herr_t, (hid_t stack, H5E_direction_t direction, H5E_walk2_t take, void* data),
             (stack, direction, take, data))

LEGATO_FAILS(H5Pcreate, -1, hid_t, (hid_t kind_of_list), (kind_of_list))
LEGATO_FAILS(H5Pset_fapl_core, -1, herr_t, (hid_t list, size_t increment, hbool_t backing), (list, increment, backing))
LEGATO_FAILS(H5Pset_libver_bounds, -1, herr_t, (hid_t list, H5F_libver_t low, H5F_libver_t high), (list, low, high))
LEGATO_FAILS(H5Pset_userblock, -1, herr_t, (hid_t list, hsize_t size), (list, size))
LEGATO_FAILS(H5Pset_create_intermediate_group, -1, herr_t, (hid_t list, unsigned create), (list, create))
LEGATO_FAILS(H5Pset_obj_track_times, -1, herr_t, (hid_t list, hbool_t track), (list, track))
LEGATO_FAILS_AFTER(H5Pclose, -1, herr_t, (hid_t list), (list))

LEGATO_FAILS(H5Fcreate, -1, hid_t, (const char* name, unsigned flags, hid_t creation, hid_t access),
             (name, flags, creation, access))
LEGATO_FAILS(H5Fflush, -1, herr_t, (hid_t file, H5F_scope_t scope), (file, scope))
LEGATO_FAILS(H5Fget_vfd_handle, -1, herr_t, (hid_t file, hid_t access, void** handle), (file, access, handle))
LEGATO_FAILS(H5Fget_file_image, -1, ssize_t, (hid_t file, void* bytes, size_t size), (file, bytes, size))
LEGATO_FAILS_AFTER(H5Fclose, -1, herr_t, (hid_t file), (file))

LEGATO_FAILS(H5Tcopy, -1, hid_t, (hid_t type), (type))
LEGATO_FAILS(H5Tset_size, -1, herr_t, (hid_t type, size_t size), (type, size))
LEGATO_FAILS(H5Tset_strpad, -1, herr_t, (hid_t type, H5T_str_t padding), (type, padding))
LEGATO_FAILS_AFTER(H5Tclose, -1, herr_t, (hid_t type), (type))

LEGATO_FAILS(H5Screate, -1, hid_t, (H5S_class_t kind_of_space), (kind_of_space))
LEGATO_FAILS(H5Screate_simple, -1, hid_t, (int rank, const hsize_t* extents, const hsize_t* most),
             (rank, extents, most))
LEGATO_FAILS(H5Sselect_hyperslab, -1, herr_t,
             (hid_t space, H5S_seloper_t how, const hsize_t* start, const hsize_t* stride, const hsize_t* count,
              const hsize_t* block),
             (space, how, start, stride, count, block))
LEGATO_FAILS_AFTER(H5Sclose, -1, herr_t, (hid_t space), (space))

LEGATO_FAILS(H5Dcreate2, -1, hid_t,
             (hid_t file, const char* name, hid_t type, hid_t space, hid_t link, hid_t creation, hid_t access),
             (file, name, type, space, link, creation, access))
LEGATO_FAILS(H5Dopen2, -1, hid_t, (hid_t file, const char* name, hid_t access), (file, name, access))
LEGATO_FAILS(H5Dwrite, -1, herr_t,
             (hid_t dataset, hid_t type, hid_t from, hid_t to, hid_t transfer, const void* values),
             (dataset, type, from, to, transfer, values))
LEGATO_FAILS(H5Dget_space, -1, hid_t, (hid_t dataset), (dataset))
LEGATO_FAILS_AFTER(H5Dclose, -1, herr_t, (hid_t dataset), (dataset))
