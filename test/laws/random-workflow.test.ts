import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NaiveOutcome, runNaive } from '../../benchmarks/naive-interpreter.ts';
import { builtinNodes } from '../../src/engine/builtin.ts';
import type { Ports } from '../../src/plugin/request.ts';
import { encodeTally } from '../../src/pool/tally/tally-codec.ts';
import type { TrialTools } from '../../src/trial/compile-trial.ts';
import type { WorkflowProgram } from '../../src/trial/program.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import { COUNTERS, STATUSES, STOPS, type TrialResult } from '../../src/types/trial.ts';
import type { MockReplies } from '../../src/types/mock.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import type { Trace } from '../../src/types/trace.ts';
import { arbitraryPlan } from './arbitrary-scenario.ts';
import { compilePure } from '../support/compile-pure.ts';
import { writeJson } from '../../src/values/exact-json.ts';
import { LAW_RUNS } from '../support/law-runs.ts';

const TRIALS = 8;
const LONG = 60_000 + LAW_RUNS * 100;

function compile(plan: WorkflowPlan, memoLimit?: number, aroundPorts?: TrialTools['aroundPorts']): WorkflowProgram {
  return compilePure(plan, {
    ...(memoLimit === undefined ? {} : { memoLimit }),
    ...(aroundPorts === undefined ? {} : { aroundPorts }),
  });
}

async function runAllNaive(plan: WorkflowPlan): Promise<readonly NaiveOutcome[]> {
  const outcomes: NaiveOutcome[] = [];
  for (let trial = 0; trial < TRIALS; trial++) outcomes.push(await runNaive(plan, trial));
  return outcomes;
}

function runAll(program: WorkflowProgram): Tally {
  const tally = program.newTally();
  program.run(0, TRIALS, tally);
  return tally;
}

/** What a tally and a set of naive outcomes can be compared by. */
interface Sums {
  readonly verdicts: readonly number[];
  readonly statuses: readonly number[];
  readonly stops: readonly number[];
  readonly counters: Readonly<Record<string, number | undefined>>;
  readonly elapsedUs: number;
  readonly maxElapsedUs: number;
  readonly nodeVisits: readonly number[];
  readonly edgeVisits: readonly number[];
  readonly served: readonly number[];
  readonly broken: readonly { readonly trial: number; readonly cause: string }[];
  readonly failed: readonly number[];
}

function sumsOfTally(tally: Tally): Sums {
  return {
    verdicts: [tally.passed, tally.failed, tally.broken],
    statuses: [...tally.statuses],
    stops: [...tally.stops],
    counters: Object.fromEntries(COUNTERS.map((name, at) => [name, tally.counters[at]])),
    elapsedUs: tally.elapsedUs,
    maxElapsedUs: tally.maxElapsedUs,
    nodeVisits: [...tally.nodeVisits],
    edgeVisits: [...tally.edgeVisits],
    served: [...tally.served],
    broken: tally.lowestBroken,
    failed: tally.lowestFailed,
  };
}

function sumsOfNaive(outcomes: readonly NaiveOutcome[]): Sums {
  const whole = outcomes.filter(({ status }) => status !== 'broken');
  const sum = (of: (outcome: NaiveOutcome) => number, among = outcomes) =>
    among.reduce((total, outcome) => total + of(outcome), 0);
  const rows = (of: (outcome: NaiveOutcome) => readonly number[]) =>
    outcomes.reduce<readonly number[]>((total, outcome) => of(outcome).map((n, at) => n + (total[at] ?? 0)), []);
  const trialsWhere = (is: (outcome: NaiveOutcome) => boolean) =>
    [...outcomes.keys()].filter((at) => is(outcomes[at] as NaiveOutcome));
  const isFailed = ({ failedChecks }: NaiveOutcome) => failedChecks.length > 0;
  return {
    verdicts: [
      whole.filter((outcome) => !isFailed(outcome)).length,
      whole.filter(isFailed).length,
      outcomes.length - whole.length,
    ],
    statuses: STATUSES.map((status) => sum((outcome) => (outcome.status === status ? 1 : 0))),
    stops: STOPS.map((stop) => sum((outcome) => (outcome.stoppedBy === stop ? 1 : 0))),
    counters: Object.fromEntries(COUNTERS.map((name) => [name, sum(({ counters }) => counters[name])])),
    elapsedUs: sum(({ elapsedUs }) => elapsedUs, whole),
    maxElapsedUs: Math.max(0, ...whole.map(({ elapsedUs }) => elapsedUs)),
    nodeVisits: rows(({ nodeVisits }) => nodeVisits),
    edgeVisits: rows(({ edgeVisits }) => edgeVisits),
    served: rows(({ served }) => served),
    broken: trialsWhere(({ status }) => status === 'broken').map((trial) => ({
      trial,
      cause: outcomes[trial]?.brokenBy ?? '',
    })),
    failed: trialsWhere(isFailed),
  };
}

