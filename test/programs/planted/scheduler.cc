// A scheduler driven by commands: a letter adds a timer, "a" due at the next tick, "z" much later;
// "." is a tick; "x" cancels the newest timer; "!" adds a job, "?" runs the most urgent job.
//
// SEED "a.z"
// PLANTED BUG_TICK kind=missing_early_exit function=tick exponent=2
// PLANTED BUG_SORT kind=wrong_container function=addJob exponent=2.2
// PLANTED BUG_CANCEL kind=wrong_container function=cancel exponent=2
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace {

struct Timer {
  uint64_t due;
  uint32_t id;
};

class Scheduler {
public:
  void addTimer(uint64_t delay) {
    uint32_t id = ++lastId_;
#if defined(BUG_TICK) || defined(BUG_CANCEL)
    timers_.push_back({now_ + delay, id});
#else
    byDue_.insert({now_ + delay, id});
#endif
    active_.push_back({now_ + delay, id});
  }

  void tick() {
    ++now_;
#if defined(BUG_TICK) || defined(BUG_CANCEL)
#ifndef BUG_TICK
    if (now_ % 64 != 0 && !timers_.empty() && timers_.front().due > now_)
      return;
#endif
    size_t kept = 0;
    for (const Timer &timer : timers_) // GUILTY_TICK
      if (timer.due > now_)
        timers_[kept++] = timer;
      else
        ++fired_;
    timers_.resize(kept);
#else
    while (!byDue_.empty() && byDue_.begin()->first <= now_) {
      byDue_.erase(byDue_.begin());
      ++fired_;
    }
#endif
  }

  void cancel() {
    if (active_.empty())
      return;
    Timer newest = active_.back();
    active_.pop_back();
#ifdef BUG_CANCEL
    auto same = [&](const Timer &timer) { return timer.id == newest.id; };
    auto gone = std::remove_if(timers_.begin(), timers_.end(), same); // GUILTY_CANCEL
    timers_.erase(gone, timers_.end());
#elif defined(BUG_TICK)
    if (!timers_.empty() && timers_.back().id == newest.id)
      timers_.pop_back();
#else
    byDue_.erase({newest.due, newest.id});
#endif
  }

  // Urgency comes in a fixed cycle.
  void addJob() {
    uint32_t urgency = jobs_++ * 7919u % 1009u;
#ifdef BUG_SORT
    queue_.push_back(urgency);
    std::sort(queue_.begin(), queue_.end()); // GUILTY_SORT
#else
    queue_.push_back(urgency);
    std::push_heap(queue_.begin(), queue_.end());
#endif
  }

  void runJob() {
    if (queue_.empty())
      return;
#ifndef BUG_SORT
    std::pop_heap(queue_.begin(), queue_.end());
#endif
    fired_ += queue_.back();
    queue_.pop_back();
  }

  uint64_t fired() const { return fired_; }

private:
  uint64_t now_ = 0, fired_ = 0;
  uint32_t lastId_ = 0, jobs_ = 0;
  std::vector<Timer> timers_, active_;
  std::set<std::pair<uint64_t, uint32_t>> byDue_;
  std::vector<uint32_t> queue_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Scheduler scheduler;
  for (size_t i = 0; i < size; ++i) {
    if (data[i] >= 'a' && data[i] <= 'w')
      scheduler.addTimer(data[i] - 'a' + 1u);
    else if (data[i] == 'z')
      scheduler.addTimer(1000000);
    else if (data[i] == '.')
      scheduler.tick();
    else if (data[i] == 'x')
      scheduler.cancel();
    else if (data[i] == '!')
      scheduler.addJob();
    else if (data[i] == '?')
      scheduler.runJob();
  }
  return scheduler.fired() == uint64_t(-1);
}
