// Mutators of what changes from repetition to repetition.
#include "fuzzer/mutate.h"

namespace perfidy {
namespace {

uint8_t below(Random &random, size_t bound) { return static_cast<uint8_t>(random.below(bound)); }

uint8_t randomForm(Random &random, bool binary) {
  if (binary)
    return static_cast<uint8_t>(Sequence::kByte + random.below(Sequence::kForms - Sequence::kByte));
  return random.oneIn(4) ? static_cast<uint8_t>(1 + random.below(Sequence::kForms - 1))
                         : static_cast<uint8_t>(1 + random.below(Sequence::kByte - 1));
}

// Small steps, powers of two (masks of hash tables) and multipliers of common polynomial hashes.
uint16_t randomStride(Random &random) {
  static constexpr uint16_t kMultipliers[] = {1, 31, 33, 37, 65, 131};
  switch (random.below(4)) {
  case 0: return static_cast<uint16_t>(1u << random.below(16));
  case 1: return kMultipliers[random.below(sizeof kMultipliers / sizeof *kMultipliers)];
  case 2: return static_cast<uint16_t>(1 + random.below(4096));
  default: return 1;
  }
}

uint8_t randomOrder(Random &random) {
  return random.oneIn(2) ? below(random, 2) : below(random, Sequence::kOrders);
}

} // namespace

Sequence freshSequence(Random &random, bool binary) {
  Sequence sequence;
  sequence.form = randomForm(random, binary);
  sequence.order = randomOrder(random);
  sequence.order2 = random.oneIn(2) ? sequence.order : randomOrder(random);
  sequence.fit = below(random, Sequence::kFits);
  sequence.stride = random.oneIn(2) && binary ? 1 : randomStride(random);
  return sequence;
}

void changeSequence(Pattern &pattern, Random &random) {
  Sequence &sequence = pattern.sequence;
  if (!sequence.on()) {
    sequence = freshSequence(random, random.oneIn(4));
    sequence.at = below(random, pattern.pump.length + 1u);
    if (pattern.pump2.length > 0 && random.oneIn(2))
      sequence.at2 = below(random, pattern.pump2.length + 1u);
    return;
  }
  switch (random.below(9)) {
  case 0: sequence.form = randomForm(random, sequence.form >= Sequence::kByte); break;
  case 1: sequence.order = randomOrder(random); break;
  case 2: sequence.order2 = randomOrder(random); break;
  case 3: sequence.fit = below(random, Sequence::kFits); break;
  case 4: sequence.stride = randomStride(random); break;
  case 5: sequence.at = below(random, pattern.pump.length + 1u); break;
  case 6:
    sequence.at2 = random.oneIn(3) ? Sequence::kNowhere : below(random, pattern.pump2.length + 1u);
    break;
  case 7: {
    // The same keys again, nothing else: what was stored is looked up.
    pattern.pump2 = pattern.pump;
    sequence.at2 = sequence.at;
    sequence.order2 = sequence.order;
    break;
  }
  default:
    if (pattern.pump.length > 0)
      sequence.form = Sequence::kNone;
  }
}

} // namespace perfidy
