import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeTally } from '../../src/pool/tally/tally-codec.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import { arbitraryPlan } from './arbitrary-scenario.ts';
import { compilePure } from '../support/compile-pure.ts';
import { exactJsonText, readExactJson } from '../../src/values/exact-json.ts';
import { LAW_RUNS } from '../support/law-runs.ts';

const TRIALS = 200;
const LONG = 60_000 + LAW_RUNS * 100;

function run(plan: WorkflowPlan, ranges: readonly (readonly [number, number])[]): Tally {
  const program = compilePure(plan);
  const tally = program.newTally();
  for (const [from, to] of ranges) program.run(from, to, tally);
  return tally;
}

const bytes = (tally: Tally): string => Buffer.from(encodeTally(tally)).toString('hex');

/** A plan without jitter, as only such plans are deduplicated, in small blocks. */
const plans: fc.Arbitrary<WorkflowPlan> = arbitraryPlan.map((plan) => {
  const text = exactJsonText(plan.scenario).replace(/"jitter":[0-9.]+/g, '"jitter":0');
  return { ...plan, scenario: readExactJson(text) as WorkflowPlan['scenario'], blockSize: 64 };
});

let deduplicated = 0;

test('deduplicated trials count exactly what executed ones count', { timeout: LONG }, () => {
  fc.assert(
    fc.property(plans, fc.integer({ min: 1, max: TRIALS - 1 }), (plan, cut) => {
      const executed = run(plan, [[0, TRIALS]]);
      const once = run({ ...plan, dedupe: true }, [[0, TRIALS]]);
      // However a block is sliced, the same trials are run.
      const sliced = run({ ...plan, dedupe: true }, [
        [0, cut],
        [cut, TRIALS],
      ]);
      expect(bytes(sliced)).toBe(bytes(once));
      deduplicated += once.deduplicated;
      expect(executed.deduplicated).toBe(0);
      once.deduplicated = 0;
      expect(bytes(once)).toBe(bytes(executed));
    }),
    { numRuns: LAW_RUNS },
  );
});

test('the law is not empty: most trials are deduplicated', () => {
  expect(deduplicated / (LAW_RUNS * TRIALS)).toBeGreaterThan(0.4);
});
