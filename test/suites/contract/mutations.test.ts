import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSuite, renderReport, type RunSuiteOptions, runSuite, type SuiteReport } from '../../../src/index.ts';
import type { LiveModel } from '../../../src/settings/live-functions.ts';
import type { ShardSource } from '../../../src/records/read-shard.ts';
import { mergeShards } from '../../../src/suite/merge-shards.ts';
import { runShard } from '../../../src/suite/run-shard.ts';
import { makeMutants } from '../../../src/suites/mutations/make-mutants.ts';
import type { ContractReport } from '../../../src/types/reports/contract-report.ts';
import { anHttpServer } from '../../effects/granted/an-http-server.ts';
import { answer, startModelServer } from '../../support/model-server.ts';
import { suiteIn } from './contracts-in.ts';

const DESK: RunSuiteOptions = {
  cwd: path.join(import.meta.dirname, '../../../corpus/adversity'),
  paths: ['mutations.toml'],
  workers: 0,
};
const DESK_FILE = readFileSync(path.join(DESK.cwd ?? '', 'mutations.toml'), 'utf8');
const bytesOf = (report: SuiteReport): string => renderReport(report, { reporter: 'json', timing: false });

function mutationOf({ results }: SuiteReport): ContractReport {
  const found = results.find((result) => result.kind === 'contract' && result.phase === 'mutation');
  if (found?.kind !== 'contract') throw new Error('The report has no mutations.');
  return found;
}

