import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDrawn } from '../../src/faults/chaos/fault-labels.ts';
import type { Ports } from '../../src/plugin/request.ts';
import { encodeTally } from '../../src/pool/tally/tally-codec.ts';
import type { WorkflowProgram } from '../../src/trial/program.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import type { Chaos } from '../../src/types/chaos.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import { arbitraryChaos } from './arbitrary-chaos.ts';
import { compilePure } from '../support/compile-pure.ts';
import { arbitraryPlan } from './arbitrary-scenario.ts';
import { exactJsonText, readExactJson } from '../../src/values/exact-json.ts';
import { LAW_RUNS } from '../support/law-runs.ts';

const TRIALS = 8;
const LONG = 60_000 + LAW_RUNS * 200;

const drawn = fc.tuple(arbitraryPlan, arbitraryChaos('drawn')).map(([plan, chaos]) => under(plan, chaos));
const certain = fc.tuple(arbitraryPlan, arbitraryChaos('certain')).map(([plan, chaos]) => {
  const text = exactJsonText(plan.scenario).replace(/"jitter":[0-9.]+/g, '"jitter":0');
  return under({ ...plan, scenario: readExactJson(text) as WorkflowPlan['scenario'], blockSize: 64 }, chaos);
});

function under(plan: WorkflowPlan, chaos: Chaos): WorkflowPlan {
  const { scenario } = plan;
  return { ...plan, scenario: { ...scenario, faults: { ...scenario.faults, chaos } } };
}

function run(program: WorkflowProgram, from = 0, to = TRIALS): Tally {
  const tally = program.newTally();
  program.run(from, to, tally);
  return tally;
}

const bytes = (tally: Tally): string => Buffer.from(encodeTally(tally)).toString('hex');

async function check(law: (plan: WorkflowPlan, program: WorkflowProgram) => Promise<void> | void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(drawn, async (plan) => law(plan, compilePure(plan))),
    { numRuns: LAW_RUNS },
  );
}

test('any split of trials in any order counts the same, and no fault leaks into another trial', {
  timeout: LONG,
}, async () => {
  await check((plan, program) => {
    const expected = bytes(run(program));
    const merged = program.newTally();
    for (let trial = TRIALS - 1; trial >= 0; trial--) merged.merge(run(compilePure(plan), trial, trial + 1));
    expect(bytes(merged)).toBe(expected);
    const backwards = program.newTally();
    for (let trial = TRIALS - 1; trial >= 0; trial--) program.run(trial, trial + 1, backwards);
    expect(bytes(backwards)).toBe(expected);
  });
});

test('the asynchronous driver gives the same bytes at any concurrency', { timeout: LONG }, async () => {
  await check(async (_, program) => {
    const expected = bytes(run(program));
    for (const concurrency of [1, 4]) {
      const tally = program.newTally();
      await program.runAsync(0, TRIALS, tally, { concurrency });
      expect(bytes(tally)).toBe(expected);
    }
  });
});

test('answers that come late change nothing', { timeout: LONG }, async () => {
  await check(async (plan, program) => {
    const late = compilePure(plan, { aroundPorts: latePorts });
    const tally = late.newTally();
    await late.runAsync(0, TRIALS, tally, { concurrency: 2 });
    expect(bytes(tally)).toBe(bytes(run(program)));
  });
});

function latePorts(ports: Ports): Ports {
  return {
    prepare: ports.prepare === undefined ? undefined : (request) => ports.prepare?.(request) ?? request,
    ask: async (request, at) => {
      const answer = ports.ask(request, at);
      await nextTurn();
      return answer;
    },
  };
}

test('kept answers never differ from fresh ones', { timeout: LONG }, async () => {
  await check((plan, program) => {
    const expected = bytes(run(program));
    for (const memoLimit of [0, 3]) expect(bytes(run(compilePure(plan, { memoLimit })))).toBe(expected);
  });
});

test('the recorded trial is the one that is counted, and tells of every fault that fired', {
  timeout: LONG,
}, async () => {
  await check(async (_, program) => {
    for (let trial = 0; trial < 3; trial++) {
      const tally = run(program, trial, trial + 1);
      const { result, trace } = await program.inspect(trial);
      expect(result.verdict).toBe(tally.broken === 1 ? 'broken' : tally.passed === 1 ? 'passed' : 'failed');
      const told = trace.events.flatMap((event) => (event.kind === 'fault' ? event.fault.split(', ') : []));
      const fired = program.info.faults.map((fault) => told.filter((label) => label === fault).length);
      // A trial that ends while a request is under way has counted what struck it, and tells nothing of it any more.
      if (tally.broken === 0) expect(fired).toEqual([...tally.strikes.fired]);
    }
  });
});

test('what is certain is deduplicated exactly as it is executed', { timeout: LONG }, () => {
  let deduplicated = 0;
  fc.assert(
    fc.property(certain, (plan) => {
      expect(isDrawn(plan.scenario.faults.chaos as Chaos)).toBe(false);
      const executed = run(compilePure(plan), 0, 128);
      const once = run(compilePure({ ...plan, dedupe: true }), 0, 128);
      deduplicated += once.deduplicated;
      once.deduplicated = 0;
      expect(bytes(once)).toBe(bytes(executed));
    }),
    { numRuns: LAW_RUNS },
  );
  expect(deduplicated).toBeGreaterThan(0);
});

test('the laws are put to every mode, drift and attack', { timeout: LONG }, () => {
  const fired = new Set<string>();
  for (const plan of fc.sample(drawn, { seed: 3, numRuns: 800 })) {
    const program = compilePure(plan);
    const tally = run(program);
    const { toolFaults, llmFaults, contextAttacks } = plan.scenario.faults.chaos as Chaos;
    const kinds = [
      ...toolFaults.map(({ mode }) => mode),
      ...llmFaults.map(({ mode, driftType }) => (mode === 'response_drift' ? driftType : `llm ${mode}`)),
      ...contextAttacks.map(({ type }) => type),
    ];
    for (const [at, kind] of kinds.entries()) if ((tally.strikes.fired[at] ?? 0) > 0) fired.add(kind);
  }
  expect([...fired].sort()).toEqual([
    'conflicting_context',
    'error',
    'format_change',
    'indirect_injection',
    'injection_via_context',
    'json_field_rename',
    'llm empty',
    'llm garbage',
    'llm rate_limit',
    'llm timeout',
    'llm truncated_response',
    'malformed',
    'malicious_response',
    'memory_poisoning',
    'overflow',
    'slow',
    'timeout',
    'verbosity_shift',
  ]);
});