type Shown = Pick<TrialResult, 'verdict' | 'outcome' | 'brokenBy'> & { readonly failedChecks: readonly string[] };

function shownOf({ verdict, outcome, brokenBy, findings }: TrialResult): Shown {
  return { verdict, outcome, brokenBy, failedChecks: findings.map(({ check }) => check) };
}

function shownOfNaive(naive: NaiveOutcome): Shown {
  const { nodeVisits, edgeVisits, served, failedChecks, brokenBy, status, stoppedBy, ...rest } = naive;
  if (status === 'broken' || stoppedBy === null) return { verdict: 'broken', outcome: null, brokenBy, failedChecks };
  const verdict = failedChecks.length > 0 ? 'failed' : 'passed';
  return { verdict, outcome: { status, stoppedBy, ...rest }, brokenBy, failedChecks };
}

async function check(law: (plan: WorkflowPlan, program: WorkflowProgram) => Promise<void>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(arbitraryPlan, async (plan) => law(plan, compile(plan))),
    { numRuns: LAW_RUNS },
  );
}

/** `expect` says what differs, and takes longer than a trial: it is asked only where something does. */
function expectSame(one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other)) expect(one).toEqual(other);
}

test('the plain driver counts what the naive interpreter counts', { timeout: LONG }, async () => {
  await check(async (plan, program) => {
    expectSame(sumsOfTally(runAll(program)), sumsOfNaive(await runAllNaive(plan)));
  });
});

test('the recorded driver tells of each trial what the naive interpreter tells', { timeout: LONG }, async () => {
  await check(async (plan, program) => {
    for (let trial = 0; trial < TRIALS; trial++) {
      const inspected = await program.inspect(trial);
      expectSame(shownOf(inspected.result), shownOfNaive(await runNaive(plan, trial)));
      expectSame(program.inspectNow(trial), inspected);
    }
  });
});

test('a trace stays as it was told, whatever runs after it, and is told again in the same words', {
  timeout: LONG,
}, async () => {
  const property = fc.asyncProperty(arbitraryPlan, async (plan) => {
    const program = compile(plan);
    const traces: Trace[] = [];
    const told: string[] = [];
    for (let trial = 0; trial < TRIALS; trial++) {
      const { trace } = await program.inspect(trial);
      traces.push(trace);
      told.push(writeJson(trace));
    }
    runAll(program);
    for (const trial of traces.keys()) {
      expect(writeJson((await program.inspect(trial)).trace)).toBe(told[trial]);
    }
    expect(traces.map((trace) => writeJson(trace))).toEqual(told);
  });
  await fc.assert(property, { numRuns: LAW_RUNS });
});

test('the asynchronous driver gives the same bytes at any concurrency', { timeout: LONG }, async () => {
  await check(async (_, program) => {
    const expected = encodeTally(runAll(program));
    for (const concurrency of [1, 4]) {
      const tally = program.newTally();
      await program.runAsync(0, TRIALS, tally, { concurrency });
      expect(encodeTally(tally)).toEqual(expected);
    }
  });
});

