import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../../src/engine/compile-json-schema.ts';
import { liveModelFunction } from '../../../src/plugin/live-node.ts';
import type { Registry } from '../../../src/plugin/registry.ts';
import { CASSETTE_READ, CASSETTE_WRITE } from '../../../src/types/cassette.ts';
import { compileTrial } from '../../../src/trial/compile-trial.ts';
import type { TrialProgram } from '../../../src/trial/program.ts';
import { builtinRegistry, extendRegistry } from '../../../src/trial/registry.ts';
import type { HostCall } from '../../../src/trial/live-ports.ts';
import type { Chaos } from '../../../src/types/chaos.ts';
import type { Json } from '../../../src/types/json.ts';
import type { WorkflowPlan } from '../../../src/types/plan.ts';
import type { RealTime } from '../../../src/types/real-time.ts';
import { aPlan, type FlowParts, type TrialParts } from '../../engine/a-trial.ts';
import { aChaos, anAttack, anLlmFault, aToolFault } from '../../faults/chaos/a-chaos.ts';
import { WAITING } from '../some-traits.ts';

/** A clock that jumps to the next alarm whenever nothing else is left to happen. */
class JumpingClock implements RealTime {
  nowUs = 0;
  readonly alarms: { readonly atUs: number; readonly ring: () => void }[] = [];

  elapsedUs(): number {
    return this.nowUs;
  }

  alarm(us: number, ring: () => void): () => void {
    const alarm = { atUs: this.nowUs + us, ring };
    this.alarms.push(alarm);
    setImmediate(() => this.jump());
    return () => void this.alarms.splice(this.alarms.indexOf(alarm), this.alarms.includes(alarm) ? 1 : 0);
  }

  private jump(): void {
    const next = this.alarms.toSorted((a, b) => a.atUs - b.atUs)[0];
    if (next === undefined) return;
    this.alarms.splice(this.alarms.indexOf(next), 1);
    this.nowUs = Math.max(this.nowUs, next.atUs);
    next.ring();
    setImmediate(() => this.jump());
  }
}

interface LiveParts {
  readonly chaos: Chaos;
  readonly host?: HostCall;
  readonly timeoutMs?: number;
}

/** One trial of a workflow that asks a function for its model's answers, and the clock it lived by. */
async function liveTrial(flow: FlowParts, { chaos, host = answers, timeoutMs = 30_000 }: LiveParts) {
  const clock = new JumpingClock();
  const program = compileLive(aPlan({ ...flow, ...WORLD, chaos, timeoutMs }), host, clock);
  const { result, trace } = await program.inspect(0);
  const tally = program.newTally();
  await program.runAsync(0, 1, tally, { concurrency: 1 });
  return { result, trace, clock, fired: [...tally.strikes.fired] };
}

function compileLive(
  plan: WorkflowPlan,
  callHost: HostCall,
  clock: RealTime,
  registry: Registry = builtinRegistry,
): TrialProgram {
  const live = { ...plan, traits: WAITING, liveModels: ['default'], blockSize: 1 };
  return compileTrial(live, {
    registry,
    compileSchema: compileJsonSchema,
    callHost,
    startClock: () => clock,
  });
}

const WORLD: Pick<TrialParts, 'payload' | 'world'> = {
  payload: { url: 'https://a.example/' },
  world: {
    http: [
      {
        match: { methods: [], headers: {}, body: {} },
        replies: [{ status: 200, headers: {}, body: 'fine', delayMs: 10 }],
        afterLast: 'repeat',
      },
    ],
  },
};

const answers: HostCall = async () => ({ content: 'one two three' });
const ASK: FlowParts = { nodes: [['ask', 'llm_infer', { backend: 'default', prompt: 'Hello' }]] };

test('a model function is sent the poisoned prompt, and its answer is changed on the way back', async () => {
  const asked: Json[] = [];
  const host: HostCall = async (name, payload) => {
    expect(name).toBe(liveModelFunction('default'));
    asked.push((payload as { readonly messages: Json }).messages);
    return { content: 'one two three' };
  };
  const chaos = aChaos({
    llmFaults: [anLlmFault({ mode: 'truncated_response' })],
    contextAttacks: [anAttack({ type: 'memory_poisoning' })],
  });
  const { result, fired } = await liveTrial(ASK, { chaos, host });
  const content = 'Hello\n\nPOISON';
  expect(asked[0]).toEqual([{ role: 'user', content, parts: [{ kind: 'text', text: content }] }]);
  expect(result.outcome?.finalValue).toMatchObject({ content: 'one two' });
  expect(fired).toEqual([1, 1]);
});

