import { expect, test } from 'vitest';
import { encodeTally } from '../../../src/pool/tally/tally-codec.ts';
import type { Tally } from '../../../src/trial/tally/tally.ts';
import type { ContextAttack, LlmFault, ToolFault } from '../../../src/types/chaos.ts';
import type { Json } from '../../../src/types/json.ts';
import type { World } from '../../../src/types/scenarios/world.ts';
import type { McpServer } from '../../../src/types/workflow.ts';
import type { ModelRequest } from '../../../src/plugin/request.ts';
import type { TraceEvent } from '../../../src/types/trace.ts';
import { aProgram, aTally, aTrial, aTurn, type NodeLine, type TrialParts } from '../../engine/a-trial.ts';
import { aChaos, anAttack, anLlmFault, aToolFault } from '../../faults/chaos/a-chaos.ts';
import { textOf } from '../../../src/values/message-text.ts';

const FETCH: NodeLine = ['fetch', 'http_request', { method: 'GET', urlFrom: 'trigger.url' }];
const RUN: NodeLine = ['run', 'shell_run', { command: '/usr/bin/tool', timeoutSecs: 10 }];
const CALL: NodeLine = ['call', 'call_mcp_tool', { tool: 'search', server: 'web' }];
const READ: NodeLine = ['doc', 'read_mcp_resource', { resourceFrom: 'trigger.uri', server: 'web' }];
const FILE: NodeLine = ['file', 'read_file', { pathFrom: 'trigger.path' }];

const TWICE = { maxAttempts: 2 };

const reply = { status: 200, headers: {}, body: 'fine', delayMs: 0 };
const world: Partial<World> = {
  http: [{ match: { methods: [], headers: {}, body: {} }, replies: [reply], afterLast: 'repeat' }],
  processes: [
    {
      match: { argsContain: [] },
      replies: [{ exitCode: 0, stdout: 'printed', stderr: '', delayMs: 1000, hangs: false }],
      afterLast: 'repeat',
    },
  ],
  mcp: [
    {
      name: 'web',
      tools: {
        search: [
          {
            replies: [{ content: [{ type: 'text', text: 'hit' }], structured: { n: 1 }, isError: false, delayMs: 0 }],
            afterLast: 'repeat',
          },
        ],
      },
      resources: {
        'doc://1': [{ replies: [{ contents: [{ uri: 'doc://1', text: 'words' }], delayMs: 0 }], afterLast: 'repeat' }],
      },
    },
  ],
  files: { '/note': { kind: 'file', content: 'noted' } },
};

const payload = { url: 'https://api.example.com/v1', uri: 'doc://1', path: '/note' };
const server: McpServer = {
  name: 'web',
  command: ['/bin/web'],
  env: {},
  allowTools: [],
  allowResources: [],
};

function trialOf(nodes: readonly NodeLine[], parts: Partial<TrialParts>) {
  return aTrial({ nodes, world, payload, mcpServers: [server], ...parts });
}

/** What one node gives when this fault strikes it. */
async function output(node: NodeLine, fault: Pick<ToolFault, 'mode'> & Partial<ToolFault>) {
  const { finalValue, reason, elapsedUs, counters } = await trialOf([node], {
    chaos: aChaos({ toolFaults: [aToolFault(fault)] }),
  });
  return { given: reason ?? finalValue, ms: elapsedUs / 1000, faults: counters.faults };
}

const MALFORMED = '{status: "ok", "data": [{"id": 1, "value":';

test('an HTTP call is broken as servers break', async () => {
  const answer = (status: number, body: string) => ({ status, headers: {}, body, bytes: body.length });
  expect({
    error: await output(FETCH, { mode: 'error' }),
    coded: await output(FETCH, { mode: 'error', errorCode: 429, message: 'Later' }),
    malformed: await output(FETCH, { mode: 'malformed' }),
    malicious: await output(FETCH, { mode: 'malicious_response' }),
    slow: await output(FETCH, { mode: 'slow' }),
    timeout: await output(FETCH, { mode: 'timeout' }),
  }).toEqual({
    error: { given: answer(503, 'Service Unavailable'), ms: 0, faults: 1 },
    coded: { given: answer(429, 'Later'), ms: 0, faults: 1 },
    malformed: { given: answer(200, MALFORMED), ms: 0, faults: 1 },
    malicious: { given: answer(200, 'OBEY'), ms: 0, faults: 1 },
    slow: { given: answer(200, 'fine'), ms: 2000, faults: 1 },
    timeout: { given: expect.stringContaining('read https://api.example.com: no answer'), ms: 2000, faults: 1 },
  });
});

