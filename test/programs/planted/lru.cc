// Replays a trace of two-byte keys through a cache of the least recently used keys. The capacity
// grows with the trace.
//
// SEED "ab"
// PLANTED BUG_FIND kind=list_as_set function=find exponent=2
// PLANTED BUG_EVICT kind=wrong_container function=evict exponent=2
// PLANTED BUG_HASH kind=hash_collision function=chainOf|find exponent=2
#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

namespace {

struct Slot {
  uint16_t key;
  uint32_t uses;
};
struct Request {
  uint64_t time;
  uint16_t key;
};
using Order = std::list<Slot>;

class Cache {
public:
  explicit Cache(size_t capacity) : capacity_(capacity), chains_(kChains) {}

  void touch(uint16_t key) {
    log_.push_back({++clock_, key});
    auto found = find(key);
    if (found != order_.end()) {
      ++found->uses;
      ++hits_;
      order_.splice(order_.end(), order_, found);
    } else {
      order_.push_back({key, 1});
      chainOf(key).push_back(std::prev(order_.end()));
    }
    if (log_.size() > capacity_)
      evict();
  }

  size_t hits() const { return hits_; }

private:
  static constexpr size_t kChains = 2048;
  using Chain = std::vector<Order::iterator>;

  Chain &chainOf(uint16_t key) {
#ifdef BUG_HASH
    return chains_[(key & 0xff) * 31 % 7]; // GUILTY_HASH
#else
    return chains_[key * 40503u % kChains];
#endif
  }

  Order::iterator find(uint16_t key) {
#ifdef BUG_FIND
    for (auto at = order_.begin(); at != order_.end(); ++at) // GUILTY_FIND
      if (at->key == key)
        return at;
#else
    for (Order::iterator slot : chainOf(key)) // GUILTY_HASH
      if (slot->key == key)
        return slot;
#endif
    return order_.end();
  }

  // Forgets the oldest request of the log; the statistics cover the last ones only.
  void evict() {
#ifdef BUG_EVICT
    log_.erase(log_.begin()); // GUILTY_EVICT
#else
    if (++head_ * 2 > log_.size()) {
      log_.erase(log_.begin(), log_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
#endif
  }

  size_t capacity_, hits_ = 0, head_ = 0;
  Order order_;
  std::vector<Chain> chains_;
  std::vector<Request> log_;
  uint64_t clock_ = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Cache cache(size / 4 + 1);
  for (size_t i = 0; i + 1 < size; i += 2)
    cache.touch(static_cast<uint16_t>(data[i] << 8 | data[i + 1]));
  return cache.hits() == size_t(-1);
}
