import { describe, expect, test } from 'vitest';
import { defineScenario, type ScenarioDefinition } from '../../../src/scenario/objects/define-scenario.ts';
import { scenarioFromObject } from '../../../src/scenario/objects/scenario-from-object.ts';
import { aRegistry } from '../a-registry.ts';
import { aScenario, loadText, START, TURN, TWO_NODES } from '../in-folder.ts';

const load = (definition: ScenarioDefinition) => scenarioFromObject(definition, aRegistry, { cwd: '/nowhere' });

const definition = defineScenario({
  name: 's',
  minPassRate: 0.5,
  timeoutMs: 20,
  workflow: {
    inline: {
      name: 'w',
      startNodes: [{ name: 'main', source: 'manual' }],
      nodes: [
        {
          id: 'ask',
          type: 'llm_infer',
          backend: 'default',
          prompt: 'p',
          retry: { maxAttempts: 2, backoffMs: 5 },
          outputSchema: { type: 'object', properties: { camelCase: {}, snake_case: {} } },
        },
        { id: 'done', type: 'terminate' },
      ],
      edges: [{ from: 'ask', to: 'done' }],
    },
  },
  intel: { turns: [{ content: '{}', promptTokens: 1, fault: { type: 'delay', delayMs: 5 } }] },
  world: { env: { camelCase: 'x', snake_case: 'y' } },
  trigger: { payload: { someKey: 1, other_key: undefined } },
  expected: { status: 'completed', maxTotalTokens: 5, final: { equals: { keepThis: null } } },
});

describe('a scenario made in memory', () => {
  test('means the same as the file with those keys', () => {
    const file = loadText(
      aScenario(
        'min_pass_rate = 0.5\ntimeout_ms = 20',
        `${TURN.replace('"hi"', '"{}"')}prompt_tokens = 1
fault = { type = "delay", delay_ms = 5 }
[world]
env = { camelCase = "x", snake_case = "y" }
[trigger]
payload = { someKey = 1 }
[expected]
status = "completed"
max_total_tokens = 5
final = { equals = { keepThis = 0 } }
`,
        TWO_NODES.replace(
          'prompt = "p"',
          'prompt = "p"\nretry = { max_attempts = 2, backoff_ms = 5 }\noutput_schema = { type = "object", properties = { camelCase = {}, snake_case = {} } }',
        ),
      ),
    );
    const values = [{ test: { kind: 'equals', value: { keepThis: null } } }];
    expect(load(definition)).toEqual({
      ok: true,
      file: '<memory>',
      scenario: { ...file.scenario, file: '<memory>', expected: { ...file.scenario.expected, values } },
      issues: [],
    });
  });

  test('may have its workflow as text, whose problems have lines', () => {
    const inline = `name = "w"\n${START}[[nodes]]\nid = "a"\ntype = "mrege"\n`;
    expect(load({ name: 's', workflow: { inline }, expected: { status: 'failed' } })).toMatchObject({
      ok: false,
      name: 's',
      issues: [{ code: 'unknown_node_type', at: { file: '<memory>', line: 7, column: 8 } }],
    });
  });

  test('has its problems told by path', () => {
    const broken = {
      ...definition,
      intel: { turns: [{ content: 1, colour: 'red' }] },
      expected: { status: 'completed', lastNode: 'dnoe' },
      workflow: {
        inline: {
          ...(definition.workflow as { inline: object }).inline,
          edges: [
            { from: 'ask', to: 'done' },
            { from: 'ask', to: 'dnoe' },
          ],
        },
      },
    } as unknown as ScenarioDefinition;
    expect(load(broken).issues.map(({ code, message, at }) => [code, message, at])).toEqual([
      ['unknown_key', 'Scenario "s": "intel.turns[0].colour" is not a known key.', undefined],
      ['wrong_type', 'Scenario "s": "intel.turns[0].content" must be a string, not the integer 1.', undefined],
      [
        'dangling_edge',
        'Scenario "s": edges[1].to: Edge 1 (ask → dnoe) leads to node "dnoe", which is not declared.',
        undefined,
      ],
      ['ambiguous_edge', expect.any(String), undefined],
    ]);
  });

  test('has its keys told as a program writes them', () => {
    const { inline } = definition.workflow as { inline: { nodes: readonly object[] } };
    const broken = {
      ...definition,
      minPassRat: 1,
      intel: { turns: [{ content: 'a', fault: { type: 'delay', delay: 3 } }] },
      expected: { lastNod: 'done', files: { contain: { '/a_b': 3 } } },
      workflow: { inline: { ...inline, nodes: [{ ...inline.nodes[0], promt: 'x' }, ...inline.nodes.slice(1)] } },
    } as unknown as ScenarioDefinition;
    const lines = load(broken).issues.map(({ message, hint = '' }) => `${message} ${hint}`);
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "Scenario "s": "minPassRat" is not a known key. Did you mean "minPassRate"?
      Scenario "s": "expected.lastNod" is not a known key. Did you mean "lastNode"?
      Scenario "s": "expected.files.contain.'/a_b'" must be a string, not the integer 3. 
      Scenario "s": "intel.turns[0].fault.delay" is not a known key. Did you mean "delayMs"?
      Scenario "s": "nodes[0].promt" is not a known key. Did you mean "prompt"?"
    `);
    const inSnakeCase = { ...definition, expected: { lst_node: 'done' } } as unknown as ScenarioDefinition;
    expect(load(inSnakeCase).issues).toMatchObject([
      { message: 'Scenario "s": "expected.lst_node" is not a known key.', hint: 'Did you mean "lastNode"?' },
    ]);
  });

  test('is refused when it is not data', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const wrong = {
      ...definition,
      trigger: {
        payload: { at: new Date(0), run: () => 1, word: Symbol('x'), gap: [undefined], none: Number.NaN, circle },
      },
    };
    const loaded = load(wrong);
    expect(loaded.ok).toBe(false);
    expect(loaded.issues.map((issue) => issue.code)).toEqual(Array.from({ length: 6 }, () => 'not_json'));
  });

  test.each([[null], [5], [[]], [{}]])('is refused when it is %j', (value) => {
    expect(load(value as unknown as ScenarioDefinition).ok).toBe(false);
  });
});
