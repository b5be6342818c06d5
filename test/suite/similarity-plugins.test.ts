import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  listPlugins,
  loadSuite,
  mergeShards,
  renderReport,
  runShard,
  runSuite,
  type RunSuiteOptions,
  traceTrial,
} from '../../src/index.ts';
import { prepareRun } from '../../src/suite/run-suite.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { inFolder, matrixOf, onlyContract } from './contract-runs.ts';
import { HELLO_WORKFLOW } from './hello-workflow.ts';

const plugins = [fileURLToPath(new URL('./fixtures/similarities.mjs', import.meta.url))];

/** Everything that is said is `Hello.`, and nothing is under chaos. */
function aContract(similarity: string | null, subject = HELLO_WORKFLOW): string {
  return `
[contract]
name = "Alike"
prompts = ["Hello?"]
trials = 3
${similarity === null ? '' : `similarity = "${similarity}"`}
[[contract.invariants]]
id = "is-like"
type = "similarity"
expected = "123456"
threshold = 1
when = "no_chaos"
[[contract.invariants]]
id = "unchanged"
type = "behavior_unchanged"
[[contract.invariants]]
id = "says-something"
type = "output_not_empty"
probes = ["Say something."]
[[contract.chaos_matrix]]
name = "calm"
[[contract.chaos_matrix]]
name = "cut"
llm_faults = [{ mode = "empty" }]
${subject}`;
}

function run(similarity: string | null, options: RunSuiteOptions = {}): ReturnType<typeof runSuite> {
  return inFolder({ 'alike.toml': aContract(similarity) }, (cwd) => runSuite({ cwd, workers: 0, plugins, ...options }));
}

test('a contract compares texts by the plug-in that it names, in workers, and its report names it', async () => {
  const [own, theirs] = [await run(null), await run('same-length')];
  expect([matrixOf(onlyContract(own)), matrixOf(onlyContract(theirs))]).toEqual([
    ['F-', 'PF', 'PF'],
    ['P-', 'PF', 'PF'],
  ]);
  expect([onlyContract(own).similarity, onlyContract(theirs).similarity]).toEqual([
    'lexical cosine of words and character trigrams',
    'same-length',
  ]);
  expect([own.timing.executor, theirs.timing.executor]).toEqual(['inline', 'workers']);
  const evidence = onlyContract(theirs).cells.find(({ state }) => state === 'failed')?.evidence;
  expect(evidence?.message).toContain('got a similarity of 0');
  expect(evidence?.replay).toContain(' --plugin ');
});

test('the report is the same for any number of workers and from shards', async () => {
  await inFolder({ 'alike.toml': aContract('same-length') }, async (cwd) => {
    const options = { cwd, plugins };
    const bytes = (report: Awaited<ReturnType<typeof runSuite>>) =>
      renderReport(report, { reporter: 'json', timing: false });
    const one = await runSuite({ ...options, workers: 1 });
    const two = await runSuite({ ...options, workers: 2 });
    const shards = await Promise.all(
      [1, 2].map(async (index) => {
        const { bytes: shard } = await runShard({ ...options, workers: 1, shard: { index, count: 2 } });
        return { name: `${index}.shard`, bytes: shard };
      }),
    );
    const { report: merged } = await mergeShards(shards, { cwd });
    expect([bytes(two), bytes(merged)]).toEqual([bytes(one), bytes(one)]);
  });
});

test('only parts that compare texts run code of the user', async () => {
  await inFolder({ 'alike.toml': aContract('same-length') }, async (cwd) => {
    const { plan } = await prepareRun(resolveRunOptions({ cwd, plugins }));
    expect(plan.scenarios.map(({ scenario, userCode }) => [scenario.name, userCode])).toEqual([
      ['Alike: calm, prompt 1', true],
      ['Alike: calm, probe 1', false],
      ['Alike: cut, prompt 1', true],
      ['Alike: cut, probe 1', false],
    ]);
  });
});

