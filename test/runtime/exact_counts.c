/* Control flow of all kinds, with a marker per block: hits[] is the program's own count by source
 * line, printed at the end. exact_counts.sh compares it with the trace. */
#include <setjmp.h>
#include <stdio.h>

static unsigned long hits[200];
#define HIT ++hits[__LINE__]

int fibonacci(int n) {
  HIT;
  if (n < 2) {
    HIT;
    return n;
  }
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }

int loops(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    HIT;
    for (int j = i; j < n; ++j) {
      if ((i ^ j) % 3 == 0) {
        HIT;
        continue;
      }
      if (j - i > 20) {
        HIT;
        break;
      }
      sum += j;
      HIT;
    }
  }
  do {
    HIT;
    sum /= 2;
  } while (sum > 10);
  return sum;
}

int cases(int n) {
  switch (n % 7) {
  case 0: HIT; return 1;
  case 1:
    HIT;
    /* fall through */
  case 2: HIT; return 2;
  case 5: HIT; break;
  default: HIT; return 9;
  }
  HIT;
  return 5;
}

int gotos(int n) {
  int rounds = 0;
again:
  HIT;
  if (++rounds < n) {
    HIT;
    if (rounds % 5 == 0)
      goto skip;
    HIT;
    goto again;
  }
  return rounds;
skip:
  HIT;
  n -= 2;
  goto again;
}

static jmp_buf back;
int jumper(int n) {
  HIT;
  if (n == 0)
    longjmp(back, 1);
  return jumper(n - 1) + 1;
}
int catcher(int n) {
  volatile int rounds = 0;
  if (setjmp(back) != 0) {
    HIT;
  }
  if (rounds++ < n) {
    HIT;
    jumper(rounds);
  }
  return rounds;
}

int never(int n) { return n + 1; }

int main(int argc, char **argv) {
  (void)argv;
  int sum = fibonacci(17) + even(101) + loops(60) + gotos(40) + catcher(12);
  for (int i = 0; i < 1000; ++i)
    sum += cases(i);
  if (argc > 5)
    sum = never(sum);
  for (int line = 0; line < 200; ++line)
    if (hits[line])
      printf("%d %lu\n", line, hits[line]);
  return sum == 42;
}
