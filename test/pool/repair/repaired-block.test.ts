import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeTally } from '../../../src/pool/tally/tally-codec.ts';
import { type Culprit, RepairedBlock } from '../../../src/pool/repair/repaired-block.ts';
import { Tally } from '../../../src/trial/tally/tally.ts';
import { FAKE_SHAPE } from '../fixtures/fake-program.ts';

const WHOLE = { from: 4096, to: 4136 };
const BOUNDS = { deaths: 5, hangs: 2 };

type Fate = 'passes' | 'dies' | 'hangs';

function resultOf(fate: Fate, trial: number): Tally | Culprit {
  if (fate !== 'passes') return { cause: `${fate} at ${trial}`, hung: fate === 'hangs' };
  const tally = new Tally(FAKE_SHAPE);
  tally.markPassed(trial);
  return tally;
}

/** The block's tally after its trials have arrived in this order; null: it is not decided. */
function repaired(fates: readonly Fate[], order: readonly number[]): Tally | null {
  const block = new RepairedBlock(WHOLE, { empty: new Tally(FAKE_SHAPE), bounds: BOUNDS });
  for (const at of order) {
    const trial = WHOLE.from + at;
    const done = block.add(trial, resultOf(fates[at] ?? 'passes', trial));
    if (done !== null) return done;
  }
  return null;
}

/** What the bounds say, read from the fates alone. */
function expected(fates: readonly Fate[]): { readonly passed: number; readonly broken: number } {
  const counts = { passed: 0, broken: 0 };
  let deaths = 0;
  let hangs = 0;
  for (const fate of fates) {
    const isGivenUp = deaths >= BOUNDS.deaths || hangs >= BOUNDS.hangs;
    if (isGivenUp || fate !== 'passes') counts.broken++;
    else counts.passed++;
    if (!isGivenUp && fate === 'dies') deaths++;
    if (!isGivenUp && fate === 'hangs') hangs++;
  }
  return counts;
}

const size = WHOLE.to - WHOLE.from;
const fates = fc.array(fc.constantFrom<Fate>('passes', 'passes', 'passes', 'dies', 'hangs'), {
  minLength: size,
  maxLength: size,
});
const orders = fc.shuffledSubarray([...Array(size).keys()], { minLength: size });

test('what is given up depends on the trials alone, not on the order in which they arrive', () => {
  fc.assert(
    fc.property(fates, orders, (fates, order) => {
      const tally = repaired(fates, order);
      const inOrder = repaired(fates, [...Array(size).keys()]);
      if (tally === null || inOrder === null) throw new Error('A block with all its trials is not decided.');
      expect(Buffer.from(encodeTally(tally))).toEqual(Buffer.from(encodeTally(inOrder)));
      expect({ passed: tally.passed, broken: tally.broken }).toEqual(expected(fates));
    }),
  );
});

test('names the trials that ended their workers, and why the ones after them were not run', () => {
  const fates = Array.from({ length: size }, (_, at): Fate => (at === 3 || at === 7 ? 'hangs' : 'passes'));
  const tally = repaired(fates, [...Array(size).keys()]);
  expect(tally?.lowestBroken.slice(0, 3)).toEqual([
    { trial: 4099, cause: 'hangs at 4099' },
    { trial: 4103, cause: 'hangs at 4103' },
    { trial: 4104, cause: 'not run: 2 trials before it never ended' },
  ]);
});

test('is decided as soon as its bound is reached, whatever runs beyond', () => {
  const fates = Array.from({ length: size }, (): Fate => 'dies');
  const block = new RepairedBlock(WHOLE, { empty: new Tally(FAKE_SHAPE), bounds: BOUNDS });
  const results = [30, 31, 0, 1, 2, 3, 4].map((at) => block.add(WHOLE.from + at, resultOf(fates[at] ?? 'dies', at)));
  expect(results.map((tally) => tally?.broken ?? null)).toEqual([null, null, null, null, null, null, size]);
});
