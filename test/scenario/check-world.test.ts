import { expect, test } from 'vitest';
import { loadSuite, type ScenarioDefinition } from '../../src/index.ts';

function aReader(overrides: Partial<ScenarioDefinition> = {}): ScenarioDefinition {
  return {
    name: 'reader',
    workflow: {
      inline: {
        name: 'reader',
        startNodes: [{ name: 'main', source: 'manual' }],
        nodes: [{ id: 'home', type: 'read_env', key: 'HOME' }],
      },
    },
    expected: { status: 'completed' },
    ...overrides,
  };
}

async function codes(scenario: ScenarioDefinition): Promise<readonly string[]> {
  return (await loadSuite({ scenarios: [scenario] })).issues.map(({ code }) => code);
}

test('a variable that nobody declares is a notice, unless the scenario says that it is unset', async () => {
  expect(await codes(aReader())).toEqual(['undeclared_env']);
  expect(await codes(aReader({ world: { env: {} } }))).toEqual([]);
  expect(await codes(aReader({ world: { env: { HOME: '/home/a' } } }))).toEqual([]);
});

test('a policy pattern that can never match is a notice', async () => {
  const world = { env: { HOME: 'x' } };
  const policy = { env: { readKeys: ['HOME'] }, http: { urls: ['https://user@host/**'], methods: ['GET'] } };
  expect(await codes(aReader({ world, policy }))).toEqual(['useless_pattern']);
});
