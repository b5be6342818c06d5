import { PasskError } from '../../errors.ts';

/** Dense: the numbers. Mostly zeros: minus the length, then (gap to the last index, value) pairs. */
export function packNumbers(values: readonly number[]): readonly number[] {
  let used = 0;
  for (const value of values) if (value !== 0) used++;
  if (1 + 2 * used >= values.length) return values;
  const packed = [-values.length];
  let last = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (value === 0) continue;
    packed.push(index - last, value);
    last = index;
  }
  return packed;
}

/** Fills a row of counts of the same length from what `packNumbers` gave; throws `INTEGRITY` for anything else. */
export function fillNumbers(value: unknown, name: string, target: number[]): void {
  if (!Array.isArray(value)) throw corrupt(`${name} is not a list`);
  const head: unknown = value[0];
  if (typeof head !== 'number' || head >= 0) {
    if (value.length !== target.length)
      throw corrupt(`${name} has ${value.length} entries instead of ${target.length}`);
    for (let i = 0; i < target.length; i++) target[i] = checkedCount(value[i], name, Number.MAX_SAFE_INTEGER);
    return;
  }
  if (-head !== target.length) throw corrupt(`${name} has ${-head} entries instead of ${target.length}`);
  let index = 0;
  for (let i = 1; i < value.length; i += 2) {
    index += checkedCount(value[i], name, target.length);
    if (index >= target.length) throw corrupt(`${name} reaches beyond its end`);
    target[index] = checkedCount(value[i + 1], name, Number.MAX_SAFE_INTEGER);
  }
}

/** The value as a count; throws `INTEGRITY` where it is none. */
export function checkedCount(value: unknown, name: string, limit: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= limit) return value;
  throw corrupt(`${name} is not a count`);
}

/** The error for bytes that are no tally of the plan. */
export function corrupt(what: string, cause?: unknown): PasskError {
  return new PasskError('INTEGRITY', `The bytes of a tally are damaged or of another plan: ${what}.`, {
    hint: 'Run the blocks they stand for again.',
    cause,
  });
}