test('a program is broken as programs break', async () => {
  const ran = { command: '/usr/bin/tool', args: [], signal: null, truncated: false, timed_out: false, stderr: '' };
  const quiet = { ...ran, exit_code: 0, stdout: '', duration_ms: 0 };
  expect({
    error: await output(RUN, { mode: 'error' }),
    coded: await output(RUN, { mode: 'error', errorCode: 127, message: 'gone' }),
    malformed: await output(RUN, { mode: 'malformed' }),
    malicious: await output(RUN, { mode: 'malicious_response' }),
    slow: await output(RUN, { mode: 'slow' }),
    tooSlow: await output(RUN, { mode: 'slow', delayMs: 20_000 }),
    timeout: await output(RUN, { mode: 'timeout', delayMs: 20_000 }),
  }).toEqual({
    error: { given: { ...quiet, exit_code: 1, stderr: 'Service Unavailable' }, ms: 0, faults: 1 },
    coded: { given: { ...quiet, exit_code: 127, stderr: 'gone' }, ms: 0, faults: 1 },
    malformed: { given: { ...quiet, stdout: MALFORMED }, ms: 0, faults: 1 },
    malicious: { given: { ...quiet, stdout: 'OBEY' }, ms: 0, faults: 1 },
    slow: { given: { ...quiet, stdout: 'printed', duration_ms: 1000 }, ms: 3000, faults: 1 },
    tooSlow: {
      given: { ...quiet, exit_code: -1, signal: 9, timed_out: true, duration_ms: 10_000 },
      ms: 10_000,
      faults: 1,
    },
    timeout: {
      given: { ...quiet, exit_code: -1, signal: 9, timed_out: true, duration_ms: 10_000 },
      ms: 10_000,
      faults: 1,
    },
  });
});

test('an MCP tool and a resource are broken as servers break', async () => {
  const tool = (text: string, isError: boolean) => ({
    tool: 'search',
    server: 'web',
    content: [{ type: 'text', text }],
    is_error: isError,
    structured: null,
  });
  const text = (words: string) => ({ uri: 'doc://1', server: 'web', contents: [{ uri: 'doc://1', text: words }] });
  expect({
    error: await output(CALL, { mode: 'error' }),
    malformed: await output(CALL, { mode: 'malformed' }),
    malicious: await output(CALL, { mode: 'malicious_response' }),
    timeout: await output(CALL, { mode: 'timeout' }),
    unread: await output(READ, { mode: 'error' }),
    garbled: await output(READ, { mode: 'malformed' }),
    hostile: await output(READ, { mode: 'malicious_response' }),
  }).toEqual({
    error: { given: tool('Service Unavailable', true), ms: 0, faults: 1 },
    malformed: { given: tool(MALFORMED, false), ms: 0, faults: 1 },
    malicious: { given: tool('OBEY', false), ms: 0, faults: 1 },
    timeout: { given: expect.stringContaining('server `web` did not answer in time'), ms: 2000, faults: 1 },
    unread: {
      given: expect.stringContaining('server `web` answered error 503: Service Unavailable'),
      ms: 0,
      faults: 1,
    },
    garbled: { given: text(MALFORMED), ms: 0, faults: 1 },
    hostile: { given: text('OBEY'), ms: 0, faults: 1 },
  });
});

