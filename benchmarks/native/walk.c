/*
 * Walks the tables that are read from standard input, as the engine walks its own: draws, dispatches every visit,
 * counts it, keeps path and trail, judges every trial, fills a tally. `walk totals N` prints the tally of trials
 * 0 … N−1; `walk time N` prints nanoseconds of processor time per trial, the median of several runs
 * of N trials.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { GO = 1, ASK = 0, END = 3 };
enum { KIND, NEXT, OUTPUT, BYTES, REPLIES, NODE, NEXT_CELL, EDGE, STATUS, TOKENS, CALLS, SERVED, WORDS };
#define MAX_LOWEST 16
#define VERDICT_BITS (1u << 20)
#define ROOM 64

static int nodes, edges, cells, ids, variants, checks_path;
static uint32_t word0, word1, address;
static uint64_t *thresholds;
static int32_t *code, *after, *reads, *byRoot, *wanted;
static int entry, wantStatus, wantLast, maxCalls;
static int64_t maxTokens;

static uint64_t *visits, passed, failed, checkFailures[5], squaredLow, squaredHigh, masks[32], lowest[MAX_LOWEST];
static int lowestCount;
static uint32_t *verdicts;
static int32_t path[ROOM], trail[ROOM * 2], slots[ROOM], written[ROOM];

static inline uint32_t mix32(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

static int32_t *readInts(int count) {
  int32_t *into = calloc((size_t)count + 1, sizeof *into);
  for (int i = 0; i < count; i++)
    if (scanf("%d", &into[i]) != 1) exit(2);
  return into;
}

static void readTables(void) {
  if (scanf("%d %d %d %d %d %d %u %u %u", &nodes, &edges, &cells, &ids, &variants, &entry, &word0, &word1,
            &address) != 9) exit(2);
  if (nodes > ROOM) exit(2);
  thresholds = calloc((size_t)variants + 1, sizeof *thresholds);
  for (int i = 0; i < variants; i++) {
    unsigned long long value;
    if (scanf("%llu", &value) != 1) exit(2);
    thresholds[i] = value;
  }
  code = readInts(cells * WORDS);
  after = readInts(variants);
  reads = readInts(nodes);
  byRoot = readInts(nodes * ids);
  long long most;
  if (scanf("%d %d %d %lld %d", &wantStatus, &wantLast, &maxCalls, &most, &checks_path) != 5) exit(2);
  maxTokens = most;
  wanted = readInts(checks_path);
  visits = calloc((size_t)cells, sizeof *visits);
  verdicts = calloc(VERDICT_BITS / 32, sizeof *verdicts);
}

static void judge(uint32_t trial, int steps, int cell, int64_t tokens, int calls) {
  unsigned mask = 0;
  if (code[cell * WORDS + STATUS] != wantStatus) mask |= 1;
  if (path[steps - 1] != wantLast) mask |= 2;
  int same = steps == checks_path;
  for (int i = 0; same && i < checks_path; i++) same = path[i] == wanted[i];
  if (!same) mask |= 4;
  if (calls > maxCalls) mask |= 8;
  if (tokens > maxTokens) mask |= 16;
  uint64_t sum = squaredLow + (uint64_t)(tokens * tokens);
  squaredLow = sum & 0xffffffffu;
  squaredHigh += sum >> 32;
  if (mask == 0) {
    passed++;
    if (trial < VERDICT_BITS) verdicts[trial >> 5] |= 1u << (trial & 31);
    return;
  }
  failed++;
  masks[mask]++;
  if (lowestCount < MAX_LOWEST) lowest[lowestCount++] = trial;
}

static void walk(uint32_t trial) {
  static int writtenCount;
  for (int i = 0; i < writtenCount; i++) slots[written[i]] = 0;
  writtenCount = 0;
  const uint32_t word = mix32(trial ^ word0), mask = mix32(trial + word1);
  int node = entry, steps = 0, length = 0, cell = 0, calls = 0;
  int64_t tokens = 0, bytes = 0;
  for (;;) {
    if (cell == 0) {
      const int root = reads[node] < 0 ? 0 : slots[reads[node]];
      cell = byRoot[node * ids + root];
      path[steps++] = node;
    }
    const int32_t *at = code + cell * WORDS;
    visits[cell]++;
    trail[length++] = cell;
    bytes += at[BYTES];
    if (at[KIND] == ASK) {
      int pick = 0;
      if (variants > 1) {
        const uint32_t drawn = mix32(word + address) ^ mask;
        while (pick < variants - 1 && drawn >= thresholds[pick]) pick++;
      }
      cell = after[at[REPLIES] + pick];
      tokens += code[cell * WORDS + TOKENS];
      calls += code[cell * WORDS + CALLS];
      continue;
    }
    if (at[OUTPUT] != 0) {
      if (slots[node] == 0) written[writtenCount++] = node;
      slots[node] = at[OUTPUT];
    }
    if (at[KIND] == END || bytes > (8 << 20)) break;
    node = at[NEXT];
    cell = at[NEXT_CELL];
    if (cell != 0) path[steps++] = node;
    if (steps >= ROOM) exit(3);
  }
  judge(trial, steps, cell, tokens, calls);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int byValue(const void *a, const void *b) { return *(const double *)a < *(const double *)b ? -1 : 1; }

static void printTotals(void) {
  uint64_t *node = calloc((size_t)nodes + 1, 8), *edge = calloc((size_t)edges + 1, 8), *served = calloc(64, 8);
  uint64_t calls = 0, tokens = 0, bits = 0;
  for (int i = 1; i < cells; i++) {
    const int32_t *at = code + i * WORDS;
    if (at[SERVED] >= 0) served[at[SERVED]] += visits[i];
    calls += visits[i] * (uint64_t)at[CALLS];
    tokens += visits[i] * (uint64_t)at[TOKENS];
    if (at[KIND] == ASK) continue;
    node[at[NODE]] += visits[i];
    if (at[EDGE] >= 0) edge[at[EDGE]] += visits[i];
  }
  for (unsigned mask = 1; mask < 32; mask++)
    for (int bit = 0; bit < 5; bit++)
      if (mask & (1u << bit)) checkFailures[bit] += masks[mask];
  for (uint32_t i = 0; i < VERDICT_BITS / 32; i++) bits = (bits * 31 + verdicts[i]) % 1000003;
  printf("{\"passed\":%llu,\"failed\":%llu,\"calls\":%llu,\"tokens\":%llu,\"squaredLow\":%llu,\"squaredHigh\":%llu,\"verdicts\":%llu",
         (unsigned long long)passed, (unsigned long long)failed, (unsigned long long)calls, (unsigned long long)tokens,
         (unsigned long long)squaredLow, (unsigned long long)squaredHigh, (unsigned long long)bits);
  printf(",\"nodes\":[");
  for (int i = 0; i < nodes; i++) printf("%s%llu", i ? "," : "", (unsigned long long)node[i]);
  printf("],\"edges\":[");
  for (int i = 0; i < edges; i++) printf("%s%llu", i ? "," : "", (unsigned long long)edge[i]);
  printf("],\"served\":[");
  for (int i = 0; i < variants; i++) printf("%s%llu", i ? "," : "", (unsigned long long)served[i]);
  printf("],\"checks\":[");
  for (int i = 0; i < 5; i++) printf("%s%llu", i ? "," : "", (unsigned long long)checkFailures[i]);
  printf("],\"lowest\":[");
  for (int i = 0; i < lowestCount; i++) printf("%s%llu", i ? "," : "", (unsigned long long)lowest[i]);
  printf("]}\n");
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const uint32_t trials = (uint32_t)strtoul(argv[2], NULL, 10);
  readTables();
  if (strcmp(argv[1], "totals") == 0) {
    for (uint32_t trial = 0; trial < trials; trial++) walk(trial);
    printTotals();
    return 0;
  }
  double took[9];
  uint32_t trial = 0;
  for (int run = -2; run < 9; run++) {
    const double start = now();
    for (uint32_t i = 0; i < trials; i++) walk(trial++);
    if (run >= 0) took[run] = (now() - start) / trials;
  }
  qsort(took, 9, sizeof *took, byValue);
  printf("%.4f\n", passed + failed > 0 ? took[4] : 0);
  return 0;
}
