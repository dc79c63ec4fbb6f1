#define _GNU_SOURCE
#define XXH_INLINE_ALL
#include "runtime/trace_writer.h"
#include "runtime/counters.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

uint64_t perfidy_hash(const void *bytes, size_t length) { return XXH3_64bits(bytes, length); }

/* --- buffer ------------------------------------------------------------------------------------
 */

static int grow(perfidy_buffer *buffer, size_t needed) {
  size_t capacity = buffer->capacity ? buffer->capacity : 1u << 16;
  while (capacity < needed)
    capacity *= 2;
  void *bigger =
      buffer->data
          ? mremap(buffer->data, buffer->capacity, capacity, MREMAP_MAYMOVE)
          : mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bigger == MAP_FAILED)
    return -ENOMEM;
  buffer->data = bigger;
  buffer->capacity = capacity;
  return 0;
}

void perfidy_put_bytes(perfidy_buffer *buffer, const void *bytes, size_t length) {
  if (buffer->length > buffer->capacity)
    return;
  if (buffer->length + length > buffer->capacity && grow(buffer, buffer->length + length) != 0) {
    buffer->length = buffer->capacity + 1;
    return;
  }
  memcpy(buffer->data + buffer->length, bytes, length);
  buffer->length += length;
}

/* A source that could not grow marks the destination too. */
static void put_buffer(perfidy_buffer *out, const perfidy_buffer *from) {
  if (from->length > from->capacity)
    out->length = out->capacity + 1;
  else
    perfidy_put_bytes(out, from->data, from->length);
}

