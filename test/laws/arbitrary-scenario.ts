import fc from 'fast-check';
import type { Json } from '../../src/types/json.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import type { WorkflowScenario } from '../../src/types/scenario.ts';
import type { Expected } from '../../src/types/scenarios/expected.ts';
import type { Budget, Workflow } from '../../src/types/workflow.ts';
import { arbitraryPolicy, arbitraryServers, arbitraryTurns, arbitraryWorld } from './arbitrary-world.ts';
import { rarely } from './arbitrary-nodes.ts';
import { arbitraryWorkflow, growWorkflow } from './arbitrary-workflow.ts';
import { anExpected } from '../checks/builders.ts';
import { SYNC } from '../trial/some-traits.ts';

const aWord = fc.nat(0xffffffff);
const anyHttp = { methods: [], headers: {}, body: {} };

/** Any valid scenario, ready to be compiled: most of its trials get somewhere, by every way there is to end. */
export const arbitraryPlan: fc.Arbitrary<WorkflowPlan> = fc
  .record({
    workflow: arbitraryWorkflow(7),
    children: fc.array(fc.record({ workflow: arbitraryWorkflow(4), recurses: fc.boolean() }), {
      maxLength: 3,
      size: 'max',
    }),
    servers: arbitraryServers,
    childServers: rarely(arbitraryServers, undefined, 4),
    world: arbitraryWorld,
    policy: arbitraryPolicy,
    turns: arbitraryTurns(),
    payload: arbitraryPayload(),
    kind: fc.constantFrom('manual', 'http', 'event', 'cron', 'fs_watch'),
    start: fc.constantFrom('main', 'main', 'main', 'other'),
    // Some are exactly as long as a delay or a back-off: a limit is reached when its time has come.
    timeoutMs: fc.constantFrom(1, 40, 100, 700, 900, 2500, 3000, 5000, 30_000, 30_000, 30_000, 30_000, 120_000),
    budget: rarely(arbitraryBudget(), undefined, 4),
    intelErrorOnCall: rarely(fc.constantFrom(0, 1, 2, 3), null, 5),
    expected: arbitraryExpected(),
    sampler: fc.constantFrom('seeded', 'reference'),
    words: fc.tuple(aWord, aWord, aWord, aWord),
  })
  .map((drawn): WorkflowPlan => {
    const keys = drawn.children.map((_, at) => `child${at}.toml`);
    // A child runs those after it and, if it may, itself: anything else could grow without bound.
    const children = drawn.children.map(({ workflow, recurses }, at): [string, Workflow] => [
      `child${at}.toml`,
      growWorkflow(workflow, {
        name: `child ${at}`,
        children: keys.slice(at + 1),
        self: recurses ? `child${at}.toml` : null,
        servers: drawn.childServers ?? drawn.servers,
      }),
    ]);
    const top = growWorkflow(drawn.workflow, { name: 'top', children: keys, self: null, servers: drawn.servers });
    const scenario: WorkflowScenario = {
      name: 'law',
      file: '<memory>',
      capabilities: [],
      tags: [],
      trials: 8,
      minPassRate: null,
      timeoutMs: drawn.timeoutMs,
      seed: null,
      sampler: null,
      subject: {
        kind: 'workflow',
        workflow: drawn.budget === undefined ? top : { ...top, budget: drawn.budget },
        children: Object.fromEntries(children),
        trigger: { kind: drawn.kind, start: drawn.start, payload: drawn.payload },
        turns: drawn.turns,
        policy: drawn.policy,
        world: drawn.world,
      },
      faults: { intelErrorOnCall: drawn.intelErrorOnCall },
      expected: drawn.expected,
    };
    return {
      index: 0,
      scenario,
      sampler: drawn.sampler,
      words: drawn.words,
      trials: 8,
      traits: SYNC,
      userCode: false,
      schemas: true,
      liveModels: [],
      liveNodes: [],
      blockSize: 4096,
    };
  });

