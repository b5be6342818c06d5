import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'smol-toml';
import { afterAll, describe, expect, test } from 'vitest';
import {
  renderReport,
  runSuite,
  type RunSuiteOptions,
  type ScenarioReport,
  type SuiteReport,
} from '../../../src/index.ts';
import type { Turn } from '../../../src/types/record.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SHOP = path.join(ROOT, 'corpus', 'sessions', 'repair-shop.toml');
const scratch: string[] = [];
afterAll(() => {
  for (const folder of scratch) rmSync(folder, { recursive: true, force: true });
});

interface Step {
  readonly calls?: readonly { readonly name: string; readonly args: object }[];
  readonly says?: string;
}

type RanScenarioReport = Extract<ScenarioReport, { readonly failures: unknown }>;

interface CannedAgent {
  readonly name: string;
  readonly fails?: readonly string[];
  readonly turns: readonly { readonly says?: string; readonly calls?: readonly { tool: string; args?: object }[] }[];
}

interface Shop {
  readonly tasks: readonly {
    readonly name: string;
    readonly user: { readonly opening: string };
    readonly agents: readonly CannedAgent[];
  }[];
}

const shop = parse(readFileSync(SHOP, 'utf8').replaceAll(/^(typos|verbosity) = .*$/gm, '')) as unknown as Shop;

/** The shop's tasks, tried by the two agents of a module instead of its canned ones. */
const SHOP_TASKS = stringify({
  ...shop,
  trials: 2,
  agents: ['sound', 'sloppy'].map((name) => ({ name, module: 'agents.mjs', export: name })),
  tasks: shop.tasks.map(({ agents, ...task }) => task),
});

/** What a model says step by step, so that it does what a canned agent does. */
function stepsOf({ turns }: CannedAgent): readonly Step[] {
  return turns.flatMap(({ says, calls = [] }): readonly Step[] => [
    ...(calls.length > 0 ? [{ calls: calls.map(({ tool, args = {} }) => ({ name: tool, args })) }] : []),
    ...(says === undefined ? [] : [{ says }]),
  ]);
}

function scriptsOf(agent: string): Readonly<Record<string, readonly Step[]>> {
  return Object.fromEntries(
    shop.tasks.flatMap(({ user, agents }) =>
      agents.filter(({ name }) => name === agent).map((canned) => [user.opening, stepsOf(canned)]),
    ),
  );
}

const SHELF_HEAD = `name = "shelf"
min_pass_rate = 0
[session]
system = "Be kind."
calls = 5
[state]
taken = []
[[tools]]
name = "take"
description = "Takes from the shelf."
parameters = { properties = { what = { type = "string" }, note = { type = "string" } }, required = ["what"] }
steps = [
  { fail = "There are no nuts.", when = [{ value = "{{args.what}}", equals = "nuts" }] },
  { append = ["taken"], value = "{{args.what}}" },
  { get = ["taken"] },
]
[[agents]]
name = "probe"
module = "agents.mjs"
export = "probe"
`;

const take = (what: unknown) => ({ name: 'take', args: { what } });
const PROBES: Readonly<Record<string, readonly Step[]>> = {
  'Nuts.': [{ calls: [take('nuts')] }, { says: 'I was told: {{heard}}' }],
  'All.': [{ calls: ['a', 'b', 'c'].map(take) }, { says: 'I was told: {{heard}}' }],
  'Seven.': [{ calls: [take(7)] }, { says: 'I was told: {{heard}}' }],
  'Fly.': [{ calls: [{ name: 'fly', args: {} }] }, { says: 'I was told: {{heard}}' }],
  'Free.': [{ says: 'Here you are.' }],
  'Never.': Array.from({ length: 200 }, () => ({ calls: [take('bolts')] })),
  'Wait.': [],
};

/** What each of these openings leads to is to be seen, so that each session fails. */
const SHELF =
  SHELF_HEAD +
  Object.keys(PROBES)
    .map(
      (opening) =>
        `[[tasks]]\nname = "${opening}"\nuser = { opening = "${opening}" }\nexpected = { says = ["(nobody)"] }\n`,
    )
    .join('');

/** Opening, last text, calls in the world, what the ledger has of models, and end. */
const TOOK = 'scripted-1, 2 calls: 20 + 4';
const FREE = ['Free.', 'Here you are.', 0, 'scripted-1, 1 calls: undefined + undefined', 'user_done'];
const WAIT = ['Wait.', 'Wait.', 0, '', 'timeout'];
/** An agent that goes on as long as it may, and says nothing of what it took by then. */
const NEVER = ['Never.', '', 5, '', 'call_limit'];
const NO_FIT = 'The arguments of take do not fit: /what must be a string, not the integer 7.';