test('robustness of each type stands beside the prompts as they are written, with what it leads to', async () => {
  const report = await runSuite(DESK);
  const { robustness, verdict, score, columns } = mutationOf(report);
  expect([verdict, report.notices]).toEqual(['passed', []]);
  expect(columns.map(({ name }) => name)).toEqual(['unmutated', ...(robustness?.types.map(({ type }) => type) ?? [])]);
  expect(robustness?.unmutated).toEqual({
    trials: 2,
    passed: 2,
    rate: 1,
    interval: [expect.any(Number), 1],
    broken: 0,
  });
  const rates = Object.fromEntries(robustness?.types.map(({ type, rate }) => [type, rate]) ?? []);
  // What the desk reads by is still there; letters of other alphabets and Base64 are not what it looks for.
  expect(rates).toMatchObject({
    case: 1,
    spacing: 1,
    padding: 1,
    repetition: 1,
    prompt_injection: 1,
    encoding_attacks: 0,
  });
  expect(rates.look_alikes).toBeGreaterThan(0);
  expect(rates.look_alikes).toBeLessThan(1);
  for (const { mutants = 0, trials, interval, rate } of robustness?.types ?? []) {
    expect(trials).toBe(mutants);
    const [low, high] = interval ?? [1, 0];
    expect([low <= (rate ?? -1), (rate ?? 2) <= high]).toEqual([true, true]);
  }
  // Of five mutants, those are asked that differ from each other and from what they were made of.
  expect(robustness?.types.find(({ type }) => type === 'repetition')).toMatchObject({
    mutants: 4,
    unchanged: 0,
    repeated: 6,
  });
  expect(score).toBeGreaterThan(50);
  expect(score).toBeLessThan(100);
  expect(report.overall?.phases.map(({ phase, weight }) => [phase, weight])).toEqual([
    ['mutation', 0.2],
    ['contract', 0.35],
  ]);

  const text = renderReport(report);
  expect(text).toMatch(/Mutations of desk \(mutation\): 8 types/);
  expect(text).toMatch(/prompt_injection: pushes .* · 6 asked already/);
  expect(text).toMatch(/encoding_attacks: pushes · 0 of \d+ trials \(0\.00/);
  expect(renderReport(report, { reporter: 'markdown' })).toMatch(
    /\| `encoding_attacks` \| `pushed` \| \d+ \| 0 \| 0\.00/,
  );
  expect(renderReport(report, { reporter: 'html' })).toContain('Mutations of desk');

  for (const workers of [1, 2]) expect(bytesOf(await runSuite({ ...DESK, workers }))).toBe(bytesOf(report));
  const shards: ShardSource[] = [];
  for (const index of [1, 2, 3]) {
    const { bytes } = await runShard({ ...DESK, shard: { index, count: 3 } });
    shards.push({ name: `${index}.shard`, bytes });
  }
  expect(bytesOf((await mergeShards(shards)).report)).toBe(bytesOf(report));
}, 60_000);

test('the same seed gives the same mutants; what comes out as it was, or twice, is not asked', () => {
  const options = { types: ['typos', 'repetition'], count: 7, seed: 3 } as const;
  const made = makeMutants(['R-1 12', 'one word and another'], options);
  expect(
    made?.map(({ type, unchanged, texts }) => [type, unchanged, texts.filter(({ prompt }) => prompt === 0).length]),
  ).toEqual([
    ['typos', 4, 0],
    ['repetition', 0, 2],
  ]);
  expect(makeMutants(['R-1 12', 'one word and another'], options)).toEqual(made);
  expect(makeMutants(['R-1 12', 'one word and another'], { ...options, seed: 4 })).not.toEqual(made);
  expect(makeMutants(['x'.repeat(40_000)], { types: ['repetition'], count: 50, seed: 0 })).not.toBeNull();
  expect(
    makeMutants(['a b'.repeat(16_000), 'c d'.repeat(16_000)], { types: ['padding'], count: 50, seed: 0 }),
  ).toBeNull();
});

const AGENT = `version: "2.0"
agent:
  endpoint: "http://localhost:8790/ask"
golden_prompts: ["Which river is the longest?", "R-1"]
invariants:
  - {type: output_not_empty}
`;

test('files of Flakestorm have its types, count and weights; what takes a model is told', async () => {
  const { suite, notRun } = await suiteIn({
    'flakestorm.yaml': `${AGENT}mutations:\n  count: 4\n  types: [paraphrase, noise, case]\n  weights: {noise: 2}\n`,
  });
  expect([suite.issues.map(({ message }) => message), notRun]).toEqual([
    ['The mutation "paraphrase" is not made: it takes a model.'],
    [],
  ]);
  const [, mutation] = suite.definitions;
  expect(mutation).toMatchObject({ phase: 'mutation', mutations: { weights: [2, 1] } });
  expect(suite.scenarios.map(({ name }) => name.replace(/^.*: /, ''))).toEqual([
    'no-chaos',
    'unmutated, prompt 1',
    'unmutated, prompt 2',
    ...[1, 2].map((n) => `noise, mutant ${n} of prompt 1`),
    ...[1, 2].map((n) => `case, mutant ${n} of prompt 1`),
  ]);
  const plain = await suiteIn({ 'flakestorm.yaml': `${AGENT}mutations: {count: 5}\n` });
  expect(new Set(plain.suite.scenarios.map(({ name }) => name.replace(/^.*: |,.*$/g, '')))).toEqual(
    new Set([
      'no-chaos',
      'unmutated',
      'noise',
      'prompt_injection',
      'encoding_attacks',
      'context_manipulation',
      'length_extremes',
    ]),
  );
});

test('mutations that show nothing, or are too many, are told at load', async () => {
  const problems = async (more: string, agent = AGENT): Promise<readonly string[]> =>
    (await suiteIn({ 'flakestorm.yaml': agent + more })).suite.issues.map(({ message }) => message);
  expect(await problems('mutations: {types: [reordering]}\n')).toEqual([
    'Nothing is tried by reordering: no prompt is changed by it.',
  ]);
  expect(await problems('mutations: {types: []}\n')).toHaveLength(1);
  const many = AGENT.replace(/golden_prompts.*/, `golden_prompts: [${'"What is it?", '.repeat(50)}]`);
  expect(await problems('mutations: {count: 50}\n', many)).toEqual([
    'This prompt stands above already: it is asked again, and counts again. So do 48 more.',
    'The prompts have 2500 mutants; at most 2000 are made.',
  ]);
  const probing = AGENT.replace('output_not_empty}', 'output_not_empty, probes: ["Hello."]}');
  expect(await problems('mutations: {types: [case]}\n', probing)).toContain(
    '"mutations" has no effect: the file has no prompts, or no invariant that is judged on them.',
  );
});

const ASKED = `[contract]
name = "desk"
prompts = ["When is 12 May free?", "Book 14 May."]
trials = 2
[[contract.invariants]]
id = "names-the-day"
type = "regex"
pattern = "May"
[mutations]
types = ["paraphrase", "translation"]
model = "writer"
[agent]
endpoint = "ORIGIN"
stateless = true
request_template = '{"input": "{prompt}"}'
response_path = "output"
`;

test('a model makes paraphrases and translations of the prompts of an agent, and cassettes keep what came of them', async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-made-mutants-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const heard: string[] = [];
  const agent = await anHttpServer((_, response) => {
    const { input } = JSON.parse(agent.seen.at(-1)?.body ?? '{}') as { readonly input: string };
    heard.push(input);
    response.end(JSON.stringify({ output: input.includes('May') ? 'In May, yes.' : 'On which day?' }));
  });
  writeFileSync(path.join(cwd, 'desk.toml'), ASKED.replace('ORIGIN', agent.origin));
  let said: string | null = null;
  const writer = await startModelServer(({ text }) =>
    answer(said ?? (text.includes('another language') ? 'Wann ist der zwölfte frei?' : `Please: May?`)),
  );
  onTestFinished(() => writer.close());
  const options: RunSuiteOptions = { cwd, paths: ['desk.toml'], workers: 0, permissions: { net: ['127.0.0.1'] } };
  await expect(runSuite(options)).rejects.toThrow('Messages of desk.toml are mutated by the model "writer"');
  const models = {
    writer: { provider: 'openai-compatible', model: 'small', baseUrl: writer.openaiUrl, maxRetries: 0 },
  } as const;
  const live = await runSuite({ ...options, live: true, models, record: 'a.cassette' });
  const { robustness } = mutationOf(live);
  expect(robustness?.unmutated).toMatchObject({ trials: 4, passed: 4 });
  expect(robustness?.types).toMatchObject([
    { type: 'paraphrase', keepsMeaning: false, trials: 4, passed: 4, mutants: 2, unchanged: 0, broken: 0 },
    { type: 'translation', keepsMeaning: false, trials: 4, passed: 0, mutants: 2, unchanged: 0, broken: 0 },
  ]);
  expect(new Set(heard)).toEqual(
    new Set(['When is 12 May free?', 'Book 14 May.', 'Please: May?', 'Wann ist der zwölfte frei?']),
  );
  const asked = writer.asked.length;
  const replayed = await runSuite({ cwd, paths: ['desk.toml'], workers: 0, replay: 'a.cassette' });
  expect(mutationOf(replayed).robustness).toEqual(robustness);
  // An answer that is no message breaks the trial, and is no failure of the agent.
  said = ' ';
  const silent = await runSuite({ ...options, live: true, models });
  expect(mutationOf(silent).robustness?.types).toMatchObject([
    { trials: 0, broken: 4 },
    { trials: 0, broken: 4 },
  ]);
  expect(writer.asked.length).toBe(asked + 8);
});

