#include "bzlib.h"
#include "text.h"

int main(void) {
  unsigned length = 150000, packed = 300000, restored = length;
  char *text = text_make(length), *out = malloc(packed), *back = malloc(length);
  BZ2_bzBuffToBuffCompress(out, &packed, text, length, 9, 0, 0);
  BZ2_bzBuffToBuffDecompress(back, &restored, out, packed, 0, 0);
  return restored != length || memcmp(text, back, length) != 0;
}
