import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'smol-toml';
import { afterAll, expect, test } from 'vitest';
import {
  loadSuite,
  renderReport,
  type RunSuiteOptions,
  runSuite,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import type { ShardSource } from '../../src/records/read-shard.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import { runShard } from '../../src/suite/run-shard.ts';
import { answer, startModelServer } from '../support/model-server.ts';
import { KEEPING_MUTATIONS } from '../../src/types/mutations/mutation.ts';

const CORPUS = path.join(import.meta.dirname, '../../corpus/sessions');
const cwd = mkdtempSync(path.join(tmpdir(), 'passk-mutations-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

interface Turn {
  readonly calls?: readonly { readonly tool: string; readonly args?: Record<string, unknown> }[];
  readonly says?: string;
}

interface Task {
  readonly name: string;
  readonly user: { readonly opening: string; readonly known?: Record<string, unknown> };
  readonly agents?: readonly { readonly name: string; readonly turns: readonly Turn[] }[];
}

/**
 * The sound agents of the repair shop as an agent that reads: it takes each value that the user knows or said from the words
 * of the user, and acts on nothing where it does not find it there.
 */
const READER = (tasks: readonly Task[]) => `const TASKS = ${JSON.stringify(
  tasks.map(({ user, agents = [] }) => ({
    told: [user.opening, ...Object.values(user.known ?? {})].flatMap((one) =>
      typeof one === 'string' ? one : [(one as { value: string }).value],
    ),
    turns: agents.find(({ name }) => name === 'sound')?.turns ?? [],
  })),
)};
const reader = ({ told, turns }) => ({ tools }) => {
  const values = told.join(' ').split(/\\s+/).map((word) => word.replace(/[.,!?]+$/, ''));
  let heard = '';
  let next = 0;
  return (message) => {
    heard += ' ' + message;
    const words = heard.split(/\\s+/).map((word) => word.replace(/[.,!?]+$/, ''));
    for (; next < turns.length; ) {
      const { calls = [], says } = turns[next++];
      for (const { tool, args = {} } of calls) {
        const read = Object.entries(args).map(([key, value]) =>
          [key, values.includes(value) && !words.includes(value) ? 'unreadable' : value]);
        try {
          tools.find(({ name }) => name === tool).execute(Object.fromEntries(read));
        } catch {
          // The shop knows no such thing.
        }
      }
      if (says !== undefined) return says;
    }
    return 'Good bye.';
  };
};
${tasks.map((_, at) => `export const task${at} = reader(TASKS[${at}]);`).join('\n')}
`;

/** The tasks of the repair shop, each in a file of its own with the agent that reads. */
function aReadingShop(mutations: Record<string, unknown>): RunSuiteOptions {
  const folder = mkdtempSync(path.join(cwd, 'shop-'));
  cpSync(CORPUS, folder, { recursive: true });
  const { tasks, ...head } = parse(readFileSync(path.join(CORPUS, 'repair-shop.toml'), 'utf8')) as unknown as {
    readonly tasks: readonly Task[];
  };
  writeFileSync(path.join(folder, 'reader.mjs'), READER(tasks));
  const files = tasks.map(({ agents: _, ...task }, at) => {
    const file = `task-${String(at).padStart(2, '0')}.toml`;
    const agents = [{ name: 'reader', module: 'reader.mjs', export: `task${at}` }];
    writeFileSync(path.join(folder, file), stringify({ ...head, tasks: [task], agents, mutations }));
    return file;
  });
  return { cwd: folder, paths: files, permissions: { run: [path.join(folder, 'reader.mjs')] }, trials: 1 };
}

const bytesOf = (report: SuiteReport): string => renderReport(report, { reporter: 'json', timing: false });

test('mutations that keep meaning leave every verdict of the sound agent as it is, and others do not', async () => {
  const shop = aReadingShop({ types: [...KEEPING_MUTATIONS, 'encoding_attacks', 'length_extremes'] });
  const report = await runSuite({ ...shop, workers: 1 });
  const robustness = report.robustness;
  expect(robustness?.unmutated).toMatchObject({ trials: 12, passed: 12, rate: 1, broken: 0 });
  const rates = Object.fromEntries(robustness?.types.map(({ type, rate }) => [type, rate]) ?? []);
  expect(KEEPING_MUTATIONS.map((type) => [type, rates[type]])).toEqual(KEEPING_MUTATIONS.map((type) => [type, 1]));
  expect(rates.encoding_attacks).toBeLessThan(0.7);
  for (const { trials, unchanged, broken } of robustness?.types ?? []) {
    expect([trials + unchanged, broken]).toEqual([12, 0]);
    expect(trials).toBeGreaterThan(9);
  }
  expect(renderReport(report)).toMatch(/Mutations: 11 types/);
  expect(renderReport(report)).toMatch(/encoding_attacks: pushes · \d+ of 12 trials/);
  expect(renderReport(report, { reporter: 'html' })).toContain('encoding_attacks');

  // What the agent was sent, and what the user meant.
  const name = report.scenarios.find(({ name: one }) => one.includes('encoding_attacks'))?.name ?? '';
  const part = { ...shop, paths: ['task-00.toml'] };
  const { record } = await traceTrial({ ...shop, file: 'task-00.toml', part: name, trial: 0 });
  const [first] = record?.turns ?? [];
  expect(first?.intended).toBe('Hello, when can I pick up my bike?');
  expect(JSON.stringify(first?.parts)).toContain('do what it says');

  const once = bytesOf(await runSuite({ ...part, workers: 1 }));
  expect(bytesOf(await runSuite({ ...part, workers: 2 }))).toBe(once);
  const shards: ShardSource[] = [];
  for (const index of [1, 2]) {
    const { bytes } = await runShard({ ...part, workers: 1, shard: { index, count: 2 } });
    shards.push({ name: `${index}.shard`, bytes });
  }
  expect(bytesOf((await mergeShards(shards)).report)).toBe(once);
}, 60_000);

const BOOKING = `name = "desk"
trials = 2
[session]
[mutations]
types = ["paraphrase", "translation", "custom"]
model = "writer"
custom_templates = { "as a lawyer" = "Say this as a lawyer would: {prompt}" }
[[agents]]
name = "reader"
module = "reader.mjs"
[[tasks]]
name = "hours"
user = { opening = "When are you open on 12 May?" }
expected = { says = ["12 May"] }
`;

test('a model makes paraphrases and translations, and its answers are recorded and replayed', async () => {
  const folder = mkdtempSync(path.join(cwd, 'writer-'));
  writeFileSync(path.join(folder, 'desk.toml'), BOOKING);
  writeFileSync(
    path.join(folder, 'reader.mjs'),
    "export default () => (message) => /12 May/.test(message) ? 'On 12 May from 10.' : 'On which day?';",
  );
  let empty = false;
  const server = await startModelServer(({ text }) => {
    if (empty) return answer('');
    if (text.endsWith('Say this as a lawyer would: When are you open on 12 May?')) return answer('Pursuant to 12 May?');
    const isTranslated = text.includes('another language');
    return answer(isTranslated ? 'Wann ist am zwölften Mai offen?' : 'Opening times on 12 May, please?');
  });
  try {
    const options: RunSuiteOptions = {
      cwd: folder,
      paths: ['desk.toml'],
      workers: 1,
      permissions: { run: [path.join(folder, 'reader.mjs')] },
    };
    const writer = { provider: 'openai-compatible', model: 'small', baseUrl: server.openaiUrl, maxRetries: 0 } as const;
    await expect(runSuite(options)).rejects.toThrow('Messages of desk.toml are mutated by the model "writer"');
    const live = await runSuite({ ...options, live: true, models: { writer }, record: 'a.cassette' });
    expect(live.robustness?.unmutated).toMatchObject({ trials: 2, passed: 2 });
    expect(live.robustness?.types).toMatchObject([
      { type: 'paraphrase', keepsMeaning: false, trials: 2, passed: 2, broken: 0 },
      { type: 'translation', keepsMeaning: false, trials: 2, passed: 0, broken: 0 },
      { type: 'custom:as a lawyer', keepsMeaning: false, trials: 2, passed: 2, broken: 0 },
    ]);
    expect(live.scenarios.at(-1)).toMatchObject({
      name: 'desk: hours · custom:as a lawyer',
      tags: ['mutation:custom:as a lawyer'],
    });
    const asked = server.asked.length;
    const replayed = await runSuite({ cwd: folder, paths: ['desk.toml'], workers: 1, replay: 'a.cassette' });
    expect(replayed.robustness).toEqual(live.robustness);
    // What is no message breaks the trial, and is never a failure of the agent.
    empty = true;
    const silent = await runSuite({ ...options, live: true, models: { writer } });
    expect(silent.robustness?.types).toMatchObject([
      { trials: 0, broken: 2 },
      { trials: 0, broken: 2 },
      { trials: 0, broken: 2 },
    ]);
    expect(server.asked.length).toBe(asked + 6);
  } finally {
    await server.close();
  }
}, 60_000);

test('what is wrong with mutations is told at load', async () => {
  const problems = async (mutations: string): Promise<readonly string[]> => {
    const folder = mkdtempSync(path.join(cwd, 'bad-'));
    const canned = 'agents = [{ name = "a", turns = [{ says = "Hello." }] }]';
    writeFileSync(
      path.join(folder, 'a.toml'),
      `name = "p"\n[session]\n${mutations}\n[[tasks]]\nname = "t"\nuser = { opening = "Hello." }\nexpected = { says = ["Hello"] }\n${canned}\n`,
    );
    const { issues } = await loadSuite({ cwd: folder, paths: ['a.toml'] });
    return issues.map(({ at, message }) => `${at?.line}: ${message}`);
  };
  expect(await problems('[mutations]\ntypes = ["typos"]')).toEqual([
    '3: "mutations" has no effect: every agent of this file has canned answers, whatever it is told.',
  ]);
  expect(await problems('[mutations]\ntypes = ["paraphrase"]')).toContainEqual(
    '4: The mutation "paraphrase" takes a model.',
  );
  expect(await problems('[mutations]\ntypes = ["custom", "semantic_similarity_attack"]\nmodel = "writer"')).toEqual([
    '4: The mutation "custom" does what the file says, and this one says nothing.',
    '4: A "semantic_similarity_attack" wants something else than its message, so that what a task expects says nothing about it.',
    expect.anything(),
  ]);
  expect(await problems('[mutations]\nmodel = "writer"')).toContainEqual(
    '4: "model" has no effect: no mutation of this file takes one.',
  );
  expect(await problems('[mutations]\ntypes = ["case", "case"]')).toContainEqual(
    '4: The mutation "case" stands here twice.',
  );
  expect((await problems('[mutations]\ntypes = []')).join()).toMatch(/4: /);
  expect((await problems('[mutations]\ntypes = ["tipos"]')).join()).toMatch(/cannot be "tipos"/);
});
