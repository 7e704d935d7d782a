/* Loaded before the C library (LD_PRELOAD): a disk that fails and a wall clock that is set, as a test says.

   TEST_SHIM names a file of three 64-bit integers that the test writes and this reads at each call:
   nanoseconds to add to the wall clock, errno of every write to the database, errno of every flush. Only files whose
   name has "sqlite3" in it are touched, and only the wall clock: monotonic clocks go on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t none[3], *orders = none;

/* Looked for at each call until it is there: a process may be told of it after it was forked. */
static volatile int64_t *order(void) {
  const char *name = orders == none ? getenv("TEST_SHIM") : NULL;
  int handle = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (handle >= 0) {
    void *page = mmap(NULL, sizeof none, PROT_READ, MAP_SHARED, handle, 0);
    if (page != MAP_FAILED) orders = page;
    close(handle);
  }
  return orders;
}

static int hit(int handle, int64_t wanted) {
  char link[64], path[512];
  if (!wanted) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (!strstr(path, "sqlite3")) return 0;
  errno = (int)wanted;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite(int handle, const void *bytes, size_t count, off_t at) {
  return hit(handle, order()[1]) ? -1 : REAL(pwrite)(handle, bytes, count, at);
}
ssize_t pwrite64(int handle, const void *bytes, size_t count, off64_t at) {
  return hit(handle, order()[1]) ? -1 : REAL(pwrite64)(handle, bytes, count, at);
}
ssize_t write(int handle, const void *bytes, size_t count) {
  return hit(handle, order()[1]) ? -1 : REAL(write)(handle, bytes, count);
}
int fsync(int handle) { return hit(handle, order()[2]) ? -1 : REAL(fsync)(handle); }
int fdatasync(int handle) { return hit(handle, order()[2]) ? -1 : REAL(fdatasync)(handle); }

int clock_gettime(clockid_t which, struct timespec *now) {
  int answer = REAL(clock_gettime)(which, now);
  if (!answer && which == CLOCK_REALTIME && order()[0]) {
    int64_t ns = now->tv_sec * 1000000000LL + now->tv_nsec + order()[0];
    now->tv_sec = ns / 1000000000LL;
    now->tv_nsec = ns % 1000000000LL;
  }
  return answer;
}
int gettimeofday(struct timeval *now, void *zone) {
  struct timespec at;
  int answer = clock_gettime(CLOCK_REALTIME, &at);
  now->tv_sec = at.tv_sec;
  now->tv_usec = at.tv_nsec / 1000;
  return answer;
}
time_t time(time_t *now) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  if (now) *now = at.tv_sec;
  return at.tv_sec;
}
