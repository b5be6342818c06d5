import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askRules } from '../../src/scenario/check-run.ts';
import { checkKeys } from '../../src/scenario/check-keys.ts';
import { checkTurns } from '../../src/scenario/check-turns.ts';
import { readWorkflow } from '../../src/scenario/load-workflow.ts';
import { memoryDocument } from '../../src/scenario/memory-document.ts';
import { readWorld } from '../../src/scenario/read-world.ts';
import type { RegistryView } from '../../src/scenario/registry-view.ts';
import { scenarioSchema } from '../../src/scenario/scenario-schema.ts';
import { areKeysSound, areTurnsSound } from '../../src/scenario/sound-keys.ts';
import { isRunSound } from '../../src/scenario/sound-run.ts';
import { fitsSchema } from '../../src/source/fits-schema.ts';
import { registryView } from '../../src/suite/registry-view.ts';
import { resolveLoadOptions } from '../../src/suite/options.ts';
import { builtinRegistry } from '../../src/trial/registry.ts';
import type { Json, JsonObject } from '../../src/types/json.ts';
import { reports } from '../../src/workflow/report.ts';
import { readPolicy } from '../../src/workflow/read-policy.ts';
import { mostly, workflowTables } from '../workflow/arbitrary-document.ts';

const id = mostly(fc.constant('a'), fc.constantFrom('b', 'c', 'd', 'e'), 3);

const EXPECTED: fc.Arbitrary<JsonObject> = mostly<JsonObject>(
  fc.record(
    {
      status: fc.constant('completed'),
      path: fc.constantFrom<Json>(['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'c'], ['b'], [], ['e']),
      forbidden_nodes: fc.array(id, { maxLength: 2 }),
      last_node: id,
      max_llm_calls: fc.constantFrom(0, 2),
      min_llm_calls: fc.constantFrom(0, 1, 3),
      max_total_tokens: fc.constant(9),
    },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      errored_node: id,
      path_exact: fc.boolean(),
      branches: fc.constantFrom<Json>({ a: 'x' }, { e: 'x' }, {}),
      final: fc.constantFrom<Json>({}, { equals: 1 }, { equals_json: '{' }, { matches: '(' }),
      values: fc.constantFrom<Json>([{ node: 'a', exists: true }], [{ node: 'e', exists: true }], [{}]),
      prompts: fc.constantFrom<Json>([{ node: 'e', contains: 'x' }], [{ node: 'a' }]),
      http: fc.constantFrom<Json>([{ node: 'e', url: 'http://a/' }], [{ count: 1, at_least: 2 }]),
      reason_matches: fc.constantFrom('x', '('),
      stopped_by: fc.constant('dead_end'),
    },
    { requiredKeys: [] },
  ),
  2,
);

const TURN: fc.Arbitrary<Json> = fc.record(
  {
    content: fc.constant('x'),
    node: mostly(id, fc.constant('e')),
    id: fc.constantFrom('t', 'u'),
    repeat: fc.boolean(),
    fault: fc.constantFrom<Json>('refusal', 'none', { type: 'delay' }),
    variants: fc.constantFrom<Json>([{ content: 'y' }], [], [{ content: 'z', fault: 'none' }]),
  },
  { requiredKeys: [] },
);
const plainTurn: fc.Arbitrary<Json> = fc.constantFrom<Json>({ content: 'x' }, { variants: [{ content: 'y' }] });

const DATA: fc.Arbitrary<JsonObject> = fc
  .tuple(
    mostly(fc.tuple(plainTurn), mostly(fc.array(plainTurn, { maxLength: 2 }), fc.array(TURN, { maxLength: 3 }), 1), 3),
    EXPECTED,
    mostly(
      fc.constant<JsonObject>({}),
      fc.record<JsonObject>(
        {
          world: fc.constantFrom<Json>(
            {},
            { env: {} },
            { approvals: { a: 'resume' } },
            { http: [{ method: 'GET', url: 'http://a/' }] },
            { http: [{ method: 'GET', url: 'nonsense' }] },
            { processes: [{ command: '/bin/x' }] },
          ),
          policy: fc.constantFrom<Json>({}, { http: { urls: ['nonsense'] } }, { rego: { inline: 'x' } }),
          trigger: fc.constantFrom<Json>({ start: 'other' }, { start: 'main' }, { kind: 'cron' }, { kind: 'http' }),
          faults: fc.constantFrom<Json>({ intel_error_on_call: 0 }, { intel_error_on_call: 1 }),
          capabilities: fc.constantFrom<Json>(['llm_infer'], ['nothing']),
          timeout_secs: fc.constant(1),
          timeout_ms: fc.constant(1),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonObject>,
      2,
    ),
    mostly<Json>(fc.constant({ inline: 'x' }), fc.constantFrom<Json>({}, { path: 'x' }, { inline: 'x', path: 'y' })),
  )
  .map(([turns, expected, more, workflow]) => ({ name: 's', workflow, intel: { turns }, expected, ...more }));

const view = registryView(builtinRegistry, [], resolveLoadOptions({}));

test('of keys and turns that are called sound no rule has anything to say', () => {
  const sound = { keys: 0, turns: 0 };
  fc.assert(
    fc.property(DATA, (data) => {
      const { document } = memoryDocument(data, 's');
      if (areKeysSound(data)) {
        sound.keys++;
        expect(reports((report) => checkKeys(data, view, report))).toBe(false);
      }
      if (areTurnsSound(data)) {
        sound.turns++;
        expect(checkTurns(document, view)).toEqual([]);
      }
    }),
    { numRuns: 4000 },
  );
  expect(Math.min(sound.keys, sound.turns)).toBeGreaterThan(200);
});

/** A view in which nodes are checked, ports granted or models asked live, as runs may have it. */
const VIEWS: readonly RegistryView[] = [
  view,
  { ...view, checkNode: (node) => (node.id === 'b' ? [{ code: 'x', severity: 'error', message: 'm' }] : []) },
  { ...view, granted: new Set(['http']), grantsEnv: () => true },
  registryView(builtinRegistry, [], resolveLoadOptions({ live: true })),
];

test('of a scenario and a workflow that are called sound together no rule has anything to say', () => {
  let sound = 0;
  let unsound = 0;
  fc.assert(
    fc.property(DATA, workflowTables, fc.constantFrom(...VIEWS), (data, table, registry) => {
      const { document } = memoryDocument(data, 's');
      const { loaded } = readWorkflow(memoryDocument(table, 'w').document, registry, null);
      if (loaded === null) return;
      const { policy } = data;
      const parts = {
        document,
        loaded,
        resolved: { workflow: loaded.workflow, children: new Map(), issues: [] },
        world: fitsSchema(scenarioSchema, data) ? readWorld(data) : null,
        policy: policy === undefined ? (loaded.workflow.policy ?? null) : readPolicy(policy as JsonObject),
        registry,
      };
      const issues = askRules(parts);
      if (issues.length > 0) unsound++;
      if (loaded.graph === null || !isRunSound(parts, loaded.graph)) return;
      sound++;
      expect(issues).toEqual([]);
    }),
    { numRuns: 6000 },
  );
  expect(sound).toBeGreaterThan(40);
  expect(unsound).toBeGreaterThan(500);
});
