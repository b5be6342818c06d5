import { measure } from 'mitata';

/** One measurement of one thing; smaller is better. */
export type Sample = () => number | Promise<number>;

/** What alternating measurements gave. */
export interface Pairs {
  readonly a: number;
  readonly b: number;
  /** Median of b / a within pairs: a neighbour's load falls on both. */
  readonly ratio: number;
}

/** Measures A B A B …; medians of each and of the ratios of neighbours. */
export async function alternate(pairs: number, a: Sample, b: Sample): Promise<Pairs> {
  const rounds: { readonly a: number; readonly b: number }[] = [];
  for (let i = 0; i < pairs; i++) {
    // Every other pair the other way round: neither side always follows the other's garbage.
    if (i % 2 === 0) rounds.push({ a: await a(), b: await b() });
    else {
      const second = await b();
      rounds.push({ a: await a(), b: second });
    }
  }
  return {
    a: median(rounds.map((round) => round.a)),
    b: median(rounds.map((round) => round.b)),
    ratio: median(rounds.map((round) => round.b / round.a)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const high = sorted[middle];
  if (high === undefined) throw new Error('a median of nothing');
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? high)) / 2;
}

/**
 * Nanoseconds of processor time per operation of a function that does `operations` of them; mitata's median over about
 * `ms`. Not wall-clock time: what a neighbour takes is not ours. One call must take well over the clock's microsecond.
 */
export async function timePerOperation(operations: number, ms: number, work: () => unknown): Promise<number> {
  const stats = await measure(work, {
    now: processorTime,
    min_cpu_time: ms * 1e6,
    min_samples: 3,
    warmup_samples: 1,
    gc: false,
  });
  return stats.p50 / operations;
}

/** Nanoseconds of processor time that this process has used, all its threads together. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** Milliseconds of wall-clock time, for what takes long or is not a function. */
export async function timeOnce(work: () => unknown): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}
