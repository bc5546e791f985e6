/* Preloaded into the program: the FAIL_CALL-th call that writes to a file with FAIL_PATH in its path fails
   with the error FAIL_ERRNO, with FAIL_EVER all later ones do, and FAIL_MARK is made to tell that it did. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls;

static int refused(int fd) {
    const char *part = getenv("FAIL_PATH");
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (part == NULL || n < 0) return 0;
    path[n] = 0;
    if (strstr(path, part) == NULL) return 0;
    const long call = atomic_fetch_add(&calls, 1) + 1, first = atol(getenv("FAIL_CALL"));
    if (call < first || (call > first && getenv("FAIL_EVER") == NULL)) return 0;
    long mark = syscall(SYS_openat, AT_FDCWD, getenv("FAIL_MARK"), O_CREAT | O_WRONLY, 0644);
    if (mark >= 0) syscall(SYS_close, mark);
    errno = atoi(getenv("FAIL_ERRNO"));
    return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t n) { return refused(fd) ? -1 : NEXT(write)(fd, bytes, n); }
ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at) {
    return refused(fd) ? -1 : NEXT(pwrite)(fd, bytes, n, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) {
    return refused(fd) ? -1 : NEXT(pwrite64)(fd, bytes, n, at);
}
ssize_t writev(int fd, const struct iovec *all, int n) { return refused(fd) ? -1 : NEXT(writev)(fd, all, n); }
int ftruncate(int fd, off_t n) { return refused(fd) ? -1 : NEXT(ftruncate)(fd, n); }
int ftruncate64(int fd, off64_t n) { return refused(fd) ? -1 : NEXT(ftruncate64)(fd, n); }
int fsync(int fd) { return refused(fd) ? -1 : NEXT(fsync)(fd); }
int fdatasync(int fd) { return refused(fd) ? -1 : NEXT(fdatasync)(fd); }
