import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  loadSuite,
  runSuite,
  type SampledScenario,
  sampleAgreement,
  scoreSamples,
  trialSampler,
} from '../../src/index.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-faithful-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function run(name: string, text: string, other?: string): Promise<SampledScenario> {
  writeFileSync(path.join(cwd, name), text);
  if (other !== undefined) writeFileSync(path.join(cwd, 'runs.json'), other);
  const { scenarios } = await runSuite({ paths: [name], cwd, workers: 0 });
  return scenarios[0] as SampledScenario;
}

const SHOP = (faithful: string, says = 'Order W-1 left on May 3 and costs €308.'): string => `name = "shop"
[session]
[state]
[state.orders.W-1]
shipped = "2024-05-03"
total = 308.0
[[tools]]
name = "get_order"
parameters = { properties = { id = { type = "string" } }, required = ["id"] }
steps = [{ get = ["orders", "{{args.id}}"] }]
[[tools]]
name = "policy"
steps = []
result = "Returns within 30 days."
[[tasks]]
name = "where"
user = { opening = "Where is order W-1?" }
agents = [{ name = "a", turns = [{ calls = [{ tool = "get_order", args = { id = "W-1" } }], says = "${says}" }] }]
[tasks.expected]
faithful = ${faithful}
`;

const failureOf = ({ failures }: SampledScenario): string | undefined =>
  failures[0]?.findings.find(({ verdict }) => verdict === 'fail')?.message;

test('what an agent says is held against the results of its tools and the words of its user', async () => {
  const held = await run('shop.toml', SHOP('{ user = true }'));
  expect(held).toMatchObject({ verdict: 'passed' });
  const alone = await run('shop.toml', SHOP('{}'));
  expect(alone.verdict).toBe('failed');
  const other = await run('shop.toml', SHOP('{ user = true, tools = ["policy"] }'));
  expect(other.verdict).toBe('failed');
});

test('a failing trial says which claim no context supports, and what of it', async () => {
  const failed = await run('shop.toml', SHOP('{ user = true }', 'Order W-1 left on May 4.'));
  expect(failureOf(failed)).toBe(
    'faithful (heuristic): expected contexts that support every claim, got 0 of 1 supported; "Order W-1 left on May 4." (no context has "May 4")',
  );
  const partly = SHOP('{ user = true, min_score = 0.5 }', 'Order W-1 left on May 4. It costs €308.');
  expect((await run('shop.toml', partly)).verdict).toBe('passed');
});

test('a share of 0 is told to assert nothing, and a tool that the world lacks is an error', async () => {
  writeFileSync(path.join(cwd, 'odd.toml'), SHOP('{ min_score = 0, tools = ["get_ordr"] }'));
  const { issues } = await loadSuite({ paths: ['odd.toml'], cwd });
  expect(issues).toMatchObject([
    {
      code: 'asserts_nothing',
      severity: 'warning',
      message: '`min_score = 0` asserts nothing: everything reaches it.',
    },
    { code: 'unknown_tool', severity: 'error', hint: 'Did you mean "get_order"?' },
  ]);
});

test('an answer without a fact is not faithful by that', async () => {
  const empty = SHOP('{}', 'Please call us.');
  expect(failureOf(await run('shop.toml', empty))).toContain(
    'got 0 with facts to look for, of the 1 that there must be',
  );
  const allowed = SHOP('{ min_claims = 0 }', 'Please call us.');
  expect((await run('shop.toml', allowed)).verdict).toBe('passed');
});

const WORKFLOW = (faithful: string): string => `name = "rag"
[expected]
faithful = ${faithful}
[workflow]
inline = '''
name = "rag"
[[start_nodes]]
name = "main"
source = "manual"
[[nodes]]
id = "find"
type = "llm_infer"
backend = "default"
prompt = "{{q}}"
input_from = "trigger"
[[nodes]]
id = "say"
type = "llm_infer"
backend = "default"
prompt = "{{find}}"
input_from = "find"
[[edges]]
from = "find"
to = "say"
'''
[trigger]
payload = { q = "How long?" }
[[intel.turns]]
node = "find"
content = "Returns within 30 days, to Denver."
[[intel.turns]]
node = "say"
content = "You have thirty days to send it to Denver."
`;

test('the final value of a workflow is held against texts and outputs of nodes, which must be there', async () => {
  expect(await run('rag.toml', WORKFLOW('{ texts = ["30 days, Denver"] }'))).toMatchObject({ verdict: 'passed' });
  expect(await run('rag.toml', WORKFLOW('{ nodes = ["find"] }'))).toMatchObject({ verdict: 'passed' });
  expect(await run('rag.toml', WORKFLOW('{ texts = ["14 days, Denver"] }'))).toMatchObject({ verdict: 'failed' });
  writeFileSync(path.join(cwd, 'rag.toml'), WORKFLOW('{ nodes = ["fnd"] }'));
  const { issues } = await loadSuite({ paths: ['rag.toml'], cwd });
  expect(issues).toMatchObject([{ code: 'unknown_node', hint: 'Did you mean "find"?' }]);
});

const RECORDED = `name = "recorded"
min_pass_rate = 0.5
[recording]
files = ["runs.json"]
verdict = "own"
faithful = {}
`;

test('recorded runs are held against the contexts that their source has', async () => {
  const testCases = ['It opened in 1934.', 'It opened in 1943.'].map((actualOutput, index) => ({
    name: `case ${index}`,
    input: 'When did it open?',
    actualOutput,
    retrievalContext: ['The bridge was opened on 3 May 1934.'],
    success: true,
    metricsData: [{ name: 'Any', score: 1, threshold: 0.5, success: true }],
  }));
  const scenario = await run('recorded.toml', RECORDED, JSON.stringify({ testCases }));
  expect(scenario).toMatchObject({
    verdict: 'passed',
    trials: { passed: 1, failed: 1 },
    checks: [{ check: 'faithful (heuristic)', failed: 1 }],
  });
});

test('trials of a scenario are samples of its subject, and say how far it agrees with itself', async () => {
  const two = WORKFLOW('{ texts = ["30 days, Denver"] }').replace(
    'content = "You have thirty days to send it to Denver."',
    'variants = [{ content = "Thirty days." }, { content = "A month." }]',
  );
  writeFileSync(path.join(cwd, 'two.toml'), two);
  const sampler = trialSampler({ file: 'two.toml', cwd, seed: 3 });
  const samples = await sampler.sample(8);
  expect(new Set(samples)).toEqual(new Set(['Thirty days.', 'A month.']));
  expect(await scoreSamples(sampler, 8)).toBe(sampleAgreement(samples));
});