test('answers that come late, in any order, change nothing', { timeout: LONG }, async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryPlan, fc.infiniteStream(fc.nat(3)), async (plan, delays) => {
      const program = compile(plan);
      const late = compile(plan, undefined, (ports) => latePorts(ports, { plan, delays }));
      for (let trial = 0; trial < TRIALS; trial++) {
        const expected = program.newTally();
        const tally = program.newTally();
        program.run(trial, trial + 1, expected);
        await late.runAsync(trial, trial + 1, tally, { concurrency: 1 });
        // What runs beside a child that breaks the trial is counted as far as it came.
        if (expected.broken === 0) expect(encodeTally(tally)).toEqual(encodeTally(expected));
        else expect(tally.lowestBroken).toEqual(expected.lowestBroken);
      }
    }),
    { numRuns: LAW_RUNS },
  );
});

interface Lateness {
  readonly plan: WorkflowPlan;
  /** Turns of the event loop that the next answer takes. */
  readonly delays: fc.Stream<number>;
}

/** Ports that take their time over everything, and let what leaves no trace in the trial overlap. */
function latePorts(ports: Ports, { plan, delays }: Lateness): Ports {
  const { http, processes } = plan.scenario.subject.world;
  // A mock that counts its answers gives them in declared order.
  const counts = (mocks: readonly MockReplies<unknown>[]) =>
    mocks.some(({ replies, times = null }) => replies.length > 1 || times !== null);
  const free = new Set(['env', ...(counts(http) ? [] : ['http']), ...(counts(processes) ? [] : ['process'])]);
  // The order of requests that are under way together is nobody's.
  const sequence = JSON.stringify(plan.scenario.expected).includes('"sequence":[{');
  return {
    overlaps: ({ port }) => !sequence && free.has(port),
    ask: async (request, at) => {
      const answer = ports.ask(request, at);
      for (let left = delays.next().value ?? 0; left > 0; left--) await nextTurn();
      return answer;
    },
  };
}

test('no trial leaves anything behind for another', { timeout: LONG }, async () => {
  await check(async (plan, program) => {
    const expected = encodeTally(runAll(program));
    expect(encodeTally(runAll(program))).toEqual(expected);
    const backwards = program.newTally();
    const merged = program.newTally();
    for (let trial = TRIALS - 1; trial >= 0; trial--) program.run(trial, trial + 1, backwards);
    for (let trial = 0; trial < TRIALS; trial++) {
      const alone = compile(plan);
      const tally = alone.newTally();
      alone.run(trial, trial + 1, tally);
      merged.merge(tally);
    }
    expect(encodeTally(backwards)).toEqual(expected);
    expect(encodeTally(merged)).toEqual(expected);
  });
});

test('kept answers never differ from fresh ones', { timeout: LONG }, async () => {
  await check(async (plan, program) => {
    const expected = encodeTally(runAll(program));
    for (const memoLimit of [0, 3]) expect(encodeTally(runAll(compile(plan, memoLimit)))).toEqual(expected);
    // What is planned as a single trial keeps only what comes a second time.
    expect(encodeTally(runAll(compile({ ...plan, trials: 1 })))).toEqual(expected);
  });
});

test('the laws are put to every node type, status and way to stop', { timeout: LONG }, async () => {
  const plans = fc.sample(arbitraryPlan, { seed: 1, numRuns: 400 });
  const seen = new Set<string>();
  for (const plan of plans) {
    const workflows = [plan.scenario.subject.workflow, ...Object.values(plan.scenario.subject.children)];
    const types = workflows.flatMap(({ nodes }) => nodes.map(({ type }) => type));
    for (let trial = 0; trial < 2; trial++) {
      const { status, stoppedBy, nodeVisits, counters } = await runNaive(plan, trial);
      for (const word of [status, stoppedBy ?? '']) seen.add(word);
      for (const [at, type] of types.entries()) if ((nodeVisits[at] ?? 0) > 0) seen.add(type);
      for (const name of COUNTERS) if (counters[name] > 0) seen.add(name);
    }
  }
  const expected = [...builtinNodes.map(({ type }) => type), ...STATUSES, 'broken', ...STOPS, ...COUNTERS];
  expect(expected.filter((word) => !seen.has(word))).toEqual([]);
});
