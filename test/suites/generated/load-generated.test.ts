import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type LoadedSuite, loadSuite } from '../../../src/index.ts';

const PLUGIN = path.join(import.meta.dirname, 'plugins', 'ledgers.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'passk-generated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Loads a file that generates, with the generators of the plug-in. */
async function load(generate: string, beside = ''): Promise<LoadedSuite> {
  const cwd = mkdtempSync(path.join(folder, 'one-'));
  writeFileSync(path.join(cwd, 'led.toml'), `name = "led"\n${beside}\n[generate]\n${generate}\n`);
  return loadSuite({ cwd, plugins: [PLUGIN] });
}

async function problemsOf(generate: string, beside = ''): Promise<readonly string[]> {
  return (await load(generate, beside)).issues.map(({ message }) => message);
}

/** The set that a file gave, and how many were thrown out for which reason. */
async function setOf(family: string, more = '', timeoutMs = 60_000) {
  const { definitions, issues, scenarios } = await load(
    `family = "${family}"\ncount = 2\ntimeout_ms = ${timeoutMs}\n${more}`,
  );
  const set = definitions.find((one) => one.kind === 'generated');
  return { rejected: set?.rejected, drawn: set?.drawn, issues: issues.map(({ message }) => message), scenarios };
}

test('a sound generator gives as many scenarios as are wanted, each with its changes', async () => {
  const { rejected, drawn, issues, scenarios } = await setOf(
    'ledger',
    'relations = ["renamed_ids", "irrelevant_context"]',
  );
  expect({ rejected, drawn, issues }).toEqual({ rejected: [], drawn: 2, issues: [] });
  expect(scenarios.map(({ name }) => name.replace(/\d{3,}/, 'N'))).toEqual([
    'led 00: book N',
    'led 00 · renamed_ids: book N',
    'led 00 · irrelevant_context: book N',
    'led 01: book N',
    'led 01 · renamed_ids: book N',
    'led 01 · irrelevant_context: book N',
  ]);
  expect(scenarios[1]).toMatchObject({
    tags: ['generated', 'relation:renamed_ids'],
    generated: { n: 0, relation: 'renamed_ids', original: scenarios[0]?.name },
  });
});

test.each([
  ['of_nothing', 'null_passes', /^Who does nothing passes "led 00: book \d+"\.$/],
  ['of_echoes', 'echo_passes', /^Who repeats what it hears passes "led 00: book \d+"\.$/],
  ['of_wrong_gold', 'gold_fails', /^The gold plan of "led 00: book \d+" fails it\.$/],
  ['of_failing_gold', 'invalid', /^tasks\[0\]\.gold\.calls\[0\]: This gold call fails on a fresh world: /],
  ['of_unknown_keys', 'invalid', /^"tsks" is not a known key\.$/],
  ['counts', 'impure', /^The same seed gave another scenario the second time\.$/],
  ['gives_a_promise', 'invalid', /^It gave a promise, and must answer at once\.$/],
  ['gives_text', 'invalid', /^What it gave is no object with a `document`\.$/],
  ['gives_half_a_character', 'invalid', /^A text with half a character/],
  ['reads_a_file', 'threw', /it called fs\.readFileSync\(\)\.$/],
  ['listens', 'threw', /it called net\.createServer\(\)\.$/],
  ['fetches', 'threw', /it called fetch\(\)\.$/],
  ['asks_the_clock', 'threw', /it called Date\.now\(\)\. Draw from `random`\.$/],
  ['makes_a_date', 'threw', /it called Date\.now\(\)\. Draw from `random`\.$/],
  ['throws_dice', 'threw', /it called Math\.random\(\)\. Draw from `random`\.$/],
  ['gives_nothing', 'invalid', /^It gave nothing, and must return a scenario\.$/],
  ['rejects_late', 'threw', /^Its generator failed at ledgers\.mjs:\d+:\d+: too late, after it had answered$/],
  ['leaves_the_process', 'threw', /it called process\.exit\(\)\.$/],
])('what %s gives is thrown out: %s', async (family, reason, detail) => {
  const { issues } = await setOf(family);
  expect(issues).toHaveLength(1);
  const [, counts, first] =
    /^Of 15 generated scenarios none stands: (.*)\. The first: (.*)$/.exec(issues[0] ?? '') ?? [];
  expect([counts, first]).toEqual([`15 ${reason}`, expect.stringMatching(detail)]);
});

test('a family whose customers want nothing gives nothing, since doing nothing would pass it', async () => {
  expect(await problemsOf('family = "repair_shop"\ncount = 1\nparams = { changes = 0 }')).toEqual([
    'Of 10 generated scenarios none stands: 10 null_passes. The first: Who does nothing passes "led 0: nothing to do · sound".',
  ]);
});

test('a generator that throws, never ends or dies costs the scenario that it was asked for', async () => {
  for (const [family, timeoutMs, detail] of [
    ['throws_each_second', 60_000, /^Its generator failed at ledgers\.mjs:\d+:\d+: no ledger today$/],
    ['never_ends', 2000, /^Its generator did not end within 2000 ms\.$/],
    ['runs_out_of_memory', 60_000, /^Its generator died: /],
  ] as const) {
    const { rejected, drawn, issues, scenarios } = await setOf(family, '', timeoutMs);
    expect([drawn, issues, scenarios.length]).toEqual([3, [], 2]);
    expect(rejected).toEqual([
      expect.objectContaining({ n: 1, reason: 'threw', detail: expect.stringMatching(detail) }),
    ]);
  }
});

test('fewer than were wanted are told, with the reasons', async () => {
  const { rejected, issues, scenarios } = await setOf('of_doubles');
  expect(scenarios).toHaveLength(1);
  expect(rejected?.every(({ reason }) => reason === 'double')).toBe(true);
  expect(issues).toEqual(['Only 1 of 2 wanted scenarios stand: 15 were generated, and thrown out: 14 double.']);
});

test('a change that names places which are not there is thrown out alone', async () => {
  const { rejected, scenarios } = await setOf('of_wrong_places', 'relations = ["irrelevant_context"]');
  expect(scenarios).toHaveLength(2);
  expect(rejected).toEqual(
    [0, 1].map((n) =>
      expect.objectContaining({
        n,
        relation: 'irrelevant_context',
        reason: 'invalid',
        detail: 'No text stands at "tasks.0.user.greeting", which its `context` names.',
      }),
    ),
  );
});

test('all that is wrong with the table is told at once', async () => {
  expect(await problemsOf('family = "repair_shp"\ncount = 0\nweek = "2025-W53"\nseed = 1\nhash = "no"')).toEqual([
    '"generate.count" must be at least 1 and at most 1000, not 0.',
    expect.stringContaining('"generate.hash"'),
    'There is no generator "repair_shp".',
    'The week gives a seed, so that there are two.',
    'This is no ISO week: 2025 has the weeks 01 to 52.',
  ]);
  expect(await problemsOf('family = "repair_shop"\ncount = 1\nseed = -1\nparams = { change = 1 }')).toEqual([
    '"generate.seed" must be at least 0 and at most 9007199254740991, not -1.',
    '"change" is not a known key.',
  ]);
  expect(await problemsOf('family = "repair_shop"\ncount = 1\nweek = "2026-W54"')).toEqual([
    'This is no ISO week: 2026 has the weeks 01 to 53.',
  ]);
});

test('what the file says beside the table is its own problem, at its place', async () => {
  const { issues } = await load('family = "ledger"\ncount = 1', 'state = { a = 1 }');
  expect(issues).toMatchObject([
    { message: 'The generator gives "state" to each scenario.', at: { file: 'led.toml', line: 2, column: 1 } },
  ]);
  const wrong = await load('family = "ledger"\ncount = 1\n[[agents]]\nname = "mine"\nendpoint = "ftp://x"\nfoo = 1');
  expect(wrong.issues.map(({ at }) => [at?.line, at?.column])).toEqual([
    [9, 1],
    [8, 12],
  ]);
});

test('a set with another hash than the file says is an error', async () => {
  const { definitions } = await load('family = "ledger"\ncount = 1');
  const hash = definitions.find((one) => one.kind === 'generated')?.hash ?? '';
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(await problemsOf(`family = "ledger"\ncount = 1\nhash = "${hash}"`)).toEqual([]);
  const other = await load(`family = "ledger"\ncount = 1\nseed = 1\nhash = "${hash}"`);
  expect(other.scenarios).toEqual([]);
  expect(other.issues).toMatchObject([
    { code: 'other_set', message: expect.stringContaining('another one'), at: { line: 7, column: 8 } },
  ]);
});

test('the hash is of what was generated, not of who is tried on it', async () => {
  const hashOf = async (generate: string, beside = '') => {
    const { definitions } = await load(`family = "repair_shop"\ncount = 2\n${generate}`, beside);
    return definitions.find((one) => one.kind === 'generated')?.hash;
  };
  const [plain, again, tagged, other] = [
    await hashOf('week = "2026-W48"'),
    await hashOf('week = "2026-W48"'),
    await hashOf('week = "2026-W48"\n[[agents]]\nname = "mine"\nendpoint = "http://127.0.0.1:1"', 'trials = 3'),
    await hashOf('week = "2026-W49"'),
  ];
  expect([again, tagged]).toEqual([plain, plain]);
  expect(other).not.toBe(plain);
  // The same on every machine and in every version: what changes it changes what runs are compared by.
  expect(plain).toBe(LOCKED);
});

const LOCKED = 'e7cb47c95600a50a98750cb660d9d54b5c5dc8ebb0f2ed226fd5ab32607b9d26';