test('passk names its own method too, which is then the same run', async () => {
  const named = await run('lexical');
  expect(named.timing.executor).toBe('inline');
  const [a, b] = [named, await run(null)].map(({ timing: _, ...report }) => report);
  expect(a).toEqual(b);
});

test.each([
  ['throws', 'Similarity "throws" failed at similarities.mjs:10:11: a planted error'],
  ['cannot-start', 'Similarity "cannot-start" failed at similarities.mjs:13:11: no model here'],
  ['too-much', 'Similarity "too-much" gave 1.5: it gives at once a number from 0 to 1'],
  ['no-number', 'Similarity "no-number" gave NaN: it gives at once a number from 0 to 1'],
  ['later', 'Similarity "later" gave a promise: it gives at once a number from 0 to 1'],
])('trials whose similarity %s are broken, and the plug-in is named', async (type, cause) => {
  const { cells, verdict } = onlyContract(await run(type));
  const cell = cells.find(({ invariant, column }) => invariant === 'is-like' && column === 'calm');
  expect([verdict, cell?.state, cell?.why]).toEqual(['insufficient', 'broken', expect.stringContaining(cause)]);
});

test.each([
  ['same-lenght', plugins, 'Did you mean "same-length"?'],
  ['same-length', [], 'Name the module of its plug-in with --plugin. There is lexical.'],
  ['Lexicla', [], 'Did you mean "lexical"?'],
])('the unknown similarity %s is an error with its place', async (similarity, given, hint) => {
  const files = { 'alike.toml': aContract(similarity) };
  const { issues } = await inFolder(files, (cwd) => loadSuite({ cwd, plugins: given }));
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([
    {
      code: 'unknown_similarity',
      severity: 'error',
      message: `There is no similarity "${similarity}".`,
      at: expect.objectContaining({ file: 'alike.toml', line: 6, column: 14 }),
      hint,
    },
  ]);
});

test('ways to compare texts are listed, and a word means one of them', async () => {
  const listed = (await listPlugins({ plugins })).filter(({ kind }) => kind === 'similarity');
  expect(listed.slice(0, 2)).toEqual([
    {
      kind: 'similarity',
      type: 'lexical',
      summary: 'Wording, not meaning: lexical cosine of words and character trigrams.',
      origin: 'passk',
    },
    { kind: 'similarity', type: 'same-length', summary: 'Compares by same-length.', origin: 'user' },
  ]);
  const again = "export const mine = { kind: 'similarity', type: 'lexical', summary: 'Mine.', create: () => () => 1 };";
  await inFolder({ 'mine.mjs': again }, async (cwd) => {
    await expect(listPlugins({ cwd, plugins: ['./mine.mjs'] })).rejects.toMatchObject({
      code: 'PLUGIN',
      message: 'There is already a similarity "lexical".',
    });
  });
});

test('an agent is compared by the plug-in too; its trials are shown from a cassette', async () => {
  const { origin, port } = await anHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"output":"Hello."}');
  });
  const agent = `[agent]\nendpoint = "${origin}/ask"\nreset_endpoint = "/reset"`;
  const options = { plugins, permissions: { net: [`127.0.0.1:${port}`] } };
  await inFolder(
    { 'alike.toml': aContract('same-length', agent).replace('threshold = 1', '$&\nnegate = true') },
    async (cwd) => {
      const record = path.join(cwd, 'alike.cassette');
      const contract = onlyContract(await runSuite({ ...options, cwd, workers: 1 }));
      expect(matrixOf(contract)).toEqual(['F-', 'PF', 'PF']);
      expect(contract.cells[0]?.evidence?.replay).toBeNull();
      const traced = { cwd, file: 'alike.toml', part: 'calm', trial: 0, plugins };
      await expect(traceTrial({ ...options, ...traced })).rejects.toMatchObject({ code: 'USAGE' });
      const recorded = onlyContract(await runSuite({ ...options, cwd, workers: 1, record }));
      expect(recorded.cells[0]?.evidence?.replay).toContain('--replay alike.cassette');
      const { result } = await traceTrial({ ...traced, replay: record });
      expect(result.findings.map(({ check }) => check)).toEqual(['is-like']);
    },
  );
});