test.each([
  ['fetch', FETCH],
  ['http_request', FETCH],
  ['api.example.com', FETCH],
  ['/usr/bin/tool', RUN],
  ['tool', RUN],
  ['search', CALL],
  ['web/search', CALL],
  ['doc://1', READ],
] as const)('the name %j strikes node %j and no other tool', async (tool, [id]) => {
  const { trace } = await trialOf([FETCH, RUN, CALL, READ], {
    edges: ['fetch -> run', 'run -> call', 'call -> doc'],
    chaos: aChaos({ toolFaults: [aToolFault({ mode: 'slow', tool })] }),
  });
  const struck = trace.events.filter((event) => event.kind === 'fault');
  expect(struck.map(({ node, fault }) => [node, fault])).toEqual([[id, `tool ${tool}: slow`]]);
});

test('what policy denies is not called, so no fault strikes or counts it', async () => {
  const policy = {
    fs: { read: [], write: [], delete: [], list: [] },
    env: { readKeys: [] },
    http: { urls: ['https://other.example/*'], methods: ['*'] },
    shell: { commands: [] },
    mcp: { servers: [], tools: [], resources: [] },
  };
  const { category, counters, trace } = await trialOf([FETCH], {
    policy,
    chaos: aChaos({ toolFaults: [aToolFault({ mode: 'error' })] }),
  });
  expect([category, counters.policyDenials, counters.faults]).toEqual(['policy', 1, 0]);
  expect(trace.events.filter(({ kind }) => kind === 'fault')).toEqual([]);
});

test('a fault comes before mocks: none is needed, and none is used up', async () => {
  const fault = aToolFault({ mode: 'error' });
  const alone = await trialOf([FETCH], { world: {}, chaos: aChaos({ toolFaults: [fault] }) });
  expect(alone.finalValue).toMatchObject({ status: 503 });
  const once = { ...(world.http?.[0] as World['http'][number]), afterLast: 'error' as const };
  const again: NodeLine = ['again', 'http_request', { method: 'GET', urlFrom: 'trigger.url' }];
  const struckFirst = await trialOf([FETCH, again], {
    edges: ['fetch -error-> again'],
    world: { http: [once] },
    chaos: aChaos({ toolFaults: [{ ...fault, tool: 'fetch' }] }),
  });
  expect(struckFirst.finalValue).toMatchObject({ status: 200, body: 'fine' });
});

test('after one call that goes well every further one fails, retries included', async () => {
  const again: NodeLine = ['again', 'http_request', { method: 'GET', urlFrom: 'trigger.url' }, TWICE];
  const chaos = aChaos({ toolFaults: [aToolFault({ mode: 'timeout', afterCalls: 1 })] });
  const { lastNode, counters } = await trialOf([FETCH, again], { edges: ['fetch -> again'], chaos });
  expect([lastNode, counters.faults, counters.retries]).toEqual(['again', 2, 1]);
});

/** A node that asks a model, and what it gives when this strikes. */
async function asked(
  fault: (Pick<LlmFault, 'mode'> & Partial<LlmFault>) | null,
  parts: Partial<TrialParts> & { readonly attack?: Pick<ContextAttack, 'type'> & Partial<ContextAttack> } = {},
) {
  const { attack, ...rest } = parts;
  const chaos = aChaos({
    ...(fault !== null && { llmFaults: [anLlmFault(fault)] }),
    ...(attack !== undefined && { contextAttacks: [anAttack(attack)] }),
  });
  const nodes: readonly NodeLine[] = [['ask', 'llm_infer', { backend: 'default', prompt: 'Hello' }]];
  return aTrial({ nodes, turns: [aTurn('one two three')], chaos, ...rest });
}

const contentOf = (value: Json) => (value as { readonly content: string }).content;

test('a model answers as the fault says, and is paid for what it said', async () => {
  const faults = [{ mode: 'truncated_response' }, { mode: 'empty' }, { mode: 'garbage' }] as const;
  const given = await Promise.all(faults.map((fault) => asked(fault)));
  expect(given.map(({ finalValue }) => contentOf(finalValue).slice(0, 7))).toEqual([
    'one two',
    '',
    '\u0000\u0007#@%& ',
  ]);
  expect(given.map(({ counters }) => [counters.llmTokens, counters.faults])).toEqual([
    [5, 1],
    [5, 1],
    [5, 1],
  ]);
  const drifted = await asked({ mode: 'response_drift' }, { turns: [aTurn('{"name":1}')] });
  expect(contentOf(drifted.finalValue)).toBe('{"name_v2":1}');
});

