/*
 * What a C programmer would write for the three-node scenario alone: no tables, no nodes, one branch per answer.
 * The arguments are the words of the draw; prints nanoseconds of processor time per trial and the counts of the four answers.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline uint32_t mix32(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  const uint32_t word0 = (uint32_t)strtoul(argv[1], NULL, 10), word1 = (uint32_t)strtoul(argv[2], NULL, 10);
  const uint32_t address = (uint32_t)strtoul(argv[3], NULL, 10), trials = (uint32_t)strtoul(argv[4], NULL, 10);
  static uint32_t verdicts[1 << 15];
  uint64_t visits[4] = {0}, calls = 0, tokens = 0, passed = 0, failed = 0, tried = 0;
  double best = 1e300;
  uint32_t trial = 0;
  for (int run = 0; run < 9; run++) {
    const double start = now();
    for (uint32_t i = 0; i < trials; i++, trial++) {
      const uint32_t pick = (mix32(mix32(trial ^ word0) + address) ^ mix32(trial + word1)) >> 30;
      calls++;
      tokens += 17;
      visits[pick]++;
      switch (pick) {
        case 0:
          passed++;
          if (trial < (1u << 20)) verdicts[trial >> 5] |= 1u << (trial & 31);
          break;
        default:
          failed++;
      }
    }
    const double took = (now() - start) / trials;
    if (took < best) best = took;
    if (run == 0) tried = visits[0];
  }
  printf("%.4f %llu %llu\n", best, (unsigned long long)tried, (unsigned long long)(calls + tokens + passed + failed));
  return 0;
}
