import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadScenarioDocument } from '../../src/scenario/load-scenario.ts';
import { loadScenarioText } from './load-scenario.ts';
import { memoryDocument } from '../../src/scenario/objects/memory-document.ts';
import { scenarioSchema } from '../../src/scenario/scenario-schema.ts';
import { snakeKeys } from '../../src/scenario/objects/snake-keys.ts';
import { isTable } from '../../src/source/json-schema.ts';
import type { Json, JsonObject } from '../../src/types/json.ts';
import { parseWorkflow } from '../../src/workflow/parse-workflow.ts';
import { workflowSchema } from '../../src/workflow/workflow-schema.ts';
import { aRegistry } from './a-registry.ts';

const options = { root: '/nowhere', cwd: '/nowhere', folder: '/nowhere' };
const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

/** Data that follows a schema more often than not. */
function nearly(schema: JsonObject): fc.Arbitrary<Json> {
  const { properties, items, anyOf, type, additionalProperties: rest } = schema;
  const strange = { arbitrary: anyJson, weight: 1 };
  if (Array.isArray(schema.enum))
    return fc.oneof(strange, { arbitrary: fc.constantFrom(...(schema.enum as Json[])), weight: 9 });
  if (Array.isArray(anyOf))
    return fc.oneof(strange, ...anyOf.map((branch) => ({ arbitrary: nearly(branch as JsonObject), weight: 4 })));
  if (isTable(properties) && Object.keys(properties).length > 0) {
    const keys = Object.fromEntries(
      Object.entries(properties).map(([key, inner]) => [key, nearly(inner as JsonObject)]),
    );
    return fc.oneof(strange, {
      arbitrary: fc.record(keys, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>,
      weight: 9,
    });
  }
  if (isTable(items)) return fc.oneof(strange, { arbitrary: fc.array(nearly(items), { maxLength: 3 }), weight: 9 });
  if (isTable(rest))
    return fc.dictionary(fc.constantFrom('a', 'b', 'constructor', '__proto__', 'toString'), nearly(rest), {
      maxKeys: 3,
    });
  if (type === 'string')
    return fc.oneof(strange, {
      arbitrary: fc.constantFrom('a', 'b', '', 'read_file', 'call', '(', '${SCENARIO_DIR}'),
      weight: 9,
    });
  if (type === 'integer' || type === 'number') return fc.oneof(strange, { arbitrary: fc.nat(5), weight: 9 });
  return anyJson;
}

const plain = (schema: object) => JSON.parse(JSON.stringify(schema)) as JsonObject;
const table = (value: Json): JsonObject => (isTable(value) ? value : {});

describe('whatever a file holds', () => {
  test('loading a scenario gives a scenario without errors or errors without a scenario', () => {
    fc.assert(
      fc.property(nearly(plain(scenarioSchema)), nearly(plain(workflowSchema)), (data, workflow) => {
        const inner = memoryDocument(table(workflow), '<memory>');
        const loaded = loadScenarioDocument(memoryDocument(table(data), '<memory>').document, aRegistry, {
          ...options,
          workflow: inner.document,
        });
        expect(loaded.ok).toBe(!loaded.issues.some((issue) => issue.severity === 'error'));
      }),
    );
  });

  test('reading a workflow gives a workflow without errors or errors without a workflow', () => {
    fc.assert(
      fc.property(nearly(plain(workflowSchema)), (data) => {
        const { workflow, issues } = parseWorkflow(
          memoryDocument(table(data), 'x').document,
          aRegistry.nodeSchemas,
          aRegistry,
        );
        expect(workflow !== null).toBe(!issues.some((issue) => issue.severity === 'error'));
      }),
    );
  });

  test('keys that objects inherit are keys like any other', () => {
    const text = `name = "s"
[workflow]
inline = '''
name = "w"
[[start_nodes]]
name = "constructor"
source = "manual"
[[nodes]]
id = "toString"
type = "read_env"
key = "valueOf"
'''
[world.env]
constructor = "x"
[expected]
last_node = "hasOwnProperty"
branches = { valueOf = "x" }
`;
    expect(loadScenarioText(text, aRegistry, options).issues.map((issue) => issue.code)).toEqual([
      'unknown_node',
      'unknown_node',
    ]);
  });

  test('a key given in both spellings is not taken for either', () => {
    const both = { min_pass_rate: 1, minPassRate: 2 };
    expect(snakeKeys(both, scenarioSchema)).toEqual(both);
  });
});