const FRAMEWORKS = [
  {
    framework: 'ai-sdk',
    proof: 'ai',
    expected: [
      ['Nuts.', 'There are no nuts.', 1, TOOK, 'user_done'],
      ['All.', '["a"]["a","b"]["a","b","c"]', 3, TOOK, 'user_done'],
      ['Seven.', NO_FIT, 1, TOOK, 'user_done'],
      ['Fly.', "Model tried to call unavailable tool 'fly'. Available tools: take.", 0, TOOK, 'user_done'],
      FREE,
      // This SDK tells what all its steps took.
      ['Never.', '', 5, 'scripted-1, 20 calls: 200 + 40', 'call_limit'],
      WAIT,
    ],
    typed: `import { generateText, jsonSchema, stepCountIs, type LanguageModel } from 'ai';
      import { fromAiSdk } from 'passk/plugin';
      declare const model: LanguageModel;
      export const byHand = fromAiSdk({ jsonSchema }, ({ tools }) => ({
        generate: (asked) => generateText({ model, tools, stopWhen: stepCountIs(5), ...asked }),
      }));`,
  },
  {
    framework: 'langgraph',
    proof: '@langchain/langgraph',
    expected: [
      ['Nuts.', 'There are no nuts.', 1, TOOK, 'user_done'],
      ['All.', '["a","b","c"]', 3, TOOK, 'user_done'],
      // LangChain compares arguments with the schema itself.
      ['Seven.', expect.stringContaining('tool input did not match expected schema'), 0, TOOK, 'user_done'],
      ['Fly.', expect.stringContaining('Tool "fly" not found.'), 0, TOOK, 'user_done'],
      FREE,
      NEVER,
      WAIT,
    ],
    typed: `import { ToolMessage } from '@langchain/core/messages';
      import { tool } from '@langchain/core/tools';
      import { ToolNode } from '@langchain/langgraph/prebuilt';
      import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
      import { fromLangGraph } from 'passk/plugin';
      export const byHand = fromLangGraph({ tool, ToolMessage }, ({ tools }) => {
        const graph = new StateGraph(MessagesAnnotation).addNode('tools', new ToolNode(tools));
        return graph.addEdge(START, 'tools').compile();
      });`,
  },
  {
    framework: 'openai-agents',
    proof: '@openai/agents-core',
    expected: [
      ['Nuts.', 'Error: There are no nuts.', 1, TOOK, 'user_done'],
      ['All.', '["a","b","c"]', 3, TOOK, 'user_done'],
      ['Seven.', `Error: ${NO_FIT}`, 1, TOOK, 'user_done'],
      // A tool that does not exist ends a run of this SDK.
      ['Fly.', 'Fly.', 0, '', 'agent_stopped'],
      FREE,
      // What it took stands in the error that ends its run.
      ['Never.', '', 5, 'model, 10 calls: 100 + 20', 'call_limit'],
      WAIT,
    ],
    typed: `import { Agent, type run, Runner, tool } from '@openai/agents-core';
      import { fromOpenAiAgents } from 'passk/plugin';
      const runner = new Runner();
      export const byHand = fromOpenAiAgents(
        { tool, run: (...asked: Parameters<typeof run>) => runner.run(...asked) },
        ({ tools }) => new Agent({ name: 'clerk', tools }),
      );`,
  },
];
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',');

