#include "runtime/series.h"
#include "runtime/perfidy.h"
#include "runtime/trace.h"
#include "runtime/trace_encode.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace perfidy {
namespace {

/// Header and build record of a program without counters.
std::string traceStart() {
  std::string out = PERFIDY_TRACE_MAGIC, payload;
  putRaw(out, PERFIDY_TRACE_VERSION_POINTS);
  putRaw(payload, XXH3_64bits("", 0));
  putVarint(payload, 0);
  putRecord(out, PERFIDY_RECORD_BUILD, payload);
  return out;
}

[[noreturn]] void failed(const std::string &path) {
  throw Error(fmt::format(
      "{}: cannot write the trace: {}. Check the folder, its rights and the free space.",
      path,
      std::strerror(errno)));
}

void writeAll(int file, const std::string &bytes, const std::string &path) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t put = write(file, bytes.data() + at, bytes.size() - at);
    if (put < 0 && errno != EINTR)
      failed(path);
    at += put > 0 ? static_cast<size_t>(put) : 0;
  }
}

} // namespace

SeriesRecorder::SeriesRecorder(std::string path) : path_(std::move(path)) {
  const char *environment = std::getenv("PERFIDY_TRACE");
  if (path_.empty() && perfidy_rt_series) {
    forward_ = true;
    return;
  }
  if (path_.empty() && environment)
    path_ = environment;
  if (!path_.empty())
    open(path_);
}

void SeriesRecorder::open(const std::string &path) {
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0)
    failed(path);
  // Run numbers are positions in the file, so there is one writer at a time.
  if (flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(file_);
    throw Error(fmt::format("{}: another process records to it. Give each its own file.", path));
  }
  const std::string start = traceStart();
  std::string found(start.size(), '\0');
  const ssize_t size = pread(file_, found.data(), found.size(), 0);
  if (size > 0 && found != start) {
    close(file_);
    throw Error(
        fmt::format("{}: is not a trace of series. Remove it or choose another file.", path));
  }
  if (size <= 0)
    return writeAll(file_, start, path);
  const TraceExtent extent = traceExtent(path);
  run_ = extent.runs;
  if (ftruncate(file_, static_cast<off_t>(extent.bytes)) != 0)
    failed(path);
}

SeriesRecorder::~SeriesRecorder() {
  try {
    end();
  } catch (const Error &error) {
    fmt::print(stderr, "perfidy: {}\n", error.what());
  }
  if (file_ >= 0)
    close(file_);
}

void SeriesRecorder::parameter(const std::string &name, double value) {
  if (forward_)
    perfidy_param(name.c_str(), value);
  if (file_ < 0)
    return;
  if (begun_)
    throw Error(
        fmt::format("parameter {}: comes after the run's first flush. Declare it before.", name));
  putString(parameterBytes_, name);
  putRaw(parameterBytes_, value);
  ++parameters_;
}

void SeriesRecorder::tag(const std::string &key, const std::string &value) {
  if (forward_)
    perfidy_tag(key.c_str(), value.c_str());
  if (file_ < 0)
    return;
  std::string pair;
  putString(pair, key);
  putString(pair, value);
  if (!begun_) {
    tagBytes_ += pair;
    ++tags_;
    return;
  }
  std::string payload;
  putVarint(payload, run_);
  putRecord(labelBytes_, PERFIDY_RECORD_LABEL, payload + pair);
}

void SeriesRecorder::point(const std::string &name, double step, double value) {
  if (forward_)
    perfidy_series(name.c_str(), step, value);
  if (file_ < 0)
    return;
  putString(pointBytes_, name);
  putRaw(pointBytes_, step);
  putRaw(pointBytes_, value);
  ++points_;
}

void SeriesRecorder::flush() {
  if (file_ < 0 || parameters_ + tags_ + points_ + labelBytes_.size() == 0)
    return;
  std::string out, payload;
  if (begun_) {
    putVarint(payload, run_);
    putVarint(payload, points_);
    payload += pointBytes_;
    if (points_ > 0)
      putRecord(out, PERFIDY_RECORD_POINTS, payload);
    out += labelBytes_;
  } else {
    putRaw(payload, uint64_t{0});        // no input
    for (int zero = 0; zero < 4; ++zero) // length, size, status, cost
      putVarint(payload, 0);
    putVarint(payload, parameters_);
    payload += parameterBytes_;
    putVarint(payload, tags_);
    payload += tagBytes_;
    putVarint(payload, points_);
    payload += pointBytes_;
    putVarint(payload, 0); // no counts
    putVarint(payload, 0);
    putRecord(out, PERFIDY_RECORD_RUN, payload);
  }
  writeAll(file_, out, path_);
  begun_ = true;
  parameters_ = points_ = tags_ = 0;
  for (std::string *bytes : {&parameterBytes_, &pointBytes_, &tagBytes_, &labelBytes_})
    bytes->clear();
}

void SeriesRecorder::end() {
  flush();
  run_ += begun_;
  begun_ = false;
}

} // namespace perfidy
