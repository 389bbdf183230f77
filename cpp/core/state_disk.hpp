// Files on the disk. Bytes are written to a file beside the target, which is then renamed over it. Failures throw
// io_error "<kind> <path>: <what>: <why>". The kind of a file is "state file" unless the caller says otherwise.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>

namespace legato {

class FileDescriptor {
  public:
    explicit FileDescriptor(int fd = -1) : fd_(fd) {}
    ~FileDescriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;

    int get() const { return fd_; }
    void reset(int fd) { fd_ = fd; }
    int close() { return ::close(std::exchange(fd_, -1)); }

  private:
    int fd_;
};

inline constexpr const char* state_file_kind = "state file";

// A new file in the target's directory. It is deleted again unless it has replaced the target.
class ReplacementFile {
  public:
    static constexpr const char* prefix = ".legato-state-";  // of its name, as long as it is unfinished

    explicit ReplacementFile(const std::filesystem::path& target) : ReplacementFile(target, target) {}
    // The file has the permissions of `like`, if it exists, and otherwise those that the umask leaves.
    ReplacementFile(const std::filesystem::path& target, const std::filesystem::path& like,
                    const char* kind = state_file_kind);
    ~ReplacementFile() {
        if (!name_.empty()) ::unlink(name_.c_str());
    }
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;

    void write(std::span<const std::byte> bytes);
    // Renames the file, which is on the disk by then. sync_folder() follows, so that its name is on the disk, too.
    void replace_target();
    void sync_folder();

  private:
    const char* kind_;
    std::filesystem::path target_;
    std::filesystem::path folder_;
    std::filesystem::path name_;
    FileDescriptor file_, opened_folder_;
};

// Makes a folder for state files unless it is there. Its name is on the disk then.
void make_folder(const std::filesystem::path& folder);

// A plain file, opened for reading. Throws bad_file if it is anything else.
class SourceFile {
  public:
    explicit SourceFile(std::filesystem::path path, const char* kind = state_file_kind);

    std::uint64_t size() const { return size_; }  // size when it was opened

    // Continues to read, up to the end of `bytes` or of the file. Returns the number of bytes read.
    std::size_t read(std::span<std::byte> bytes) const;

  private:
    const char* kind_;
    std::filesystem::path path_;
    FileDescriptor file_;
    std::uint64_t size_ = 0;
};

}  // namespace legato
