import { expect, test } from 'vitest';
import { brokenAnswer, valueAnswer } from '../../src/effects/answers.ts';
import { createWorld } from '../../src/effects/create-world.ts';
import type { Effect, Effects } from '../../src/effects/effect.ts';
import type { WorldRequest } from '../../src/effects/trial-world.ts';
import { createCannedModel } from '../../src/intelligence/canned-model.ts';
import type { Address, HttpRequest, Request } from '../../src/plugin/request.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { prepareRun } from '../../src/suite/run-suite.ts';
import { LivePorts } from '../../src/trial/live-ports.ts';
import { aRouter } from '../suite/scenarios.ts';
import { createPolicy } from '../../src/policy/create-policy.ts';
import { RealWorld } from '../../src/trial/real-world.ts';
import { Tally } from '../../src/trial/tally/tally.ts';
import { TrialPorts } from '../../src/trial/trial-ports.ts';
import type { Policy } from '../../src/types/policy.ts';
import type { World } from '../../src/types/scenarios/world.ts';
import { asWorkflow } from '../support/as-workflow.ts';

const AT: Address = { trial: 7, walk: '', node: 'n', visit: 1, attempt: 1, call: 0, fromModel: false };
const GET: HttpRequest = { port: 'http', method: 'GET', url: 'http://a.test/x', headers: {}, body: null };
const NOTHING: World = { env: {}, files: {}, http: [], processes: [], mcp: [], approvals: {} };
const CLOSED: Policy = {
  fs: { read: [], write: [], delete: [], list: [] },
  env: { readKeys: [] },
  http: { urls: ['http://b.test/*'], methods: ['GET'] },
  shell: { commands: [] },
  mcp: { servers: [], tools: [], resources: [] },
};
const MOCK = {
  match: { methods: ['GET'], url: 'http://a.test/x', headers: {}, body: {} },
  replies: [{ status: 200, headers: {}, body: 'mocked', delayMs: 0 }],
  afterLast: 'repeat',
  times: null,
} as const;

/** No model of it is asked outside of turns. */
const { plan } = await prepareRun(resolveRunOptions({ scenarios: [aRouter()] }));

/** A granted effect that notes what it is asked for. */
function anEffect(port: string, seen: string[], refusal: string | null = null): Effect<WorldRequest> {
  return {
    refusal: () => refusal,
    perform: async (request, { trial }) => {
      seen.push(`${port} ${request.port} in trial ${trial}`);
      return valueAnswer('real', 'effect');
    },
    close: async () => undefined,
  };
}

function thePorts({
  policy = null,
  world = {},
  effects = {},
}: {
  readonly policy?: Policy | null;
  readonly world?: Partial<World>;
  readonly effects?: Partial<Effects>;
}): TrialPorts {
  const router = asWorkflow(plan.scenarios[0]);
  const gate = createPolicy(policy, { mcpServers: [] });
  const opened = createWorld({ ...NOTHING, ...world }, { mcpServers: ['s'] }).open();
  const ungranted = { http: null, process: null, mcp: null, env: null, file: null, close: async () => undefined };
  const ports = new TrialPorts({
    policy: gate,
    model: createCannedModel({
      turns: [],
      sampler: 'seeded',
      words: [0, 0, 0, 0],
      faults: new Map(),
      intelErrorOnCall: null,
    }),
    world: opened,
    realWorld: new RealWorld({ effects: { ...ungranted, ...effects }, world: opened, policy: gate, scenario: 'shop' }),
    callHost: null,
    hostTimeoutMs: 1000,
    live: new LivePorts(router, null),
  });
  ports.begin(7, new Tally({ nodes: 0, edges: 0, checks: 0, variants: [], faults: 0, columns: '' }));
  return ports;
}

async function told(ports: TrialPorts, request: Request): Promise<string> {
  const { reply, source } = await ports.ask(request, AT);
  if (reply.kind === 'value') return `${source}: ${JSON.stringify(reply.value)}`;
  return reply.kind === 'error' || reply.kind === 'broken' ? `${source}: ${reply.kind}: ${reply.message}` : source;
}

test('what no mock answers goes to the granted effect', async () => {
  const seen: string[] = [];
  expect(await told(thePorts({ effects: { http: anEffect('http', seen) } }), GET)).toBe('effect: "real"');
  expect(seen).toEqual(['http http in trial 7']);
});

