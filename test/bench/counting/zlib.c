#include "zlib.h"
#include "text.h"

int main(void) {
  uLong length = 300000, packed = 400000, restored = length;
  Bytef *text = (Bytef *)text_make(length), *out = malloc(packed), *back = malloc(length);
  compress2(out, &packed, text, length, 6);
  for (int i = 0; i < 10; ++i)
    uncompress(back, &restored, out, packed);
  return restored != length || memcmp(text, back, length) != 0;
}