test('a model that has nothing to make, and templates that say nothing, are told at load', async () => {
  const problems = async (...changes: readonly (readonly [string, string])[]): Promise<readonly string[]> => {
    const sound = ASKED.replace('ORIGIN', 'http://127.0.0.1:9');
    const text = changes.reduce((all, [from, to]) => all.replace(from, () => to), sound);
    const cwd = mkdtempSync(path.join(tmpdir(), 'passk-made-mutants-'));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    writeFileSync(path.join(cwd, 'desk.toml'), text);
    return (await loadSuite({ cwd, paths: ['desk.toml'] })).issues.map(({ message }) => message);
  };
  expect(await problems(['types = ["paraphrase", "translation"]', 'types = ["typos"]'])).toEqual([
    '"model" has no effect: no mutation of this file takes one.',
  ]);
  expect(await problems(['model = "writer"\n', ''])).toEqual([
    'The mutation "paraphrase" is not made: it takes a model.',
    'The mutation "translation" is not made: it takes a model.',
  ]);
  expect(await problems(['["paraphrase", "translation"]', '["custom"]'])).toEqual([
    'The mutation "custom" does what the file says, and this one says nothing.',
  ]);
  const templates = 'custom_templates = { loud = "Shout it.", formal = "Say this formally: {prompt}" }\n';
  expect(await problems([`["paraphrase", "translation"]\n`, `["custom"]\n${templates}`])).toEqual([
    'The template "loud" does not say where the message stands.',
  ]);
  expect(await problems(['model = "writer"\n', `model = "writer"\n${templates}`])).toEqual([
    '"custom_templates" has no effect: "custom" is not among the types.',
  ]);
  const dry = DESK_FILE.replace(/types = .*/, 'types = ["paraphrase"]\nmodel = "writer"');
  expect(await problems([ASKED.replace('ORIGIN', 'http://127.0.0.1:9'), `dry_run = true\n${dry}`])).toContain(
    'Nobody is asked in a dry run, so that there is no paraphrase.',
  );
});