describe.each(FRAMEWORKS)('an agent on $framework', ({ framework, proof, expected, typed }) => {
  const installed = path.join(ROOT, '.passk', framework, 'node_modules');
  const skips = !existsSync(path.join(installed, proof)) && !required.includes(framework);

  /** A folder in which the framework and passk can be imported. */
  function prepare(tasks: string, scripts: object): string {
    const cwd = mkdtempSync(path.join(tmpdir(), 'passk-frameworks-'));
    scratch.push(cwd);
    mkdirSync(path.join(cwd, 'node_modules'));
    for (const name of readdirSync(installed))
      symlinkSync(path.join(installed, name), path.join(cwd, 'node_modules', name));
    symlinkSync(ROOT, path.join(cwd, 'node_modules', 'passk'));
    const here = fileURLToPath(new URL('./fixtures', import.meta.url));
    copyFileSync(path.join(here, `${framework}-agents.mjs`), path.join(cwd, 'agents.mjs'));
    copyFileSync(path.join(here, 'scripted.mjs'), path.join(cwd, 'scripted.mjs'));
    copyFileSync(SHOP.replace('.toml', '.world.toml'), path.join(cwd, 'repair-shop.world.toml'));
    writeFileSync(path.join(cwd, 'scripts.json'), JSON.stringify(scripts));
    writeFileSync(path.join(cwd, 'tasks.toml'), tasks);
    return cwd;
  }

  function run(cwd: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
    return runSuite({
      cwd,
      paths: ['tasks.toml'],
      workers: 1,
      permissions: { run: [path.join(cwd, 'agents.mjs')] },
      ...options,
    });
  }

  test.skipIf(skips)('gets the planted verdicts of the shop, the same bytes for any number of workers', async () => {
    const cwd = prepare(SHOP_TASKS, { sound: scriptsOf('sound'), sloppy: scriptsOf('sloppy') });
    const reports: SuiteReport[] = [];
    for (const workers of [0, 1, 2]) reports.push(await run(cwd, { workers }));
    const planted = shop.tasks.flatMap(({ name, agents }) =>
      ['sound', 'sloppy'].map((agent) => {
        const fails = agents.find((canned) => canned.name === agent)?.fails ?? [];
        return { name: `shop: ${name} · ${agent}`, passed: fails.length === 0 ? 2 : 0, broken: 0, fails };
      }),
    );
    const found = scenariosOf(reports[0]).map(({ name, trials, failures }) => ({
      name,
      passed: trials.passed,
      broken: trials.broken,
      fails: [...new Set(failures.flatMap(({ findings }) => findings.map(({ check }) => check)))],
    }));
    expect(found).toEqual(planted);
    const bytes = reports.map((report) => renderReport(report, { reporter: 'json', timing: false }));
    expect(new Set(bytes).size).toBe(1);
  });

  test.skipIf(skips)('tells its model what went wrong, and passk what it took', async () => {
    const cwd = prepare(SHELF, { probe: PROBES });
    const report = await run(cwd, { timeoutMs: 3000 });
    const seen = scenariosOf(report).map(({ name, failures: [failure] }) => {
      const { turns = [], calls, ledger = [], session } = failure?.record ?? {};
      const models = ledger.filter(({ kind }) => kind === 'model');
      return [
        name.replace('shelf: ', ''),
        textOf(turns.at(-1)).replace('I was told: ', ''),
        calls?.length,
        models
          .map(
            (line) =>
              `${line.name}, ${line.units} calls: ${line.usage?.promptTokens} + ${line.usage?.completionTokens}`,
          )
          .join(),
        session?.end,
      ];
    });
    expect(seen).toEqual(expected);
    expect(existsSync(path.join(cwd, 'aborted'))).toBe(true);
  });

  test.skipIf(skips)('is typed as its framework is, and as the documentation shows it', () => {
    const cwd = prepare('', {});
    const page = readFileSync(path.join(ROOT, 'docs', 'sessions.md'), 'utf8').replaceAll(
      "'@openai/agents'",
      "'@openai/agents-core'",
    );
    const shown = [...page.matchAll(/^```ts framework\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
    const block = shown.find((text) => text.includes(`from '${proof}`)) ?? '';
    expect(block).not.toBe('');
    writeFileSync(path.join(cwd, 'shown.mts'), block);
    writeFileSync(path.join(cwd, 'typed.mts'), typed);
    const model = `import type { BaseChatModel } from '@langchain/core/language_models/chat_models';\nexport declare const llm: BaseChatModel;\n`;
    writeFileSync(path.join(cwd, 'my-model.d.mts'), model);
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
    const typeRoots = path.join(ROOT, 'node_modules', '@types');
    const flags = [
      '--strict',
      '--noEmit',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--typeRoots',
      typeRoots,
      '--types',
      'node',
    ];
    expect(
      spawnSync(process.execPath, [tsc, ...flags, 'shown.mts', 'typed.mts'], { cwd, encoding: 'utf8' }).stdout,
    ).toBe('');
  });
});

/** What was said; '': nothing. */
function textOf(turn: Turn | undefined): string {
  return turn?.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('') ?? '';
}

function scenariosOf(report: SuiteReport | undefined): readonly RanScenarioReport[] {
  return (report?.scenarios ?? []).map((scenario) => {
    if (!('failures' in scenario)) throw new Error(`${scenario.name} is not loaded.`);
    return scenario;
  });
}