/** Mostly an object with what nodes look for. */
function arbitraryPayload(): fc.Arbitrary<Json> {
  const usual = fc.record({
    file: fc.constantFrom(
      ...Array.from({ length: 6 }, () => '/data/a.txt'),
      '/data/../data/b.txt',
      '/data/link',
      '/data/gone',
      '/secret/key',
    ),
    out: fc.constantFrom('/tmp/out/x', '/data/new', '/data'),
    dir: fc.constantFrom('/tmp/made', '/tmp/made', '/tmp/made', '/data/a.txt/sub'),
    url: fc.constantFrom(
      ...Array.from({ length: 8 }, () => 'https://a.test/x'),
      'https://b.test/x',
      'https://c.test/',
      'no url',
    ),
    json: fc.constantFrom(
      '{"label":"a","file":"/data/a.txt"}',
      '{"label":"a"}',
      '{"label":"b"}',
      '[1]',
      '7',
      '{"label":1234567890123456789,"file":[-9007199254740993]}',
      '{broken',
    ),
    uri: fc.constantFrom('res://a', 'res://a', 'res://a', 'res://a', 'res://gone'),
    word: fc.constantFrom('a', 'b', 'zzz', ''),
    items: fc.constantFrom<Json>(
      ['a', 'b'],
      [
        { word: 'a', file: '/data/b.txt', items: [1] },
        { word: 'b', file: '/data/a.txt' },
      ],
      [1, [2], null],
    ),
    args: fc.constantFrom<Json>([], ['x'], ['x'], ['x', 1]),
    object: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
    seven: fc.constantFrom<Json>(7, true, null, 0.5, 9_007_199_254_740_993n),
    flag: fc.boolean(),
    zero: fc.constantFrom<Json>(0, -0, 1),
    empty: fc.constantFrom<Json>([], [], [], {}),
  }) as fc.Arbitrary<Json>;
  return fc.oneof(
    { weight: 40, arbitrary: usual },
    { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<Json> },
    { weight: 1, arbitrary: fc.constantFrom<Json>(null, 'text', [1, 2], { kind: 'own', word: 'b', items: [] }) },
  );
}

function arbitraryBudget(): fc.Arbitrary<Budget> {
  return fc.constantFrom(
    { maxLlmTokens: 0 },
    { maxLlmTokens: 10 },
    { maxLlmTokens: 10 },
    { maxLlmTokens: 25 },
    { maxFsWriteMb: 0 },
    { maxFsWriteMb: 1 },
  );
}

/** Some expectations that hold for some trials: classes of failure are part of what must agree. */
function arbitraryExpected(): fc.Arbitrary<Expected> {
  const nothing = anExpected({});
  return fc
    .subarray<Partial<Expected>>([
      { status: 'completed' },
      { lastNode: 'n1', erroredNode: 'n1' },
      { path: ['n0', 'n1'], forbiddenNodes: ['n3'] },
      { max: { nodeExecutions: 3, llmTokens: 10 }, min: { policyDenials: 1 } },
      { branches: [{ node: 'n1', branch: 'true' }] },
      { prompts: [{ contains: 'say' }] },
      { files: { exist: ['/tmp/x'], absent: ['/data/new'], contain: {} } },
      { values: [{ node: 'n0', test: { kind: 'exists', exists: true } }] },
      { respond: { status: 201 } },
      { respond: 'none', reasonMatches: 'limit|failed' },
      { requests: [{ port: 'http', match: anyHttp, count: { atLeast: 0, atMost: 1 } }] },
      { requests: [{ port: 'process', match: { argsContain: ['x'] }, count: { atLeast: 1, atMost: null } }] },
      {
        sequence: [
          { port: 'mcp', match: { tool: 'find' } },
          { port: 'http', match: anyHttp },
        ],
      },
      { denials: [{ contains: 'url', count: { atLeast: 0, atMost: 0 } }] },
    ])
    .map((parts) => Object.assign({}, nothing, ...parts) as Expected);
}
