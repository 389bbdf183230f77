/* Calls of POSIX that need constants and structures of C. CStreams (c_streams.f90) has the interfaces. */
#define _DEFAULT_SOURCE /* declares these functions even if the compiler is strict about the C standard */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_open(int descriptor) {
    return fcntl(descriptor, F_GETFD) != -1;
}

void ignore_size_signal(void) {
    signal(SIGXFSZ, SIG_IGN);
}

int open_closed_streams(void) {
    /* A new descriptor is the lowest that is free: 0, or 2 when 0 and 1 are open. */
    if (!is_open(STDIN_FILENO) && open("/dev/null", O_RDWR) < 0) return -1;
    return is_open(STDERR_FILENO) || open("/dev/null", O_RDWR) >= 0 ? 0 : -1;
}

/* Returns false if the name exists and is not a plain file: for example a symbolic link, by which somebody could have
 * another file overwritten, or a pipe, which waits for a reader. */
static int is_plain_or_absent(const char* name) {
    struct stat named;
    return lstat(name, &named) != 0 || S_ISREG(named.st_mode);
}

/* Returns false if another run has renamed the file between its opening and its locking, or if it is no plain file: the
 * name may have got another file after is_plain_or_absent. */
static int is_still_named(int file, const char* name) {
    struct stat opened, named;
    if (fstat(file, &opened) != 0) return 1; /* unknown */
    return S_ISREG(opened.st_mode) && lstat(name, &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

/* What open_result returns in place of a descriptor; c_streams.f90 has the same numbers. */
enum { failed = -1, not_plain = -2, in_use = -3 };

static int open_locked(const char* name) {
    for (;;) {
        if (!is_plain_or_absent(name)) return not_plain;
        /* Not truncated before the lock is taken, because another run may be writing the file. */
        const int file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (file < 0) return errno == ELOOP ? not_plain : failed;
        if (flock(file, LOCK_EX | LOCK_NB) != 0) {
            if (errno != EWOULDBLOCK) return file; /* a file system without locks */
            close(file);
            return in_use;
        }
        if (is_still_named(file, name)) return file;
        close(file);
    }
}

int open_result(const char* name, FILE** stream) {
    *stream = NULL;
    const int lock = open_locked(name);
    if (lock < 0) return lock;
    const int copy = ftruncate(lock, 0) == 0 ? dup(lock) : -1;
    if (copy >= 0) *stream = fdopen(copy, "a");
    if (*stream) return lock;
    const int error = errno;
    if (copy >= 0) close(copy);
    unlink(name); /* the lock is still held */
    close(lock);
    errno = error;
    return failed;
}

int can_be_replaced(const char* name) {
    struct stat named;
    return stat(name, &named) != 0 || S_ISREG(named.st_mode);
}

int file_exists(const char* name) {
    struct stat named;
    if (stat(name, &named) == 0) return 1;
    return errno == ENOENT ? 0 : failed;
}

int close_to_disk(FILE* stream) {
    const int lost = fflush(stream) != 0 || fsync(fileno(stream)) != 0, error = errno;
    if (fclose(stream) != 0 && !lost) return -1;
    errno = error;
    return lost ? -1 : 0;
}
