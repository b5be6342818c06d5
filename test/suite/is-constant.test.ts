import { describe, expect, test } from 'vitest';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSampled, runSuite } from '../../src/index.ts';
import { aFolder } from '../cli/run-passk.ts';
import { aRouter } from './scenarios.ts';

const CORPUS = fileURLToPath(new URL('../../corpus/', import.meta.url));

const LEFT = '{"way": "left"}';
const ONE_ANSWER = { turns: [{ content: LEFT }] };

/** A task whose agent says one thing; what is given here stands in place of what is fixed. */
const aTask = ({ user = '', turns = '{ says = "It is shut." }', top = '' }: TaskParts = {}): string => `
name = "desk"
trials = 6
${top}
[session]
[state]
open = true
[[tools]]
name = "shut"
steps = [{ set = ["open"], value = false }]
[[tasks]]
name = "shut it"
user = { opening = "Shut the desk of the manager, please."${user} }
gold = { calls = [{ tool = "shut" }] }
[[tasks.agents]]
name = "clerk"
turns = [{ calls = [{ tool = "shut" }] }, ${turns}]
`;

interface TaskParts {
  readonly user?: string;
  readonly turns?: string;
  readonly top?: string;
}

async function constantOf(options: Parameters<typeof runSuite>[0]): Promise<boolean> {
  const { scenarios } = await runSuite({ workers: 0, trials: 6, ...options });
  const [first] = scenarios.filter(isSampled);
  return first?.constant === true;
}

async function isConstantTask(parts?: TaskParts): Promise<boolean> {
  const file = path.join(aFolder(), 'desk.toml');
  writeFileSync(file, aTask(parts));
  return constantOf({ paths: [file] });
}

describe('a constant scenario', () => {
  test('is one whose answers stand in its file, one for each turn', async () => {
    expect(await constantOf({ scenarios: [aRouter({ intel: ONE_ANSWER })] })).toBe(true);
  });

  test.each([
    ['a turn has variants', aRouter()],
    [
      'a pause before a retry is drawn',
      aRouter({
        intel: ONE_ANSWER,
        expected: {},
        workflow: {
          inline: {
            name: 'router',
            startNodes: [{ name: 'main', source: 'manual', entryNode: 'ask' }],
            nodes: [
              {
                id: 'ask',
                type: 'llm_infer',
                backend: 'default',
                prompt: 'Which way?',
                retry: { maxAttempts: 2, backoffMs: 10, jitter: 0.5 },
              },
            ],
            edges: [],
          },
        },
      }),
    ],
  ])('is none where %s', async (_, scenario) => {
    expect(await constantOf({ scenarios: [scenario] })).toBe(false);
  });

  test('is a task whose agent and user say the same each time', async () => {
    expect(await isConstantTask()).toBe(true);
    expect(await isConstantTask({ user: ', verbosity = "brief", typos = 0' })).toBe(true);
    const sure = ', changes = [{ after = 1, says = "Open it again.", known = {} }]';
    expect(await isConstantTask({ user: sure })).toBe(true);
  });

  test.each<[string, TaskParts]>([
    ['what the agent says has variants', { turns: '{ variants = [{ says = "Shut." }, { says = "It is shut." }] }' }],
    ['the user makes small talk', { user: ', verbosity = "chatty"' }],
    ['the user mistypes', { user: ', typos = 0.2' }],
    [
      'the user may change their mind',
      { user: ', changes = [{ after = 1, chance = 0.5, says = "Open it.", known = {} }]' },
    ],
  ])('is no task where %s', async (_, parts) => {
    expect(await isConstantTask(parts)).toBe(false);
  });

  test('is none where a function answers', async () => {
    const { intel: _, ...asked } = aRouter();
    expect(await constantOf({ scenarios: [asked], models: { default: () => ({ content: LEFT }) } })).toBe(false);
  });

  test('passes in all of its trials or in none, wherever the shipped corpus has one', {
    timeout: 120_000,
  }, async () => {
    const report = await runSuite({ paths: [CORPUS], workers: 0, trials: 12, seed: 3 });
    const constant = report.scenarios.filter(isSampled).filter((scenario) => scenario.constant === true);
    expect(constant.length).toBeGreaterThan(50);
    const mixed = constant.filter(({ trials: { executed, passed, failed, broken } }) =>
      [passed, failed, broken].every((count) => count !== executed),
    );
    expect(mixed.map(({ name }) => name)).toEqual([]);
  });
});
