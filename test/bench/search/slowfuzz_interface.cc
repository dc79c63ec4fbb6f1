// What SlowFuzz (a libFuzzer of 2017) expects of the coverage runtime of its time. It counts edges
// itself; none of these affects its search.
#include <cstddef>
#include <cstdint>

extern "C" {
void __sanitizer_reset_coverage() {}
size_t __sanitizer_get_total_unique_coverage() { return 0; }
void __sanitizer_set_death_callback(void (*)()) {}
size_t __sanitizer_get_number_of_counters() { return 0; }
uintptr_t __sanitizer_update_counter_bitset_and_clear_counters(uint8_t *) { return 0; }
}
