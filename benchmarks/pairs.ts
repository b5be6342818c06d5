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
  const rounds = await takeTurns(pairs, { a, b });
  return {
    a: median(rounds.map((round) => round.a)),
    b: median(rounds.map((round) => round.b)),
    ratio: median(rounds.map((round) => round.b / round.a)),
  };
}

/** Measures all of them, one after the other, so often; what one round gave stands together. */
export async function takeTurns<Name extends string, Value>(
  rounds: number,
  samples: Readonly<Record<Name, () => Value | Promise<Value>>>,
): Promise<readonly Readonly<Record<Name, Value>>[]> {
  const names = Object.keys(samples) as Name[];
  const all: Record<Name, Value>[] = [];
  for (let i = 0; i < rounds; i++) {
    const round: Partial<Record<Name, Value>> = {};
    // Every other round the other way: nobody always follows the same one's garbage.
    for (const name of i % 2 === 0 ? names : names.toReversed()) round[name] = await samples[name]();
    all.push(round as Record<Name, Value>);
  }
  return all;
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
