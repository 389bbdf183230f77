#include "core/state_disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string_view>

#include "core/error.hpp"

namespace legato {
namespace {

[[noreturn]] void fail_io(const char* kind, const std::filesystem::path& path, std::string_view what, int error) {
    const char* const words = ::strerrordesc_np(error);  // untranslated
    fail(Status::io_error, kind, " ", path.string(), ": cannot ", what, ": ", words ? words : text("error ", error));
}

// Repeats a system call that a signal interrupts.
template <class Call>
auto uninterrupted(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

// Blocks SIGXFSZ while a file is written, so that a file beyond the size limit (ulimit -f) is an ordinary error. By
// default the signal would end the process.
class FileSizeSignalBlock {
  public:
    FileSizeSignalBlock() {
        sigemptyset(&signal_);
        sigaddset(&signal_, SIGXFSZ);
        sigset_t pending;
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
        pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    }
    FileSizeSignalBlock(const FileSizeSignalBlock&) = delete;
    FileSizeSignalBlock& operator=(const FileSizeSignalBlock&) = delete;
    ~FileSizeSignalBlock() {
        const int error = errno;
        const timespec at_once{};
        if (!was_pending_) uninterrupted([&] { return sigtimedwait(&signal_, nullptr, &at_once); });
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = error;
    }

  private:
    sigset_t signal_, before_;
    bool was_pending_ = false;
};

std::filesystem::path folder_of(const std::filesystem::path& target) {
    return target.has_parent_path() ? target.parent_path() : ".";
}

void open_folder(const char* kind, const std::filesystem::path& folder, const std::filesystem::path& target,
                 FileDescriptor& opened) {
    opened.reset(uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
    if (opened.get() < 0) fail_io(kind, target, "open its folder", errno);
}

void sync_folder(const char* kind, const FileDescriptor& folder, const std::filesystem::path& target) {
    // Some network file systems have no fsync of a directory.
    if (uninterrupted([&] { return ::fsync(folder.get()); }) != 0 && errno != EINVAL)
        fail_io(kind, target, "fsync its folder", errno);
}

}  // namespace

ReplacementFile::ReplacementFile(const std::filesystem::path& target, const std::filesystem::path& like,
                                 const char* kind)
    : kind_(kind), target_(target), folder_(folder_of(target)) {
    // A device or a directory must not be replaced by a file. rename would replace /dev/null.
    struct stat status;
    const bool is_there = ::stat(target.c_str(), &status) == 0;
    if (!is_there && errno != ENOENT) fail_io(kind, target, "stat", errno);
    if (is_there && !S_ISREG(status.st_mode))
        fail_io(kind, target, "replace what is not a regular file", S_ISDIR(status.st_mode) ? EISDIR : EEXIST);
    const bool has_like = ::stat(like.c_str(), &status) == 0;
    static std::atomic<unsigned> serial{0};
    for (int attempt = 0; attempt < 100; ++attempt) {
        name_ = folder_ / text(prefix, ::getpid(), "-", serial++);
        // mkstemp is not used, because it gives permissions of its own.
        const mode_t mode = has_like ? status.st_mode & 0777 : 0666;
        file_.reset(
            uninterrupted([&] { return ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode); }));
        if (file_.get() >= 0) {  // from here on nothing may throw: no destructor would remove the file
            if (has_like) (void)::fchmod(file_.get(), mode);  // the umask may have removed some permissions
            return;
        }
        const int error = errno;
        if (error != EEXIST) fail_io(kind, target, text("create a file in ", folder_.string()), error);
    }
    fail_io(kind, target, text("create a file in ", folder_.string()), EEXIST);
}

void ReplacementFile::write(std::span<const std::byte> bytes) {
    const FileSizeSignalBlock block;
    while (!bytes.empty()) {
        const auto written = uninterrupted([&] { return ::write(file_.get(), bytes.data(), bytes.size()); });
        if (written < 0) fail_io(kind_, target_, "write", errno);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void ReplacementFile::replace_target() {
    if (uninterrupted([&] { return ::fsync(file_.get()); }) != 0) fail_io(kind_, target_, "fsync", errno);
    if (file_.close() != 0) fail_io(kind_, target_, "close", errno);
    open_folder(kind_, folder_, target_, opened_folder_);
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail_io(kind_, target_, "rename", errno);
    name_.clear();
}

void ReplacementFile::sync_folder() {
    legato::sync_folder(kind_, opened_folder_, target_);
}

void make_folder(const std::filesystem::path& folder) {
    const bool is_new = ::mkdir(folder.c_str(), 0777) == 0;
    if (const int error = errno; !is_new && (error != EEXIST || !std::filesystem::is_directory(folder)))
        fail_io(state_file_kind, folder, "make this folder", error);
    try {
        FileDescriptor parent;
        open_folder(state_file_kind, folder_of(folder), folder, parent);
        sync_folder(state_file_kind, parent, folder);
    } catch (...) {
        if (is_new) ::rmdir(folder.c_str());
        throw;
    }
}

SourceFile::SourceFile(std::filesystem::path path, const char* kind) : kind_(kind), path_(std::move(path)) {
    // O_NONBLOCK, because the opening of a pipe must not wait for its writer.
    file_.reset(uninterrupted([&] { return ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
    if (file_.get() < 0) fail_io(kind_, path_, "open", errno);
    struct stat status;
    if (::fstat(file_.get(), &status) != 0) fail_io(kind_, path_, "fstat", errno);
    if (!S_ISREG(status.st_mode)) fail(Status::bad_file, kind_, " ", path_.string(), ": it is not a regular file");
    size_ = static_cast<std::uint64_t>(status.st_size);
}

std::size_t SourceFile::read(std::span<std::byte> bytes) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto part = uninterrupted([&] { return ::read(file_.get(), bytes.data() + done, bytes.size() - done); });
        if (part < 0) fail_io(kind_, path_, "read", errno);
        if (part == 0) break;
        done += static_cast<std::size_t>(part);
    }
    return done;
}

}  // namespace legato
