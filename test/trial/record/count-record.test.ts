import { describe, expect, test } from 'vitest';
import { LowestTrials } from '../../../src/trial/lowest-trials.ts';
import { CountedTrails } from '../../../src/trial/record/counted-trails.ts';
import { countRecord } from '../../../src/trial/record/count-record.ts';
import { COUNTERS } from '../../../src/types/trial.ts';
import { Tally } from '../../../src/trial/tally/tally.ts';
import { brokenRecord } from '../../../src/trial/record/record-trial.ts';

/** Names of the counters that trials did not tell. */
const untoldIn = ({ untold }: Tally) => COUNTERS.filter((_, at) => (untold[at] ?? 0) > 0);

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

describe('counters of models that a trial does not tell', () => {
  const TOKENS = ['llmTokens', 'promptTokens', 'completionTokens'];
  const session = { end: 'user_done', tools: [], validCalls: 0, gold: null } as const;
  test.each<[string, object, readonly string[]]>([
    ['of an agent are unknown', {}, ['llmCalls', ...TOKENS]],
    ['of an agent whose calls were seen: its tokens are unknown', { counters: { llmCalls: 1 } }, TOKENS],
    ['of a trial that the harness broke are what was counted', { ending: { status: 'broken', reason: 'down' } }, []],
    ['of a recorded trial that nobody can read are unknown', { ending: { status: 'broken', reason: 'cut' } }, COUNTERS],
    ['of a session that asked no model anybody saw are none', { session }, []],
    ['of a session in which a model was seen: its tokens are unknown', { session, counters: { llmCalls: 2 } }, TOKENS],
  ])('%s', (_, parts, untold) => {
    const tally = new Tally({ ...SHAPE, rows: true, ...(untold === COUNTERS && { tasks: true }) });
    const record = { ...brokenRecord(0, ''), ending: COMPLETED, ...parts };
    countRecord(record, { brokenBy: null, rulings: [0], failed: [], findings: [] }, tally, COUNTING);
    expect(untoldIn(tally).toSorted()).toEqual([...untold].toSorted());
    const [row] = tally.rows?.list() ?? [];
    expect(COUNTERS.filter((_name, at) => row?.counters[at] === null).toSorted()).toEqual([...untold].toSorted());
  });
});
