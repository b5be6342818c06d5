import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../src/types/json.ts';
import type { Expected } from '../../src/types/scenarios/expected.ts';
import type { StoppedBy, SubjectStatus } from '../../src/types/trial.ts';
import { aView, checksOf, NODES, type ViewParts } from './builders.ts';

/** One expectation of every kind, several of some. */
const everything: Partial<Expected> = {
  files: { exist: ['a'], absent: ['b'], contain: { a: 'x' } },
  prompts: [{ node: 'route', contains: 'x' }, { notContains: 'x' }, { node: 'route', contains: 'y' }],
  respond: { status: 200, body: 'x' },
  values: [
    { node: 'route', path: 'a', test: { kind: 'equals', value: { x: [1] } } },
    { node: 'route', path: 'a', test: { kind: 'equals', value: 1 } },
    { test: { kind: 'contains', text: 'x' } },
    { test: { kind: 'matches', pattern: '^x+$' } },
    { node: 'start', test: { kind: 'exists', exists: true } },
    { test: { kind: 'schema', schema: { type: 'string' } } },
  ],
  min: { policyDenials: 1, llmCalls: 1, llmTokens: 2 },
  max: { llmTokens: 2, llmCalls: 2, policyDenials: 2 },
  branches: [{ node: 'route', branch: 'x' }],
  forbiddenNodes: ['done beta', 'start'],
  erroredNode: 'route',
  stoppedBy: 'error',
  path: ['start', 'route'],
  pathExact: true,
  reasonContains: 'x',
  lastNode: 'route',
  status: 'errored',
};

test('an empty table compiles to no check', () => {
  expect(checksOf({})).toEqual([]);
});

test('checks stand in a fixed order, the reference’s first, and equal names are numbered', () => {
  expect(checksOf(everything).map((check) => check.name)).toEqual([
    'status',
    'last_node',
    'reason_contains',
    'path',
    'max_llm_calls',
    'max_total_tokens',
    'min_policy_denials',
    'stopped_by',
    'errored_node',
    'forbidden_nodes "done beta"',
    'forbidden_nodes start',
    'branches route: x',
    'min_llm_calls',
    'min_total_tokens',
    'max_policy_denials',
    'value route.a equals',
    'value route.a equals #2',
    'final_value contains',
    'final_value matches',
    'value start exists',
    'final_value schema',
    'respond status',
    'respond body',
    'prompts route',
    'prompts',
    'prompts route #2',
    'files exist a',
    'files absent b',
    'files contain a',
  ]);
});

