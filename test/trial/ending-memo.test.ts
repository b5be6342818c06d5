import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Check, TrialView } from '../../src/checks/check.ts';
import { EndingMemo, endingMemo } from '../../src/trial/ending-memo.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import { aView, checksOf } from '../checks/builders.ts';
import { aPlan } from '../suite/a-tally.ts';
import { asWorkflow } from '../support/as-workflow.ts';
import { SYNC, WAITING } from './some-traits.ts';

const checks = checksOf({
  status: 'completed',
  stoppedBy: 'terminate',
  lastNode: 'done_alpha',
  erroredNode: 'route',
  reasonContains: 'quota',
  values: [{ test: { kind: 'equals', value: { label: 'alpha' } } }],
  max: { llmCalls: 1 },
});

const VALUES = [{ label: 'alpha' }, { label: 'beta' }, 'alpha', null];

/** Ends that differ in one thing and in several. */
const anEnd = fc
  .record({
    status: fc.constantFrom('completed' as const, 'errored' as const),
    stoppedBy: fc.constantFrom('terminate' as const, 'error' as const),
    path: fc.constantFrom(['start', 'done_alpha'] as const, ['start', 'done beta'] as const),
    erroredNode: fc.constantFrom('route' as const, 'start' as const),
    reason: fc.constantFrom(null, 'over quota', 'no answer'),
    finalValue: fc.constantFrom(...VALUES),
    counters: fc.constantFrom({ llmCalls: 1 }, { llmCalls: 2 }),
  })
  .map(aView);

function failing(view: TrialView): number[] | null {
  const failed = checks.flatMap((check, at) => (check.holds(view) ? [] : [at]));
  return failed.length === 0 ? null : failed;
}

/** The same checks; each time that one on the end is asked is counted. */
function counting(): { readonly checks: readonly Check[]; asked: number } {
  const counted = {
    asked: 0,
    checks: checks.map((check): Check => {
      const { name, key, needsPrompts, needsBranches, needsRequests, needsFiles, onEnding, plain } = check;
      return {
        ...{ name, key, needsPrompts, needsBranches, needsRequests, needsFiles, onEnding, plain },
        ruling: null,
        explain: (view) => check.explain(view),
        holds: (view) => {
          if (onEnding) counted.asked++;
          return check.holds(view);
        },
      };
    }),
  };
  return counted;
}

test('of an end that is known, and of one that is not, the same checks fail', () => {
  fc.assert(
    fc.property(fc.array(anEnd, { minLength: 2, maxLength: 60, size: 'max' }), (ends) => {
      const endings = new EndingMemo();
      for (const end of ends) {
        expect(endings.failedOf(checks, end)).toEqual(failing(end));
        expect(endings.failedOf(checks, end)).toEqual(failing(end));
      }
    }),
    { numRuns: 500 },
  );
});

test('checks on an end are asked once, as long as most ends are known', () => {
  const counted = counting();
  const endings = new EndingMemo();
  const onEnd = checks.filter(({ onEnding }) => onEnding).length;
  for (let trial = 0; trial < 10; trial++) endings.failedOf(counted.checks, aView());
  expect(counted.asked).toBe(onEnd);
  // Each trial in a way of its own: soon nobody looks any more, not even for an end just seen.
  for (let trial = 0; trial < 100; trial++) endings.failedOf(counted.checks, aView({ finalValue: trial }));
  endings.failedOf(counted.checks, aView({ finalValue: 99 }));
  expect(counted.asked).toBe(onEnd * 102);
});

test('ends are remembered where trials run at once, without code of the user, and have five checks on the end or more', () => {
  const plan = asWorkflow(aPlan(1));
  const remembers = (changes: Partial<WorkflowPlan>, asked = checks) =>
    endingMemo({ ...plan, ...changes }, asked) !== null;
  expect(remembers({})).toBe(true);
  expect(remembers({ traits: WAITING })).toBe(false);
  expect(remembers({ traits: { ...SYNC, place: 'worker' } })).toBe(false);
  expect(remembers({}, checks.filter(({ onEnding }) => onEnding).slice(0, 4))).toBe(false);
});
