import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { builtinNodeSchemas } from '../../src/engine/node-schemas.ts';
import { loadScenarioText } from '../scenario/load-scenario.ts';
import { MEMORY } from '../../src/values/name-from-root.ts';
import { decodeUtf8 } from '../../src/source/decode-utf8.ts';
import { readSource } from '../../src/source/source-file.ts';
import { parseToml } from '../../src/source/toml-document.ts';
import { loadConfig } from '../../src/settings/load-config.ts';
import { loadFile } from '../../src/suite/load-files.ts';
import { SUITE_KINDS } from '../../src/suites/kinds.ts';
import { resolveLoadOptions, resolveRunOptions } from '../../src/settings/options.ts';
import { planRun } from '../../src/suite/plan/plan.ts';
import { registryView } from '../../src/suite/registry-view.ts';
import { parsePrices } from '../../src/baseline/price-table.ts';
import { buildProgram } from '../../src/trial/build-program.ts';
import { builtinRegistry } from '../../src/trial/registry.ts';
import type { Scenario } from '../../src/types/scenario.ts';
import { parseWorkflow } from '../../src/workflow/parse-workflow.ts';
import { corpusTexts } from './corpus-texts.ts';
import { fuzz } from './fuzz.ts';
import { mutatedBytes, mutatedTexts } from './mutations.ts';
import { expectSoundIssues, orRefused } from './sound-issues.ts';

