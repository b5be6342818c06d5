import type { ScenarioDefinition } from '../../src/scenario/objects/define-scenario.ts';

/** A model answer drives a switch: half of the drawn answers are routed to `done`, the other half are not routed. */
export function aRouter(overrides: Partial<ScenarioDefinition> = {}): ScenarioDefinition {
  return {
    name: 'router',
    trials: 64,
    workflow: {
      inline: {
        name: 'router',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'ask' }],
        nodes: [
          { id: 'ask', type: 'llm_infer', backend: 'default', prompt: 'Which way?', outputSchema: 'inline' },
          { id: 'route', type: 'switch', expr: 'ask.parsed.way' },
          { id: 'done', type: 'terminate' },
        ],
        edges: [
          { from: 'ask', to: 'route' },
          { from: 'route', to: 'done', when: 'left' },
        ],
      },
    },
    intel: {
      turns: [
        {
          variants: [
            { content: '{"way": "left"}', promptTokens: 10, completionTokens: 2 },
            { content: '{"way": "right"}', promptTokens: 10, completionTokens: 3 },
          ],
        },
      ],
    },
    expected: { lastNode: 'done' },
    ...overrides,
  };
}

declare module '../../src/types/definitions/node-keys.ts' {
  interface NodeKeys {
    readonly look_up: { readonly keyFrom: string };
  }
}

/** A node of the user's own, done by a function of the test. */
export function aLiveScenario(overrides: Partial<ScenarioDefinition> = {}): ScenarioDefinition {
  return {
    name: 'live',
    trials: 6,
    workflow: {
      inline: {
        name: 'live',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'look' }],
        nodes: [
          { id: 'look', type: 'look_up', keyFrom: 'trigger.key' },
          { id: 'done', type: 'terminate' },
        ],
        edges: [{ from: 'look', to: 'done', when: 'found' }],
      },
    },
    trigger: { payload: { key: 'a' } },
    expected: { lastNode: 'done', values: [{ node: 'look', equals: { found: 'A' } }] },
    ...overrides,
  };
}