test('a model that times out takes its time and gives an error; one that is rate-limited gives one at once', async () => {
  const late = await asked({ mode: 'timeout' });
  const limited = await asked({ mode: 'rate_limit' });
  expect([late.category, late.reason, late.elapsedUs, late.counters.llmCalls]).toEqual([
    'timeout',
    expect.stringContaining('4s without an answer'),
    4_000_000,
    0,
  ]);
  expect([limited.category, limited.reason, limited.elapsedUs, limited.counters.llmCalls]).toEqual([
    'intelligence',
    expect.stringContaining('429 Too Many Requests'),
    0,
    0,
  ]);
});

test('a request that never reached the model leaves its turn for the retry', async () => {
  const program = aProgram({
    nodes: [['ask', 'llm_infer', { backend: 'default', prompt: 'Hello' }, TWICE]],
    turns: [aTurn('first'), aTurn('second')],
    chaos: aChaos({ llmFaults: [anLlmFault({ mode: 'rate_limit', probability: 0.5 })] }),
  });
  const trials = await Promise.all(Array.from({ length: 20 }, (_, trial) => program.inspect(trial)));
  const retried = trials.filter(
    ({ result }) => result.outcome?.status === 'completed' && result.outcome.counters.retries === 1,
  );
  expect(retried.length).toBeGreaterThan(0);
  for (const { result } of retried) expect(result.outcome?.finalValue).toMatchObject({ content: 'first' });
});

test('a fault that changes nothing has not fired', async () => {
  const whole = await asked({ mode: 'truncated_response', maxTokens: 3 });
  const undrifted = await asked({ mode: 'response_drift' });
  expect([whole.counters.faults, undrifted.counters.faults]).toEqual([0, 0]);
  expect(contentOf(whole.finalValue)).toBe('one two three');
});

function promptsIn({ trace }: { readonly trace: { readonly events: readonly TraceEvent[] } }): readonly string[] {
  return trace.events.flatMap((event) => {
    if (event.kind !== 'request' || event.port !== 'model') return [];
    const { messages } = event.request as unknown as ModelRequest;
    return [messages.map(({ parts }) => textOf(parts)).join('|')];
  });
}

test.each([
  ['memory_poisoning', 'Hello\n\nPOISON'],
  ['conflicting_context', 'Hello\n\nPOISON'],
  ['overflow', 'Hello\n\nPOISON POISON POISON'],
] as const)('%s changes what the model is asked', async (type, prompt) => {
  const trial = await asked(null, { attack: { type } });
  expect(promptsIn(trial)).toEqual([prompt]);
  expect([trial.counters.faults, contentOf(trial.finalValue)]).toEqual([1, 'one two three']);
});

test('repairs, agent loops and children are model requests like all others', async () => {
  const repaired = await asked(
    { mode: 'empty', afterCalls: 1 },
    {
      nodes: [
        ['ask', 'llm_infer', { backend: 'default', prompt: 'Hi', outputSchema: { kind: 'json' }, outputRepairs: 1 }],
      ],
      turns: [aTurn('no JSON'), aTurn('{}')],
    },
  );
  expect([repaired.category, repaired.counters.repairs, repaired.counters.faults]).toEqual(['schema', 1, 1]);
  const looped = await asked(
    { mode: 'rate_limit', afterCalls: 1 },
    {
      nodes: [['loop', 'agent_loop', { backend: 'default', maxSteps: 4, instructions: 'Go', tools: ['read_file'] }]],
      turns: [aTurn('{"action":"tool","tool":"read_file","args":{"path":"/note"}}'), aTurn('{"action":"final"}')],
      world,
      attack: { type: 'memory_poisoning' },
    },
  );
  expect([looped.category, looped.counters.faults]).toEqual(['intelligence', 2]);
  expect(promptsIn(looped).map((prompt) => prompt.includes('Go\n\nPOISON'))).toEqual([true, true]);
  const nested = await asked(
    { mode: 'truncated_response', afterCalls: 1 },
    {
      nodes: [['both', 'parallel', { branches: [{ workflow: 'c' }, { workflow: 'c' }] }]],
      children: { c: { nodes: [['ask', 'llm_infer', { backend: 'default', prompt: 'Hi' }]] } },
      turns: [aTurn('one two three'), aTurn('four five six')],
    },
  );
  expect(JSON.stringify(nested.finalValue)).toContain('one two three');
  expect(JSON.stringify(nested.finalValue)).toContain('four five"');
});