void perfidy_put_varint(perfidy_buffer *buffer, uint64_t value) {
  unsigned char bytes[10];
  size_t length = 0;
  do {
    bytes[length++] = (unsigned char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>= 7;
  } while (value);
  perfidy_put_bytes(buffer, bytes, length);
}

void perfidy_put_string(perfidy_buffer *buffer, const char *text) {
  size_t length = text ? strlen(text) : 0;
  perfidy_put_varint(buffer, length);
  perfidy_put_bytes(buffer, text ? text : "", length);
}

void perfidy_put_double(perfidy_buffer *buffer, double value) {
  perfidy_put_bytes(buffer, &value, sizeof value);
}

/* --- records -----------------------------------------------------------------------------------
 */

static perfidy_buffer payload, record;

static int write_all(int descriptor, const unsigned char *bytes, size_t length) {
  while (length) {
    ssize_t written = write(descriptor, bytes, length);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return -errno;
    bytes += written;
    length -= (size_t)written;
  }
  return 0;
}

/* type, payload length, payload, XXH32 of the payload. */
static void frame(perfidy_buffer *out, uint32_t type, const perfidy_buffer *body) {
  int whole = body->length <= body->capacity;
  uint32_t checksum = whole ? XXH32(body->data, body->length, type) : 0;
  perfidy_put_varint(out, type);
  perfidy_put_varint(out, body->length);
  put_buffer(out, body);
  perfidy_put_bytes(out, &checksum, sizeof checksum);
}

static void put_function(perfidy_buffer *out, const perfidy_function *function) {
  perfidy_put_varint(out, function->flags);
  perfidy_put_string(out, function->name);
  perfidy_put_string(out, function->file);
  perfidy_put_string(out, function->directory);
  perfidy_put_varint(out, function->line);
  perfidy_put_varint(out, function->end_line);
  perfidy_put_varint(out, function->work_count);
  perfidy_put_varint(out, function->block_count);
  for (uint32_t i = 0; i < function->block_count; ++i) {
    const perfidy_block *block = &function->blocks[i];
    perfidy_put_varint(out, block->line);
    perfidy_put_varint(out, block->end_line);
    perfidy_put_varint(out, (uint32_t)(block->loop + 1)); /* 0 = none */
    perfidy_put_varint(out, block->instructions);
    perfidy_put_varint(out, block->memory);
    perfidy_put_varint(out, block->calls);
  }
  perfidy_put_varint(out, function->loop_count);
  for (uint32_t i = 0; i < function->loop_count; ++i) {
    const perfidy_loop *loop = &function->loops[i];
    perfidy_put_varint(out, loop->header);
    perfidy_put_varint(out, (uint32_t)(loop->preheader + 1));
    perfidy_put_varint(out, (uint32_t)(loop->parent + 1));
    perfidy_put_varint(out, loop->depth);
    perfidy_put_varint(out, loop->line);
    perfidy_put_varint(out, loop->end_line);
    perfidy_put_varint(out, loop->column);
  }
  perfidy_put_varint(out, function->call_count);
  for (uint32_t i = 0; i < function->call_count; ++i) {
    const perfidy_call *call = &function->calls[i];
    perfidy_put_varint(out, call->block);
    perfidy_put_varint(out, call->line);
    perfidy_put_varint(out, call->column);
    perfidy_put_varint(out, call->kind);
    perfidy_put_varint(out, (uint32_t)(call->work + 1));
    perfidy_put_string(out, call->callee);
  }
}

/* Functions that the table of the open trace has. */
static uint32_t listed;

/* Header, build record and function records of this program. */
static void put_table(perfidy_buffer *out) {
  uint32_t count = listed = perfidy_images.function_count;
  static perfidy_buffer table;
  table.length = 0;
  for (uint32_t i = 0; i < count; ++i) {
    payload.length = 0;
    put_function(&payload, perfidy_function_at(i));
    frame(&table, PERFIDY_RECORD_FUNCTION, &payload);
  }
  perfidy_put_bytes(out, PERFIDY_TRACE_MAGIC, sizeof PERFIDY_TRACE_MAGIC - 1);
  uint32_t version = PERFIDY_TRACE_VERSION;
  perfidy_put_bytes(out, &version, sizeof version);
  payload.length = 0;
  uint64_t fingerprint = table.length <= table.capacity ? XXH3_64bits(table.data, table.length) : 0;
  perfidy_put_bytes(&payload, &fingerprint, sizeof fingerprint);
  perfidy_put_varint(&payload, count);
  frame(out, PERFIDY_RECORD_BUILD, &payload);
  put_buffer(out, &table);
}

/* 0 when the file agrees with our header and table as far as both go. */
static int same_start(int descriptor, const perfidy_buffer *start, size_t size) {
  unsigned char chunk[4096];
  size_t end = size < start->length ? size : start->length;
  for (size_t at = 0; at < end;) {
    size_t want = end - at < sizeof chunk ? end - at : sizeof chunk;
    ssize_t got = pread(descriptor, chunk, want, (off_t)at);
    if (got <= 0 || memcmp(chunk, start->data + at, (size_t)got) != 0)
      return -EINVAL;
    at += (size_t)got;
  }
  return 0;
}

/* Length of the record at `at` with its frame, or 0 when its type and length are cut off. */
static uint64_t frame_length(int descriptor, uint64_t at) {
  unsigned char bytes[20];
  uint64_t value = 0;
  ssize_t got = pread(descriptor, bytes, sizeof bytes, (off_t)at), i = 0;
  for (int number = 0; number < 2; ++number) {
    unsigned shift = 0;
    value = 0;
    for (;; shift += 7) {
      if (i >= got || shift > 63)
        return 0;
      value |= (uint64_t)(bytes[i] & 0x7f) << shift;
      if (bytes[i++] < 0x80)
        break;
    }
  }
  return (uint64_t)i + value + sizeof(uint32_t);
}

/* Where the last whole record ends. */
static uint64_t whole_end(int descriptor, uint64_t at, uint64_t size) {
  for (;;) {
    uint64_t length = frame_length(descriptor, at);
    if (length == 0 || length > size - at)
      return at;
    at += length;
  }
}

/* Makes the file ready to append to: a new one gets header and table; what a killed process left
 * unfinished at the end is cut off, since records behind it could not be found. */
static int adopt(int descriptor, const perfidy_buffer *start, int alone) {
  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return -errno;
  uint64_t size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0, keep = 0;
  if (same_start(descriptor, start, size) != 0 || (!alone && size < start->length))
    return -EINVAL;
  if (size >= start->length)
    keep = whole_end(descriptor, start->length, size);
  if (alone && keep < size && ftruncate(descriptor, (off_t)keep) != 0)
    return -errno;
  return keep == 0 ? write_all(descriptor, start->data, start->length) : 0;
}

int perfidy_trace_open(const char *path) {
  int descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return -errno;
  record.length = 0;
  put_table(&record);
  /* Whoever has the file open for appending holds a shared lock, so an unfinished end seen with the
   * exclusive one is nobody's work in progress. Where locks are not supported, one process writes.
   */
  int alone = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (!alone)
    flock(descriptor, LOCK_SH);
  int error = record.length > record.capacity ? -ENOMEM : adopt(descriptor, &record, alone);
  if (error) {
    close(descriptor);
    return error;
  }
  if (alone)
    flock(descriptor, LOCK_SH);
  return descriptor;
}

/* Counts as (index delta, count) pairs over all blocks, then over all work counters. */
static void put_counts(perfidy_buffer *out, const uint32_t *ids, uint32_t count, int work) {
  static perfidy_buffer pairs;
  pairs.length = 0;
  uint64_t base = 0, last = 0, number = 0;
  uint32_t id = 0;
  for (uint32_t i = 0; i < count && ids[i] < listed; ++i) {
    for (; id < ids[i]; ++id)
      base += work ? perfidy_function_at(id)->work_count : perfidy_function_at(id)->block_count;
    const perfidy_function *function = perfidy_function_at(ids[i]);
    const uint64_t *counts = function->counts + (work ? function->block_count : 0);
    uint32_t all = work ? function->work_count : function->block_count;
    for (uint32_t c = 0; c < all; ++c) {
      if (counts[c] == 0)
        continue;
      perfidy_put_varint(&pairs, base + c - last);
      perfidy_put_varint(&pairs, counts[c]);
      last = base + c;
      ++number;
    }
  }
  perfidy_put_varint(out, number);
  put_buffer(out, &pairs);
}

static void put_section(perfidy_buffer *out, uint32_t number, const perfidy_buffer *bytes) {
  perfidy_put_varint(out, number);
  if (number)
    put_buffer(out, bytes);
}

int perfidy_trace_run(int descriptor, const perfidy_run *run, const uint32_t *ids, uint32_t count) {
  payload.length = 0;
  perfidy_put_bytes(&payload, &run->input_hash, sizeof run->input_hash);
  perfidy_put_varint(&payload, run->input_bytes);
  perfidy_put_varint(&payload, run->size);
  perfidy_put_varint(&payload, run->status);
  perfidy_put_varint(&payload, run->cost);
  put_section(&payload, run->parameters, run->parameter_bytes);
  put_section(&payload, run->tags, run->tag_bytes);
  put_section(&payload, run->series_points, run->series_bytes);
  put_counts(&payload, ids, count, 0);
  put_counts(&payload, ids, count, 1);
  if (payload.length > payload.capacity)
    return -ENOMEM;
  record.length = 0;
  frame(&record, PERFIDY_RECORD_RUN, &payload);
  return record.length > record.capacity ? -ENOMEM
                                         : write_all(descriptor, record.data, record.length);
}
