// Wraps the operating system: files, information about memory and processor, and threads.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <system_error>
#include <thread>

#include "wrapped.hpp"

namespace {

constexpr auto kind = legato::tests::Failure::file;
using legato::tests::failed_with;

}  // namespace

LEGATO_FAILS(open, failed_with(EMFILE), int, (const char* path, int flags, mode_t mode), (path, flags, mode))
LEGATO_FAILS(read, failed_with(EIO), ssize_t, (int fd, void* bytes, std::size_t count), (fd, bytes, count))
LEGATO_FAILS(write, failed_with(ENOSPC), ssize_t, (int fd, const void* bytes, std::size_t count), (fd, bytes, count))
LEGATO_FAILS(stat, failed_with(EIO), int, (const char* path, struct stat* status), (path, status))
LEGATO_FAILS(fstat, failed_with(EIO), int, (int fd, struct stat* status), (fd, status))
LEGATO_FAILS(rename, failed_with(EACCES), int, (const char* from, const char* to), (from, to))
#define LEGATO_FSYNC(name) /* the disk is not waited for */              \
    extern "C" int __wrap_##name(int) {                                  \
        return legato::tests::fails(kind, #name) ? failed_with(EIO) : 0; \
    }
LEGATO_FSYNC(fsync)
LEGATO_FAILS_AFTER(close, failed_with(EIO), int, (int fd), (fd))
LEGATO_FAILS(getrlimit, failed_with(EINVAL), int, (int resource, rlimit* limit), (resource, limit))
LEGATO_FAILS(sysconf, failed_with(EINVAL), long, (int name), (name))
LEGATO_FAILS(madvise, failed_with(EINVAL), int, (void* memory, std::size_t size, int advice), (memory, size, advice))

// The library opens /proc by std::filebuf::open().
LEGATO_FAILS(_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode, nullptr, std::filebuf*,
             (std::filebuf * file, const char* path, std::ios_base::openmode mode), (file, path, mode))

// std::thread starts its thread by this function.
#define LEGATO_START_THREAD(name)                                                                                     \
    extern "C" void __real_##name(std::thread*, std::unique_ptr<std::thread::_State>, void (*)());                    \
    extern "C" void __wrap_##name(std::thread* self, std::unique_ptr<std::thread::_State> state, void (*depends)()) { \
        if (legato::tests::fails(legato::tests::Failure::thread, "std::thread"))                                      \
            throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));                 \
        __real_##name(self, std::move(state), depends);                                                               \
    }
LEGATO_START_THREAD(_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE)