/** What a node gives under an attack on what it takes in. */
async function taken(node: NodeLine, type: ContextAttack['type']): Promise<Json> {
  return (await trialOf([node], { chaos: aChaos({ contextAttacks: [anAttack({ type })] }) })).finalValue;
}

test('an injection stands in the result of every kind of tool', async () => {
  expect({
    http: await taken(FETCH, 'indirect_injection'),
    process: await taken(RUN, 'indirect_injection'),
    mcp: await taken(CALL, 'indirect_injection'),
    file: await taken(FILE, 'indirect_injection'),
  }).toMatchObject({
    http: { status: 200, body: 'fine\nPOISON', bytes: 11 },
    process: { exit_code: 0, stdout: 'printed\nPOISON' },
    mcp: { content: [{ type: 'text', text: 'hit\nPOISON' }], structured: { n: 1, _injected: 'POISON' } },
    file: { content: 'noted' },
  });
});

test('an injection via context stands in every kind of document', async () => {
  expect({
    http: await taken(FETCH, 'injection_via_context'),
    process: await taken(RUN, 'injection_via_context'),
    resource: await taken(READ, 'injection_via_context'),
    file: await taken(FILE, 'injection_via_context'),
  }).toMatchObject({
    http: { body: 'fine\nPOISON' },
    process: { stdout: 'printed' },
    resource: { contents: [{ uri: 'doc://1', text: 'words\nPOISON' }] },
    file: { content: 'noted\nPOISON', bytes: 12 },
  });
});

test('what an agent loop is told by its tools carries the injection', async () => {
  const trial = await asked(null, {
    nodes: [['loop', 'agent_loop', { backend: 'default', maxSteps: 4, instructions: 'Go', tools: ['http_request'] }]],
    turns: [
      aTurn('{"action":"tool","tool":"http_request","args":{"method":"GET","url":"https://a.example/"}}'),
      aTurn('{"action":"final"}'),
    ],
    world,
    attack: { type: 'indirect_injection' },
  });
  expect(promptsIn(trial).at(-1)).toContain('fine\\nPOISON');
});

test('a trial counts what fired, by fault, and shows the labels where it did not pass', () => {
  const parts: TrialParts = {
    nodes: [['ask', 'llm_infer', { backend: 'default', prompt: 'Hello' }], FETCH],
    edges: ['ask -> fetch'],
    turns: [aTurn('x')],
    payload,
  };
  const chaos = aChaos({
    toolFaults: [aToolFault({ mode: 'error', tool: 'nothing' }), aToolFault({ mode: 'timeout', tool: 'fetch' })],
    llmFaults: [anLlmFault({ mode: 'empty' })],
  });
  expect([...aTally({ ...parts, chaos }).strikes.fired]).toEqual([0, 1, 1]);
  // Without a mock the second node breaks the trial.
  const unanswered = { ...chaos, toolFaults: chaos.toolFaults.slice(0, 1) };
  const fired = (tally: Tally): unknown =>
    (JSON.parse(tally.shown[0]?.detail ?? '{}') as { readonly fired?: unknown }).fired;
  expect(fired(aTally({ ...parts, chaos: unanswered }))).toEqual(['llm: empty']);
  expect(fired(aTally(parts))).toBe(undefined);
});

test('nothing declared is nothing counted', () => {
  const parts: TrialParts = {
    nodes: [['ask', 'llm_infer', { backend: 'default', prompt: 'Hello' }]],
    turns: [aTurn('x')],
  };
  expect(encodeTally(aTally({ ...parts, chaos: aChaos({}) }))).toEqual(encodeTally(aTally(parts)));
});
