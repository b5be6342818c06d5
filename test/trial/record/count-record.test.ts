import { expect, test } from 'vitest';
import { LowestTrials } from '../../../src/trial/lowest-trials.ts';
import { CountedTrails } from '../../../src/trial/record/counted-trails.ts';
import { countRecord } from '../../../src/trial/record/count-record.ts';
import { Tally } from '../../../src/trial/tally/tally.ts';
import { brokenRecord } from '../../../src/trial/record/record-trial.ts';

const SHAPE = { nodes: 0, edges: 0, checks: 1, variants: [], faults: 0, columns: '' };
const COUNTING = { faults: [], lowest: new LowestTrials(), trails: new CountedTrails(), mayBeSilent: false };
const COMPLETED = { status: 'completed', stoppedBy: null, reason: null, category: null } as const;

test('a trial that was run again is counted once, by its last try, and told apart when it passed', () => {
  const tally = new Tally(SHAPE);
  const judged = { brokenBy: null, rulings: [0], failed: [], findings: [] };
  const count = (trial: number, failed: readonly number[], parts: object): void =>
    countRecord({ ...brokenRecord(trial, ''), ending: COMPLETED, ...parts }, { ...judged, failed }, tally, COUNTING);
  count(0, [], {});
  count(1, [], { retries: 2 });
  count(2, [0], { retries: 1 });
  count(3, [], { retries: 3, ending: { status: 'broken', reason: 'down' } });
  expect([tally.passed, tally.failed, tally.broken]).toEqual([2, 1, 1]);
  expect(tally.retried).toEqual([3, 1, 6]);
});