const WRITTEN = DESK_FILE.replace(
  /types = .*\ncount = 40/,
  `types = ["semantic_similarity_attack", "custom"]
model = "writer"
weights = { custom = 3 }
custom_templates = { formal = "Say this formally: {prompt}", short = "In three words: {prompt}" }`,
);

test('a model changes the prompts of a workflow too, by look-alikes and by templates of the file', async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-made-mutants-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(path.join(cwd, 'desk.toml'), WRITTEN);
  const writer = await startModelServer(({ text }) => {
    // It looks at the message of the user, which is the last of what it is told.
    if (text.includes('Say this formally:')) return answer(`I beg you to ${/cancel.*R-10[34]/is.exec(text)?.[0]}`);
    if (text.includes('In three words:')) return answer('What about it?');
    return answer('Please keep my order R-103, the full service.');
  });
  onTestFinished(() => writer.close());
  const models = {
    writer: { provider: 'openai-compatible', model: 'small', baseUrl: writer.openaiUrl, maxRetries: 0 },
  } as const;
  const options: RunSuiteOptions = { cwd, paths: ['desk.toml'], workers: 1 };
  await expect(runSuite(options)).rejects.toThrow('Messages of desk.toml are mutated by the model "writer"');
  const live = await runSuite({ ...options, live: true, models, record: 'a.cassette' });
  const { robustness, score } = mutationOf(live);
  expect(robustness?.unmutated).toMatchObject({ trials: 2, passed: 2 });
  expect(robustness?.types.map(({ type, trials, passed, broken }) => [type, trials, passed, broken])).toEqual([
    ['semantic_similarity_attack', 2, 0, 0],
    ['custom:formal', 2, 2, 0],
    ['custom:short', 2, 0, 0],
  ]);
  // A map of weights takes the place of all of them, and what it leaves out weighs 1.
  expect(score).toBeCloseTo((100 * 3 * 2) / (2 + 6 + 6), 10);
  expect(renderReport(live)).toContain('custom:formal: pushes · 2 of 2 trials');
  const evidence = mutationOf(live).cells.find(({ column }) => column === 'custom:short')?.evidence;
  expect(evidence).toMatchObject({ prompt: 'What about it?', answer: 'What would you like me to do?' });

  const replay: RunSuiteOptions = { cwd, paths: ['desk.toml'], replay: 'a.cassette' };
  const replayed = await runSuite({ ...replay, workers: 0 });
  expect(mutationOf(replayed).robustness).toEqual(robustness);
  for (const workers of [1, 2]) expect(bytesOf(await runSuite({ ...replay, workers }))).toBe(bytesOf(replayed));
}, 60_000);

test('time that a model takes to change a prompt is none of the workflow, and a prompt that comes back as it is, is no mutant', async () => {
  const cwd = mkdtempSync(path.join(tmpdir(), 'passk-made-mutants-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const quick = WRITTEN.replace(
    /\[\[contract\.invariants\]\]\nid = "is-not[\s\S]*?\n\n/,
    '[[contract.invariants]]\ntype = "latency"\nmax_ms = 1\nid = "quick"\n\n',
  );
  writeFileSync(path.join(cwd, 'desk.toml'), quick);
  const writer: LiveModel = async ({ messages }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const text = String(messages.at(-1)?.content);
    return { content: text.startsWith('Say') ? 'Cancel R-103, R-104.' : (/words: (.*)/s.exec(text)?.[1] ?? text) };
  };
  const { robustness } = mutationOf(await runSuite({ cwd, paths: ['desk.toml'], workers: 0, models: { writer } }));
  expect(robustness?.types.map(({ type, trials, passed, broken }) => [type, trials, passed, broken])).toEqual([
    ['semantic_similarity_attack', 0, 0, 2],
    // The second prompt is read as one about the other order.
    ['custom:formal', 2, 2, 0],
    ['custom:short', 0, 0, 2],
  ]);
});
