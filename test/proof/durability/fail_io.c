/*
 * Preloaded into a process: from the n-th write on, writing to files below a folder fails until it is called off.
 * FAIL_IO_UNDER names the folder, FAIL_IO_CONTROL a file of three 32-bit numbers shared with whoever commands it:
 * writes left until they fail (0 = off), the errno they fail with, and how many have failed so far.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static volatile int32_t *control;
static const char *under;

static void __attribute__((constructor)) begin(void) {
  const char *path = getenv("FAIL_IO_CONTROL");
  under = getenv("FAIL_IO_UNDER");
  if (path == NULL || under == NULL) return;
  int file = open(path, O_RDWR);
  if (file < 0) return;
  void *place = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (place != MAP_FAILED) control = place;
}

static int fails(int file) {
  char link[64], path[4096];
  if (control == NULL || control[0] == 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (strncmp(path, under, strlen(under)) != 0) return 0;
  if (control[0] > 1) {
    __sync_fetch_and_sub(&control[0], 1);
    return 0;
  }
  __sync_fetch_and_add(&control[2], 1);
  errno = control[1];
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
  return fails(file) ? -1 : NEXT(pwrite)(file, bytes, length, at);
}
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
  return fails(file) ? -1 : NEXT(pwrite64)(file, bytes, length, at);
}
ssize_t write(int file, const void *bytes, size_t length) {
  return fails(file) ? -1 : NEXT(write)(file, bytes, length);
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) {
  return fails(file) ? -1 : NEXT(pwritev)(file, parts, count, at);
}
int fsync(int file) { return fails(file) ? -1 : NEXT(fsync)(file); }
int fdatasync(int file) { return fails(file) ? -1 : NEXT(fdatasync)(file); }
int ftruncate(int file, off_t length) { return fails(file) ? -1 : NEXT(ftruncate)(file, length); }
int ftruncate64(int file, off64_t length) { return fails(file) ? -1 : NEXT(ftruncate64)(file, length); }
