import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ScenarioDefinition } from '../../src/scenario/objects/define-scenario.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import { judged } from '../support/sampled.ts';

const FIXTURES = fileURLToPath(new URL('../effects/granted/fixtures', import.meta.url));
const OLD = [process.execPath, path.join(FIXTURES, 'mcp-stdio-server.mjs'), 'good'];
const NEW = [process.execPath, path.join(FIXTURES, 'mcp-new-tools.mjs'), 'reject'];

interface Asking {
  readonly tools: readonly string[];
  readonly command: readonly string[];
  readonly sampling?: string;
  /** Text that each tool's result must be. */
  readonly said: Readonly<Record<string, string>>;
}

/** A workflow that calls one tool after the other. */
function aScenario(
  { tools, command, sampling, said }: Asking,
  { expected = {}, ...parts }: Omit<ScenarioDefinition, 'name' | 'workflow'>,
): ScenarioDefinition {
  const [entryNode = ''] = tools;
  return {
    name: 'asks',
    trials: 6,
    trigger: { payload: { id: 7 } },
    workflow: {
      inline: {
        name: 'w',
        startNodes: [{ name: 'main', source: 'manual', entryNode }],
        nodes: tools.map((tool) => ({ id: tool, type: 'call_mcp_tool', tool, argsFrom: 'trigger' })),
        edges: tools.slice(1).map((tool, at) => ({ from: tools[at] as string, to: tool })),
        mcpServers: [{ name: 'shop', command, ...(sampling !== undefined && { sampling }) }],
      },
    },
    expected: {
      status: 'completed',
      values: Object.entries(said).map(([node, text]) => ({ node, path: 'content', equals: [{ type: 'text', text }] })),
      ...expected,
    },
    ...parts,
  };
}

type RunOptions = Parameters<typeof runSuite>[0];

function runWhole(scenario: ScenarioDefinition, options: RunOptions = {}) {
  const permissions = { run: [process.execPath] };
  return runSuite({ scenarios: [scenario], workers: 0, permissions, ...options });
}

async function run(scenario: ScenarioDefinition, options?: RunOptions) {
  return judged((await runWhole(scenario, options)).scenarios[0]);
}

describe.each([
  ['an older revision', OLD],
  ['the newest revision', NEW],
])('a server of %s', (_, command) => {
  test('is answered by a user and a model of the file, which count as what they are', async () => {
    const said = { ask_size: '{"size":"large"}', ask_model: 'said: two boxes', ask_roots: '0 roots' };
    const scenario = aScenario(
      { tools: Object.keys(said), command, sampling: 'default', said },
      {
        world: {
          mcp: [{ name: 'shop', elicitations: [{ message: { contains: 'size' }, content: { size: 'large' } }] }],
        },
        intel: { turns: [{ node: 'ask_model', content: 'two boxes', promptTokens: 9, completionTokens: 2 }] },
        expected: {
          minLlmCalls: 1,
          maxLlmCalls: 1,
          minTotalTokens: 11,
          maxTotalTokens: 11,
          prompts: [{ node: 'ask_model', contains: 'Be brief.\nSum up order 7.' }],
          mcp: [{ tool: 'ask_size', count: 1 }],
        },
      },
    );
    const cassette = path.join(mkdtempSync(path.join(tmpdir(), 'passk-mcp-asks-')), 'asks.cassette');
    const recorded = await run(scenario, { record: cassette });
    expect(recorded).toMatchObject({ trials: { passed: 6 }, failures: [] });
    // Without the server, on two threads.
    expect(await run(scenario, { replay: cassette, workers: 2, permissions: {} })).toEqual(recorded);
  });

  test('that nothing answers is declined, and the report names the question', async () => {
    const scenario = aScenario(
      { tools: ['ask_size'], command, said: {} },
      {
        world: { mcp: [{ name: 'shop', elicitations: [{ message: 'Another one?', content: {} }] }] },
        expected: { values: [{ node: 'ask_size', path: 'declined', equals: ['Which size?'] }] },
      },
    );
    const { scenarios, notices } = await runWhole(scenario, { workers: 2 });
    expect(judged(scenarios[0])).toMatchObject({
      trials: { passed: 6 },
      declined: [{ server: 'shop', message: 'Which size?', count: 6, lowestTrial: 0 }],
    });
    expect(notices).toEqual([
      {
        code: 'declined_question',
        severity: 'warning',
        message: '"asks": MCP server "shop" asked a user "Which size?", and nothing answered: declined 6 times.',
        hint: 'Beside name = "shop" of [[world.mcp]], add [[world.mcp.elicitations]] with message = "Which size?" and content = { … }, or with action = "decline" if that is the answer.',
      },
    ]);
    // An empty list is an answer.
    const declining = { ...scenario, world: { mcp: [{ name: 'shop', elicitations: [] }] } };
    expect(await runWhole(declining)).toMatchObject({ notices: [], summary: { trials: { passed: 6 } } });
  });

  // One asks in a message and is told; the other asked in its result, so that there is nobody to tell.
  const reasonContains = command === OLD ? 'answered error' : 'asked for what got no answer';
  test('whose model fails gets no answer, and the trial goes on with what it makes of that', async () => {
    const scenario = aScenario(
      { tools: ['ask_model'], command, sampling: 'default', said: {} },
      { intel: { turns: [{ content: 'x', fault: 'backend_down' }] }, expected: { status: 'errored', reasonContains } },
    );
    const report = await run(scenario);
    expect({ trials: report.trials, text: JSON.stringify(report.failures) }).toMatchObject({ trials: { passed: 6 } });
  });
});

test('a server of the newest revision that asks for what nothing declares breaks the trial, and the key is named', async () => {
  const texts = await Promise.all(
    ['ask_model', 'ask_size', 'ask_address', 'ask_forever'].map(async (tool) => {
      const report = await run({ ...aScenario({ tools: [tool], command: NEW, said: {} }, {}), trials: 1 });
      return JSON.stringify(report.failures);
    }),
  );
  expect(texts[0]).toContain('name a backend with `sampling`');
  expect(texts[1]).toContain('declare `elicitations`');
  expect(texts[2]).toContain('elicitation in url mode');
  expect(texts[3]).toContain('asked more than 10 times');
});