test('where time is real a timeout is waited for, and the model is not asked', async () => {
  let calls = 0;
  const host: HostCall = async () => {
    calls++;
    return { content: 'x' };
  };
  const { result, clock } = await liveTrial(ASK, {
    chaos: aChaos({ llmFaults: [anLlmFault({ mode: 'timeout' })] }),
    host,
  });
  expect([result.outcome?.category, result.outcome?.elapsedUs, calls]).toEqual(['timeout', 4_000_000, 0]);
  // Two trials of four seconds each.
  expect(clock.nowUs).toBe(8_000_000);
});

test('a trial waits no longer than its own limit', async () => {
  const chaos = aChaos({ llmFaults: [anLlmFault({ mode: 'timeout', delayMs: 300_000 })] });
  const { result, clock } = await liveTrial(ASK, { chaos, timeoutMs: 1000 });
  expect([result.outcome?.status, clock.nowUs, clock.alarms]).toEqual(['timed_out', 1_000_000, []]);
});

test('a trial whose time is up names what had not answered', async () => {
  const { result } = await liveTrial(ASK, { chaos: aChaos({}), host: () => new Promise(() => undefined) });
  expect(result.outcome?.reason).toBe('backend `default` did not answer before the time was up');
});

const FETCH: FlowParts = { nodes: [['fetch', 'http_request', { method: 'GET', urlFrom: 'trigger.url' }]] };

test('a slow tool is waited for before it is called, and keeps its own delay', async () => {
  const { result, clock } = await liveTrial(FETCH, { chaos: aChaos({ toolFaults: [aToolFault({ mode: 'slow' })] }) });
  expect(result.outcome?.finalValue).toMatchObject({ status: 200, body: 'fine' });
  expect([clock.nowUs, result.outcome?.elapsedUs]).toEqual([4_000_000, 2_010_000]);
});

test('an answer that comes when its trial is over is not counted in the next one', async () => {
  const held: ((value: Json) => void)[] = [];
  const host: HostCall = () => new Promise((resolve) => held.push(resolve));
  const rings: (() => void)[] = [];
  const clock: RealTime = {
    elapsedUs: () => 0,
    alarm: (_us, ring) => {
      rings.push(ring);
      return () => undefined;
    },
  };
  const chaos = aChaos({ llmFaults: [anLlmFault({ mode: 'empty' })] });
  const program = compileLive(aPlan({ ...ASK, chaos }), host, clock);
  const tally = program.newTally();
  for (const trial of [0, 1]) {
    const run = program.runAsync(trial, trial + 1, tally, { concurrency: 1 });
    while (held.length <= trial) await nextTurn();
    // While the second trial waits for its own answer, that to the first one's question comes.
    if (trial === 1) held[0]?.({ content: 'too late' });
    await nextTurn();
    rings[trial]?.();
    await run;
  }
  expect([tally.statuses[2], [...tally.strikes.fired]]).toEqual([2, [0]]);
});

test.each([
  ['certain', {}, ['child a', 'child b']],
  ['drawn', { probability: 0.5 }, ['child a']],
  ['counted', { afterCalls: 1 }, ['child a']],
])('children ask together only where what strikes them is certain: %s', async (_, trigger, begun) => {
  const asked: string[] = [];
  let release: (value: Json) => void = () => undefined;
  const held = new Promise<Json>((resolve) => {
    release = resolve;
  });
  const host: HostCall = (_name, payload) => {
    asked.push(JSON.stringify(payload).includes('child a') ? 'child a' : 'child b');
    return held;
  };
  const child = (prompt: string): FlowParts => ({ nodes: [['ask', 'llm_infer', { backend: 'default', prompt }]] });
  const flow: FlowParts = { nodes: [['both', 'parallel', { branches: [{ workflow: 'a' }, { workflow: 'b' }] }]] };
  const plan = aPlan({
    ...flow,
    chaos: aChaos({ llmFaults: [anLlmFault({ mode: 'truncated_response', ...trigger })] }),
    children: { a: child('child a'), b: child('child b') },
  });
  const clock: RealTime = { elapsedUs: () => 0, alarm: () => () => undefined };
  const trial = compileLive(plan, host, clock).inspect(0);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(asked).toEqual(begun);
  release({ content: 'one two three' });
  expect((await trial).result.outcome?.status).toBe('completed');
});