const LONG = 24 * 3_600_000;
const folder = mkdtempSync(path.join(tmpdir(), 'passk-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const view = registryView(builtinRegistry, [], resolveLoadOptions({}));
// What is generated is tried out while it is loaded, and has a hunt of its own.
const isGenerated = ({ path: file }: { readonly path: string }): boolean => path.basename(file) === 'generated.toml';
const scenarios = corpusTexts().filter(
  (one) => !one.path.includes('fixtures') && !one.path.includes('sessions') && !isGenerated(one),
);
const workflows = corpusTexts('fixtures');

test('any text in place of a scenario gives a scenario that runs, or problems with their places', {
  timeout: LONG,
}, async () => {
  const texts = scenarios.map(({ text }) => text);
  await fuzz('scenario files', mutatedTexts(texts), 500, async ({ of, text }) => {
    const cwd = path.dirname(scenarios[of]?.path ?? folder);
    const loaded = loadScenarioText(text, view, { root: cwd, cwd });
    expectSoundIssues(loaded.issues, { file: MEMORY, text, root: cwd });
    expect(loaded.ok).toBe(!loaded.issues.some(({ severity }) => severity === 'error'));
    if (loaded.ok) await orRefused(() => runSome(loaded.scenario, cwd));
  });
});

/** Trials of what has loaded: none may throw, whatever stands in the file. */
async function runSome(scenario: Scenario, root: string): Promise<void> {
  const input = { scenarios: [scenario], registry: builtinRegistry, liveNodes: [], root };
  const [plan] = planRun(input, resolveRunOptions({ trials: 2 })).scenarios;
  if (plan?.traits.sync !== true) return;
  const startClock = (): never => {
    throw new Error('a program that runs at once reads no clock');
  };
  const program = await buildProgram(plan, { plugins: [], callHost: null, startClock, effects: null });
  const tally = program.newTally();
  program.run(0, 2, tally);
  // Trials of an exhaustive scenario are its sequences of answers, however many there are.
  if (scenario.sampler !== 'exhaustive') expect(tally.executed).toBe(2);
}

test('any text in place of a workflow gives a workflow, or problems with their places', { timeout: LONG }, async () => {
  await fuzz('workflow files', mutatedTexts(workflows.map(({ text }) => text)), 1000, ({ text }) => {
    const parsed = parseToml({ path: MEMORY, name: MEMORY, text });
    const found = parsed.ok
      ? parseWorkflow(parsed.document, builtinNodeSchemas, { nodeTypeOf: view.nodeTypeOf })
      : { workflow: null, issues: parsed.issues };
    expectSoundIssues(found.issues, { file: MEMORY, text, root: folder });
    expect(found.workflow !== null).toBe(!found.issues.some(({ severity }) => severity === 'error'));
  });
});

test('any bytes in place of a file give its text, or the place where they stop being text', {
  timeout: LONG,
}, async () => {
  const sound = [...scenarios, ...workflows].slice(0, 60).map(({ text }) => Buffer.from(text));
  const strange = fc.uint8Array({ maxLength: 200 });
  const file = path.join(folder, 'bytes.toml');
  await fuzz('bytes of files', fc.oneof(mutatedBytes(sound), strange), 600, (bytes) => {
    writeFileSync(file, bytes);
    const read = readSource(file, { root: folder });
    const decoded = decodeUtf8(bytes);
    expect(read.ok).toBe(decoded.ok);
    const text = decoded.ok ? decoded.text : new TextDecoder().decode(bytes);
    if (!read.ok) return expectSoundIssues(read.issues, { file: 'bytes.toml', text, root: folder });
    const parsed = parseToml(read.source);
    if (!parsed.ok) expectSoundIssues(parsed.issues, { file: 'bytes.toml', text, root: folder });
  });
});

const CONFIG = `paths = ["suite"]
trials = 100
seed = 7
min_pass_rate = 0.95
gates = ["pass_rate.lower(0.95) >= 0.9", "scenario(a).tokens_per_trial < 200"]
reporters = ["text", "junit:out/report.xml"]
plugins = ["./plugins/a.js"]
history = "runs"

[allow]
net = ["127.0.0.1:8080"]
read = ["data"]
env = true

[models.default]
provider = "openai-compatible"
model = "small"
base_url = "http://127.0.0.1:8080/v1"
price = { input = 1, output = 2 }
`;

test('any text in place of passk.toml gives settings, or problems with their places', { timeout: LONG }, async () => {
  const file = path.join(folder, 'passk.toml');
  await fuzz('passk.toml', mutatedTexts([CONFIG, scenarios[0]?.text ?? '']), 500, async ({ text }) => {
    writeFileSync(file, text);
    await orRefused(async () => {
      try {
        await loadConfig({ cwd: folder });
      } catch (error) {
        const issues = error instanceof Error && 'issues' in error ? (error.issues as never) : [];
        expectSoundIssues(issues, { file: 'passk.toml', text: text.replace(/^\ufeff/, ''), root: folder });
        throw error;
      }
    });
  });
});

test('any text in place of a file of tasks gives sessions that are held, or problems with their places', {
  timeout: LONG,
}, async () => {
  const textOf = (name: string): string =>
    corpusTexts('sessions').find(({ path: file }) => path.basename(file) === name)?.text ?? '';
  const world = textOf('repair-shop.world.toml');
  // Two tasks, so that most changes strike what decides.
  const wholes = ['repair-shop.toml', 'repair-shop-attacked.toml'].map((name) => {
    const [head = '', first = '', second = ''] = textOf(name).split('[[tasks]]\n');
    return `${head.replace(/^world = .*$/m, '')}\n${world}\n[[tasks]]\n${first}[[tasks]]\n${second}`;
  });
  const file = path.join(folder, 's.toml');
  await fuzz('files of tasks', mutatedTexts(wholes), 500, async ({ text }) => {
    writeFileSync(file, text);
    const named = { path: file, name: 's.toml', named: true };
    const loaded = await loadFile(named, view, { root: folder, cwd: folder, only: null, kinds: SUITE_KINDS });
    const shown = text.replace(/^\ufeff/, '');
    expectSoundIssues(loaded?.issues ?? [], { file: 's.toml', text: shown, root: folder });
    for (const row of loaded?.rows ?? []) if (row.ok) await orRefused(() => runSome(row.scenario, folder));
  });
});

test('any text in place of a file with a ladder or mutations gives what runs, or problems with their places', {
  timeout: LONG,
}, async () => {
  const session = `name = "desk"
seed = 7
[session]
[ladder]
kind = "budget"
below = 9
[mutations]
types = ["typos", "case"]
[state]
seen = "{{case.rung}}"
[[tools]]
name = "look"
steps = [{ get = ["seen"] }]
[[agents]]
name = "mine"
endpoint = "http://127.0.0.1:1/"
stateless = true
[[tasks]]
name = "read"
user = { opening = "{{case.text}}" }
gold = { calls = [{ tool = "look" }] }
agents = [{ name = "x", turns = [{ calls = [{ tool = "look" }], repeat = true }] }]
`;
  const corpus = corpusTexts('adversity').filter((one) => !isGenerated(one));
  const at = corpus[0] === undefined ? folder : path.dirname(corpus[0].path);
  const file = path.join(folder, 'd.toml');
  const sound = [
    ...corpus.map(({ text }) => text),
    session,
    session.replace('"budget"\nbelow = 9', '"context"\nrungs = [9, 99]'),
  ];
  await fuzz('files with ladders and mutations', mutatedTexts(sound), 250, async ({ text }) => {
    const moved = text.replaceAll('../fixtures', path.relative(folder, path.join(at, '../fixtures')));
    writeFileSync(file, moved);
    const named = { path: file, name: 'd.toml', named: true };
    const loaded = await loadFile(named, view, { root: folder, cwd: folder, only: null, kinds: SUITE_KINDS });
    const shown = moved.replace(/^\ufeff/, '');
    expectSoundIssues(loaded?.issues ?? [], { file: 'd.toml', text: shown, root: folder });
    for (const row of loaded?.rows.slice(0, 8) ?? []) if (row.ok) await orRefused(() => runSome(row.scenario, folder));
  });
});

const PRICES = JSON.stringify({ prices: { 'gpt-4o-mini': { input: 0.15, output: 0.6 } } });

test('any text in place of a table of prices gives prices, or why not', { timeout: LONG }, async () => {
  await fuzz('prices', mutatedTexts([PRICES]), 500, async ({ text }) => {
    await orRefused(() => parsePrices(text));
  });
});

const CONTRACTS = ['finance.yaml', 'research.yaml'].map((name) =>
  readFileSync(new URL(`../suites/contract/fixtures/${name}`, import.meta.url), 'utf8'),
);
const MERGED = `base: &base {type: latency, max_ms: 1_000}
agent: {endpoint: "http://127.0.0.1:1/", headers: {a: b}}
golden_prompts:
  - a
  - |
    b
  - 'c'
invariants: [*base, {<<: *base, max_ms: 0x10, negate: off}]
contract:
  name: !!str 12
  chaos_matrix: [{profile: api_outage}, {name: x, context_attacks: {overflow: {enabled: yes}}}]
  invariants: [{<<: [*base], id: i}]
`;

test('any text in place of a contract in YAML gives contracts, or problems with their places', {
  timeout: LONG,
}, async () => {
  const file = path.join(folder, 'c.contract.yaml');
  const sound = [...CONTRACTS, MERGED, scenarios[0]?.text ?? ''];
  await fuzz('contracts in YAML', mutatedTexts(sound), 400, async ({ text }) => {
    writeFileSync(file, text);
    const loaded = await loadFile({ path: file, name: 'c.contract.yaml', named: true }, view, {
      root: folder,
      cwd: folder,
      only: null,
      kinds: SUITE_KINDS,
    });
    const shown = text.replace(/^\ufeff/, '');
    expectSoundIssues(loaded?.issues ?? [], { file: 'c.contract.yaml', text: shown, root: folder });
    const isSound = !loaded?.issues.some(({ severity }) => severity === 'error');
    expect(loaded?.rows.every(({ ok }) => ok)).toBe(isSound);
    expect((loaded?.definitions.length ?? 0) > 0).toBe(isSound);
  });
});
