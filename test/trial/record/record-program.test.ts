import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { encodeTally } from '../../../src/pool/tally/tally-codec.ts';
import { recordAgent } from '../../../src/trial/agent/record-agent.ts';
import { COMPLETED, newCall, newRecord } from '../../../src/values/blank-record.ts';
import { recordProgram, type SubjectRunner } from '../../../src/trial/record/record-program.ts';
import type { TrialProgram } from '../../../src/trial/program.ts';
import type { Tally } from '../../../src/trial/tally/tally.ts';
import type { FailureDetail } from '../../../src/types/scenarios/failure-report.ts';
import { checksOf } from '../../checks/builders.ts';
import { anAnswer, anInvariant } from '../../checks/invariants/builders.ts';
import { aPlan } from '../../suite/a-tally.ts';

const FAULTS = ['tool a: error', 'llm: empty'];

/** A subject that says its trial's number, and fails to run in every tenth trial. Answers come in any order. */
function aProgram(opened: { runners: number } = { runners: 0 }): TrialProgram {
  const checks = checksOf(
    { invariants: { list: [anInvariant({ type: 'regex', pattern: '[02468]$' }, { id: 'even' })] } },
    { answersInTurns: true },
  );
  const runner: SubjectRunner = {
    async run(trial) {
      for (let turn = 0; turn < (trial * 7) % 5; turn++) await nextTurn();
      if (trial % 10 === 9) throw new Error('nobody is there');
      const record = recordAgent(
        trial,
        { answers: [anAnswer({ text: `trial ${trial}`, tokens: trial })], fired: [] },
        null,
      );
      return { ...record, struck: trial % 3 === 0 ? [{ fault: 'llm: empty', kind: 'llm', fired: 2 }] : [] };
    },
  };
  return recordProgram(aPlan(100), {
    info: { nodes: [], edges: [], turns: [], checks: ['even'], faults: FAULTS, givesRulings: true },
    checks,
    openRunner: () => {
      opened.runners++;
      return runner;
    },
    close: () => Promise.resolve(),
  });
}

async function run(program: TrialProgram, from: number, to: number, concurrency: number): Promise<Tally> {
  const tally = program.newTally();
  await program.runAsync(from, to, tally, { concurrency });
  return tally;
}

test('trials are judged by their records, and counted with what they cost and what struck them', async () => {
  const tally = await run(aProgram(), 0, 100, 4);
  expect([tally.passed, tally.failed, tally.broken]).toEqual([50, 40, 10]);
  expect([tally.lowestFailed.slice(0, 3), tally.lowestBroken[0]]).toEqual([
    [1, 3, 5],
    { trial: 9, cause: 'nobody is there' },
  ]);
  expect([[...tally.strikes.fired], [...tally.strikes.trials]]).toEqual([
    [0, 60],
    [0, 30],
  ]);
  const counted = Array.from({ length: 100 }, (_, trial) => (trial % 10 === 9 ? 0 : trial));
  expect(tally.counters[1]).toBe(counted.reduce((sum, tokens) => sum + tokens, 0));
  expect([tally.statuses[0], tally.stops.every((count) => count === 0)]).toEqual([90, true]);
});

test('the same trials are counted the same, however many run at once and however they are cut', async () => {
  const whole = encodeTally(await run(aProgram(), 0, 100, 1));
  expect(encodeTally(await run(aProgram(), 0, 100, 8))).toEqual(whole);
  const program = aProgram();
  const [tally, rest] = [await run(program, 0, 37, 3), await run(program, 37, 100, 2)];
  tally.merge(rest);
  expect(encodeTally(tally)).toEqual(whole);
});

test('the lowest failing trials are shown with their records, cut to what a report holds', async () => {
  const { shown } = await run(aProgram(), 0, 100, 8);
  const details = shown.map(({ detail }) => JSON.parse(detail) as FailureDetail);
  expect(details.map(({ trial, status, fired, record }) => [trial, status, fired, record?.turns.length])).toEqual([
    [1, 'completed', [], 2],
    [3, 'completed', ['llm: empty'], 2],
    [5, 'completed', [], 2],
  ]);
  expect(details[0]?.findings[0]?.message).toContain('"trial 1"');
});

test('there are as many runners as trials at once, and a runner that failed is not used again', async () => {
  const opened = { runners: 0 };
  await run(aProgram(opened), 0, 9, 3);
  expect(opened.runners).toBe(3);
  await run(aProgram(opened), 9, 20, 1);
  expect(opened.runners).toBe(3 + 2);
});

test('a trial is shown with its verdict and its record', async () => {
  const program = aProgram();
  const { result, trace, record } = await program.inspect(1);
  expect([result.verdict, result.findings.map(({ check }) => check), trace]).toEqual(['failed', ['even'], null]);
  expect(record.turns).toHaveLength(2);
  expect((await program.inspect(9)).result).toMatchObject({ verdict: 'broken', brokenBy: 'nobody is there' });
  expect(() => program.inspectNow(1)).toThrow('wait for answers');
});

test('the calls of the lowest session of each verdict are kept, of higher ones only while no lower one is known to count', async () => {
  const program = recordProgram(aPlan(100), {
    info: { nodes: [], edges: [], turns: [], checks: [], faults: [], goals: [] },
    checks: [],
    openRunner: () => ({
      run: (trial) => Promise.resolve(newRecord({ trial, ending: COMPLETED, calls: [aCall(trial)] })),
    }),
    close: () => Promise.resolve(),
  });
  const [high, low, higher] = [await run(program, 7, 8, 1), await run(program, 3, 4, 1), program.newTally()];
  expect([high, low].map(({ sessions }) => sessions?.passedTrail?.trial)).toEqual([7, 3]);
  program.noteCounted?.(high);
  await program.runAsync(8, 9, higher, { concurrency: 1 });
  const [lower, merged] = [await run(program, 5, 6, 1), program.newTally()];
  expect([higher, lower].map(({ sessions }) => sessions?.passedTrail?.trial)).toEqual([undefined, 5]);
  for (const tally of [higher, high, lower, low]) merged.merge(tally);
  expect(merged.sessions?.passedTrail).toMatchObject({ trial: 3, calls: [{ tool: 'look', args: '{"trial":3}' }] });
});

const aCall = (trial: number) => newCall({ port: 'tool', names: ['look'], turn: 0, args: { trial } });