const LIVE_NODE = { type: 'lookup', summary: 'Looks something up.', reads: [], labels: [] };

test.each([
  ['error', 'tool: 503 Service Unavailable', null],
  ['timeout', 'tool: the function gave no answer in time', null],
  ['malicious_response', null, 'OBEY'],
] as const)('a node that a function of the host does is a tool like others: %s', async (mode, reason, value) => {
  const chaos = aChaos({ toolFaults: [aToolFault({ mode, tool: 'lookup' })] });
  const clock = new JumpingClock();
  const plan = { ...aPlan({ nodes: [['find', 'lookup']], chaos }), liveNodes: [LIVE_NODE] };
  const registry = extendRegistry([], plan.liveNodes);
  const { result } = await compileLive(plan, () => Promise.reject(new Error('is called')), clock, registry).inspect(0);
  expect(result.outcome?.reason ?? null).toEqual(reason === null ? null : expect.stringContaining(reason.slice(6)));
  expect(result.outcome?.finalValue).toEqual(value);
});

test('an injection stands in what a function of the host gives', async () => {
  const chaos = aChaos({ contextAttacks: [anAttack({ type: 'indirect_injection' })] });
  const plan = { ...aPlan({ nodes: [['find', 'lookup']], chaos }), liveNodes: [LIVE_NODE] };
  const registry = extendRegistry([], plan.liveNodes);
  const { result } = await compileLive(plan, async () => ({ found: 1 }), new JumpingClock(), registry).inspect(0);
  expect(result.outcome?.finalValue).toEqual({ found: 1, _injected: 'POISON' });
});

test('a cassette holds what the outside world said, and a replay is struck as the recording was', async () => {
  const chaos = aChaos({
    llmFaults: [
      anLlmFault({ mode: 'truncated_response', probability: 0.5 }),
      anLlmFault({ mode: 'timeout', probability: 0.3 }),
    ],
    toolFaults: [aToolFault({ mode: 'slow' })],
    contextAttacks: [anAttack({ type: 'memory_poisoning', probability: 0.5 })],
  });
  const retried: FlowParts = {
    nodes: [
      ['fetch', 'http_request', { method: 'GET', urlFrom: 'trigger.url' }],
      ['ask', 'llm_infer', { backend: 'default', prompt: 'Hello' }, { maxAttempts: 3 }],
    ],
    edges: ['fetch -> ask'],
  };
  const plan = aPlan({ ...retried, ...WORLD, chaos });
  const tapes = new Map<number, string>();
  let calls = 0;
  const record: HostCall = async (name, payload) => {
    if (name !== CASSETTE_WRITE) {
      calls++;
      return { content: 'one two three' };
    }
    const { trial, piece } = payload as { readonly trial: number; readonly piece: string };
    tapes.set(trial, piece);
    return null;
  };
  const replay: HostCall = async (name, payload) => {
    expect(name).toBe(CASSETTE_READ);
    return { piece: tapes.get((payload as { readonly trial: number }).trial) ?? '', last: true };
  };
  const results = async (cassette: 'record' | 'replay', host: HostCall) => {
    const program = compileLive({ ...plan, cassette }, host, new JumpingClock());
    const tally = program.newTally();
    await program.runAsync(0, 12, tally, { concurrency: 1 });
    return { fired: [...tally.strikes.fired], statuses: [...tally.statuses], counters: [...tally.counters] };
  };
  const recorded = await results('record', record);
  expect(calls).toBeGreaterThan(0);
  expect(recorded.fired.every((times) => times > 0)).toBe(true);
  expect([...tapes.values()].some((tape) => Buffer.from(tape, 'base64').toString().includes('one two three'))).toBe(
    true,
  );
  expect(await results('replay', replay)).toEqual(recorded);
});