test('a denied request never reaches an effect', async () => {
  const seen: string[] = [];
  const file = { ...anEffect('file', seen), covers: () => true, resolve: (path: string) => path, look: () => null };
  const effects = {
    http: anEffect('http', seen),
    process: anEffect('process', seen),
    mcp: { ...anEffect('mcp', seen), listTools: () => Promise.resolve(brokenAnswer('nobody lists')) },
    env: anEffect('env', seen),
    file,
  };
  const ports = thePorts({ policy: CLOSED, effects });
  const requests: readonly Request[] = [
    GET,
    { port: 'process', command: '/bin/true', args: [], timeoutMs: 1000 },
    { port: 'mcp', op: 'tool', server: 's', target: 't', args: null },
    { port: 'env', key: 'HOME' },
    { port: 'file', op: 'read', as: 'read_file', path: '/etc/hostname' },
  ];
  const replies = await Promise.all(requests.map(async (request) => (await ports.ask(request, AT)).reply));
  expect(replies.map((reply) => reply.kind === 'error' && reply.denied)).toEqual([true, true, true, true, true]);
  expect(seen).toEqual([]);
});

test('an invalid request never reaches an effect', async () => {
  const seen: string[] = [];
  const ports = thePorts({ effects: { http: anEffect('http', seen) } });
  expect(await told(ports, { ...GET, invalid: 'no body' })).toBe('none: error: no body');
  expect(seen).toEqual([]);
});

test('a mock wins over a grant', async () => {
  const seen: string[] = [];
  const ports = thePorts({ world: { http: [MOCK] }, effects: { http: anEffect('http', seen) } });
  expect(await told(ports, GET)).toBe('mock: {"status":200,"headers":{},"body":"mocked","bytes":6}');
  expect(await told(ports, { ...GET, url: 'http://a.test/y' })).toBe('effect: "real"');
});

test('a declared variable wins over a grant, and one that is not granted reads as unset', async () => {
  const seen: string[] = [];
  const declared = thePorts({ world: { env: { A: 'declared' } }, effects: { env: anEffect('env', seen) } });
  expect(await told(declared, { port: 'env', key: 'A' })).toBe('memory: {"key":"A","value":"declared"}');
  expect(await told(declared, { port: 'env', key: 'B' })).toBe('effect: "real"');
  const refused = thePorts({ effects: { env: anEffect('env', seen, 'needs --allow-env=B') } });
  expect(await told(refused, { port: 'env', key: 'B' })).toBe('memory: {"key":"B","value":null,"missing":true}');
});

test('a file that is declared or that the trial wrote to memory wins over the disk', async () => {
  const seen: string[] = [];
  const covers = (path: string, op: string): boolean => op === 'read' && path.startsWith('/data');
  const file = { ...anEffect('file', seen), covers, resolve: (path: string) => path, look: () => null };
  const ports = thePorts({ world: { files: { '/data/a': { kind: 'file', content: 'x' } } }, effects: { file } });
  const read = (path: string): Request => ({ port: 'file', op: 'read', as: 'read_file', path });
  const written = { port: 'file', op: 'write', as: 'write_file', path: '/data/b', content: 'y' } as const;
  expect(await told(ports, read('/data/a'))).toBe('memory: {"path":"/data/a","content":"x","bytes":1}');
  expect(await told(ports, read('/data/b'))).toBe('effect: "real"');
  expect((await ports.ask(written, AT)).source).toBe('memory');
  expect(await told(ports, read('/data/b'))).toBe('memory: {"path":"/data/b","content":"y","bytes":1}');
});

test('policy judges a granted file by where it leads on the disk', async () => {
  const seen: string[] = [];
  const file = { ...anEffect('file', seen), covers: () => true, resolve: () => '/etc/shadow', look: () => null };
  const policy = { ...CLOSED, fs: { ...CLOSED.fs, read: ['/data/*'] } };
  const ports = thePorts({ policy, effects: { file } });
  const { reply } = await ports.ask({ port: 'file', op: 'read', as: 'read_file', path: '/data/link' }, AT);
  expect(reply).toMatchObject({ kind: 'error', denied: true });
  expect(seen).toEqual([]);
});

test('a port that is granted but not for this request breaks the trial and names the flag', async () => {
  const seen: string[] = [];
  const ports = thePorts({
    effects: { http: anEffect('http', seen, 'A request to a.test needs --allow-net=a.test.') },
  });
  expect(await told(ports, GET)).toBe('none: broken: A request to a.test needs --allow-net=a.test.');
  expect(seen).toEqual([]);
});

test('an effect is told when the trial is over or the run stops', async () => {
  const signals: AbortSignal[] = [];
  const http: Effect<WorldRequest> = {
    ...anEffect('http', []),
    perform: (_, { signal }) => {
      signals.push(signal);
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(valueAnswer('ended', 'effect')));
      });
    },
  };
  const [late, stop] = [new AbortController(), new AbortController()];
  const ports = thePorts({ effects: { http } });
  const overdue = ports.ask(GET, AT, late.signal);
  late.abort();
  expect(await overdue).toMatchObject({ reply: { value: 'ended' } });
  ports.begin(8, new Tally({ nodes: 0, edges: 0, checks: 0, variants: [], faults: 0, columns: '' }), stop.signal);
  const stopped = ports.ask(GET, AT, new AbortController().signal);
  stop.abort();
  expect(await stopped).toMatchObject({ reply: { value: 'ended' } });
});