test('names are unique whatever the file says', () => {
  const word = fc.constantFrom('a', 'a #2', 'a #3', 'b');
  const entry = fc.record({ node: word, branch: word });
  fc.assert(
    fc.property(fc.array(entry), fc.array(word), (branches, exist) => {
      const names = checksOf({ branches, files: { exist, absent: exist, contain: {} } }).map((check) => check.name);
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});

const word = fc.constantFrom('', 'x', 'xx', 'y');
const small = fc.nat(3);
const someJson = fc.oneof(
  word,
  small,
  fc.constantFrom<Json>(null, { a: 1 }, { a: { x: [1] } }, ['x'], { a: { x: [2] } }),
);

const anyView: fc.Arbitrary<ViewParts> = fc.record(
  {
    status: fc.constantFrom<SubjectStatus>('completed', 'failed', 'timed_out', 'paused', 'errored'),
    stoppedBy: fc.constantFrom<StoppedBy>('leaf', 'error'),
    erroredNode: fc.constantFrom(...NODES),
    reason: fc.option(word),
    path: fc.array(fc.constantFrom(...NODES), { maxLength: 4 }),
    finalValue: someJson,
    response: fc.option(fc.record({ status: fc.constantFrom(200, 500), contentType: word, body: word })),
    counters: fc.record({ llmCalls: small, llmTokens: small, policyDenials: small }),
    outputs: fc.record({ route: someJson, start: someJson }, { requiredKeys: [] }),
    branches: fc.subarray(['route: x', 'route: y']),
    prompts: fc.array(fc.record({ node: fc.constantFrom<string>(...NODES), text: word }), { maxLength: 4 }),
    files: fc.dictionary(fc.constantFrom('a', 'b'), fc.option(word)),
  },
  { requiredKeys: [] },
);

test('the fast answer and the finding agree for every check on any trial', () => {
  const checks = checksOf(everything);
  const seen = new Map<string, Set<boolean>>();
  fc.assert(
    fc.property(anyView, (parts) => {
      const view = aView(parts);
      for (const check of checks) {
        const holds = check.holds(view);
        const finding = check.explain(view);
        expect([finding.check, finding.verdict]).toEqual([check.name, holds ? 'pass' : 'fail']);
        expect(finding.message.startsWith(`${check.name}: `)).toBe(true);
        seen.set(check.name, (seen.get(check.name) ?? new Set()).add(holds));
      }
    }),
    { numRuns: 500, seed: 1 },
  );
  // The law would be empty for a check that never failed or never passed.
  expect(checks.filter((check) => seen.get(check.name)?.size !== 2).map((check) => check.name)).toEqual([]);
});

test('an answer depends on the trial alone, not on those judged before', () => {
  fc.assert(
    fc.property(fc.array(anyView, { minLength: 1, maxLength: 6 }), (trials) => {
      const used = checksOf(everything);
      for (const parts of trials) {
        const view = aView(parts);
        const fresh = checksOf(everything).map((check) => check.holds(view));
        expect(used.map((check) => check.holds(view))).toEqual(fresh);
      }
    }),
  );
});

test('status, path and bounds judge by what is expected, and path by positions among the nodes of the workflow', () => {
  const ids = [
    ['start', 'route', 'done'],
    ['route', 'start', 'done'],
  ];
  const asked = fc.record({
    nodeIds: fc.constantFrom(...ids),
    status: fc.constantFrom('completed', 'failed', 'errored', 'paused', 'timed_out', 'nothing'),
    path: fc.array(fc.constantFrom('start', 'route', 'done', 'ghost'), { minLength: 1, maxLength: 2 }),
    pathExact: fc.boolean(),
    most: fc.constantFrom(-0, 0, 1, 2, 15, 16, 1.5, 1e9),
    least: fc.constantFrom(0, 1, 2, 16),
    counter: fc.constantFrom('llmCalls', 'retries', 'llmTokens'),
  });
  fc.assert(
    fc.property(fc.array(asked, { minLength: 2, maxLength: 12 }), (all) => {
      for (const { nodeIds, status, path, pathExact, most, least, counter } of all) {
        const expected = { status, path, pathExact, max: { [counter]: most }, min: { [counter]: least } };
        const checks = checksOf(expected, { nodeIds });
        const found = Object.fromEntries(checks.map((check) => [check.name, check]));
        const word = { llmCalls: 'llm_calls', retries: 'retries', llmTokens: 'total_tokens' }[counter];
        const names = ['status', 'path', `max_${word}`, `min_${word}`];
        expect(checks.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
        const view = aView({ counters: { [counter]: 2 } });
        const told = names.map((name) => found[name]?.explain(view));
        expect(told.map((finding) => finding?.expected)).toEqual([status, path, most, least]);
        expect(names.map((name) => found[name]?.holds(view))).toEqual(told.map((one) => one?.verdict === 'pass'));
        const positions = Int32Array.from(path, (id) => (nodeIds.includes(id) ? nodeIds.indexOf(id) : -2));
        expect(names.map((name) => found[name]?.plain)).toEqual([
          null,
          { kind: 'path', positions, isExact: pathExact },
          { kind: 'bound', counter, least: Number.NEGATIVE_INFINITY, most },
          { kind: 'bound', counter, least, most: Number.POSITIVE_INFINITY },
        ]);
      }
    }),
  );
});
