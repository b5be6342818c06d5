import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeTally } from '../../src/pool/tally/tally-codec.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import { compilePure } from '../support/compile-pure.ts';
import { arbitraryPlan } from './arbitrary-scenario.ts';
import { LAW_RUNS } from '../support/law-runs.ts';

const TRIALS = 60;
const LONG = 60_000 + LAW_RUNS * 100;

/** What trials that are walked count, whatever was said of ends before. */
function counted(plan: WorkflowPlan): string {
  const program = compilePure(plan, { useTables: false });
  const tally = program.newTally();
  program.run(0, TRIALS, tally);
  return Buffer.from(encodeTally(tally)).toString('hex');
}

test('trials that end alike are judged as if each were the only one', { timeout: LONG }, () => {
  fc.assert(
    fc.property(arbitraryPlan, (plan) => {
      // Nothing is remembered where code of the user runs.
      expect(counted(plan)).toBe(counted({ ...plan, userCode: true }));
    }),
    { numRuns: LAW_RUNS },
  );
});
