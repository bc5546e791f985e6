/* Preloaded into the program: the FAIL_CALL-th call for memory, by whatever library, gets none, with FAIL_EVER no later one does,
   either, and FAIL_MARK is made to tell that it was so. The last line of FAIL_COUNT, if it is named, is the number of all calls. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long calls;
static long first = -1;
static int ever;

static void __attribute__((constructor)) begin(void) {
    const char *call = getenv("FAIL_CALL");
    ever = getenv("FAIL_EVER") != NULL;
    atomic_store(&calls, 0);
    first = call ? atol(call) : 0;
}

static void __attribute__((destructor)) end(void) {
    const char *path = getenv("FAIL_COUNT");
    if (path == NULL) return;
    const int file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);
    if (file >= 0) dprintf(file, "%ld\n", atomic_load(&calls));
}

static int refused(void) {
    const long call = atomic_fetch_add(&calls, 1) + 1;
    if (first <= 0 || call < first || (call > first && !ever)) return 0;
    const char *mark = getenv("FAIL_MARK");
    if (call == first && mark) close(open(mark, O_CREAT | O_WRONLY, 0644));
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n) { return refused() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return refused() ? NULL : __libc_calloc(n, size); }
void *realloc(void *at, size_t n) { return refused() ? NULL : __libc_realloc(at, n); }
void *memalign(size_t align, size_t n) { return refused() ? NULL : __libc_memalign(align, n); }
void *aligned_alloc(size_t align, size_t n) { return memalign(align, n); }
int posix_memalign(void **at, size_t align, size_t n) {
    if (refused()) return ENOMEM;
    *at = __libc_memalign(align, n);
    return *at == NULL ? ENOMEM : 0;
}
