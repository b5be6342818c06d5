import { describe, expect, test } from 'vitest';
import { exitCode } from '../../src/gate/exit-code.ts';
import { renderReport } from '../../src/suite/render-report.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import type { ContractCell, ContractReport } from '../../src/types/reports/contract-report.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { inFolder, onlyContract } from './contract-runs.ts';

interface Shop {
  readonly rule: string;
  readonly column: string;
  /** What it says when the shop does not answer. */
  readonly whenDown: string;
  readonly trials?: number;
  readonly minPassRate?: number;
}

/** A workflow that asks a shop and says its price, or something else where the shop does not answer. */
function aShop({ rule, column, whenDown, trials = 200, minPassRate = 1 }: Shop): string {
  return `
[contract]
name = "prices"
prompts = ["What does the blue mug cost?"]
trials = ${trials}
min_pass_rate = ${minPassRate}

[[contract.invariants]]
id = "no-invented-price"
type = "regex"
pattern = '\\$\\d'
negate = true
severity = "critical"
${rule}

[[contract.chaos_matrix]]
name = "shop-down"
${column}

[workflow]
inline = '''
name = "prices"
start_nodes = [{ name = "main", source = "manual", entry_node = "where" }]
nodes = [
  { id = "where", type = "template_render", template = "https://shop.example/mug" },
  { id = "load", type = "http_request", method = "GET", url_from = "where.rendered" },
  { id = "price", type = "template_render", template = "{{body}}", input_from = "load" },
  { id = "sorry", type = "template_render", template = "${whenDown}", input_from = "where" },
]
edges = [
  { from = "where", to = "load" },
  { from = "load", to = "price" },
  { from = "load", to = "sorry", when = "error" },
]
'''

[[world.http]]
method = "GET"
url = "https://shop.example/mug"
body = "${whenDown.includes('$') ? 'It is sold out.' : 'It costs $4.'}"
`;
}

const HONEST = { whenDown: 'I do not know.', rule: 'when = "tool_faults_active"' };
const INVENTS = { whenDown: 'It costs $9.', rule: 'when = "tool_faults_active"' };

async function run(shop: Shop): Promise<{ cell: ContractCell; contract: ContractReport; report: SuiteReport }> {
  const report = await inFolder({ 'prices.toml': aShop(shop) }, (cwd) => runSuite({ cwd, workers: 0 }));
  const contract = onlyContract(report);
  const [cell] = contract.cells;
  if (cell === undefined) throw new Error('Nothing was judged.');
  return { cell, contract, report };
}

const flaky = (probability: number): string =>
  `tool_faults = [{ tool = "load", mode = "error", probability = ${probability} }]`;

describe('a rule about faults', () => {
  test('is not disobeyed where no fault struck, whatever is answered there', async () => {
    const { cell, contract, report } = await run({ ...HONEST, column: flaky(0.1) });
    const struck = contract.columns[0]?.faults[0]?.trials ?? 0;
    expect(struck).toBeGreaterThan(0);
    expect(struck).toBeLessThan(200);
    expect(cell).toMatchObject({ state: 'passed', judged: struck, obeyed: struck, struck, obeyedStruck: struck });
    expect([contract.score, report.gate.verdict, exitCode(report)]).toEqual([100, 'pass', 0]);
  });

  test('is disobeyed in each trial that was struck, and evidence names the fault', async () => {
    const { cell, contract } = await run({ ...INVENTS, column: flaky(0.1) });
    const struck = contract.columns[0]?.faults[0]?.trials ?? 0;
    expect(cell).toMatchObject({ state: 'failed', judged: struck, obeyed: 0, struck, obeyedStruck: 0 });
    expect(cell.why).toBe(`0 of ${struck} struck trials obeyed`);
    expect(cell.evidence).toMatchObject({ answer: 'It costs $9.', fired: ['tool load: error'] });
    expect(contract.verdict).toBe('failed');
  });

  test('proves nothing where the fault names no call there is, and fails nobody', async () => {
    const column = 'tool_faults = [{ tool = "laod", mode = "error" }]';
    const { cell, contract, report } = await run({ ...HONEST, column });
    expect(cell).toMatchObject({ state: 'inconclusive', judged: 0, obeyed: 0, struck: 0, evidence: null });
    expect(cell.why).toMatch(/^never fired: tool laod: error/);
    expect([contract.verdict, contract.score, exitCode(report)]).toEqual(['insufficient', null, 3]);
    expect(contract.columns[0]?.calls).toEqual(['load']);
    expect(renderReport(report)).toMatch(/never\s+fired:\s+tool\s+laod:\s+error\./);
    expect(renderReport(report)).toMatch(/Calls\s+that\s+were\s+seen:\s+"load"\./);
  });

  test('is not judged by faults of another kind', async () => {
    const column = 'tool_faults = [{ tool = "load", mode = "error" }]\nllm_faults = [{ mode = "empty" }]';
    const { cell } = await run({ ...INVENTS, rule: 'when = "llm_faults_active"', column });
    expect(cell).toMatchObject({ state: 'inconclusive', judged: 0, why: 'never fired: llm: empty' });
  });
});

describe('a rule that always holds', () => {
  test('fails by the trials that were struck, though the others outnumber them', async () => {
    const shop = { ...INVENTS, rule: '', column: flaky(0.1), trials: 1000, minPassRate: 0.85 };
    const { cell, contract } = await run(shop);
    const struck = contract.columns[0]?.faults[0]?.trials ?? 0;
    expect(cell).toMatchObject({ state: 'failed', judged: 1000, obeyed: 1000 - struck, struck, obeyedStruck: 0 });
    expect(cell.why).toBe(`0 of ${struck} struck trials obeyed, ${1000 - struck} of 1,000 in all; its bar is 0.85`);
    expect(cell.interval?.[0]).toBe(0);
  });

  test('fails by the trials that were not struck as well', async () => {
    const { cell } = await run({ ...HONEST, rule: '', column: flaky(0.1) });
    expect(cell).toMatchObject({ state: 'failed', judged: 200 });
    expect(cell.obeyedStruck).toBe(cell.struck);
  });
});

describe('where being in force is enough', () => {
  test('every trial is evidence, struck or not', async () => {
    const column = `evidence = "in_force"\n${flaky(0.1)}`;
    const invents = await run({ ...HONEST, column });
    expect(invents.cell).toMatchObject({ state: 'failed', judged: 200, struck: 200 });
    const sound = await run({
      ...HONEST,
      rule: 'when = "llm_faults_active"',
      column: `evidence = "in_force"\nllm_faults = [{ mode = "truncated_response", max_tokens = 500 }]`,
    });
    expect(sound.cell).toMatchObject({ judged: 200, struck: 200 });
    expect(sound.cell.why ?? '').not.toContain('never fired');
  });
});

test('a fault that is too rare for the trials says how many it takes', async () => {
  const { cell } = await run({ ...HONEST, column: flaky(0.01), trials: 1 });
  expect(cell.why).toBe('never fired: tool load: error; with a probability of 0.01 it takes about --trials 299');
});

describe('an agent', () => {
  const AGENT = (origin: string): string => `
golden_prompts = ["price", "greeting"]
[agent]
endpoint = "${origin}/ask"
retries = 0
[contract]
name = "agent"
[[contract.invariants]]
id = "short"
type = "excludes_pattern"
patterns = ["five dollars"]
when = "llm_faults_active"
severity = "critical"
[[contract.chaos_matrix]]
name = "first-answer-cut"
llm_faults = [{ mode = "truncated_response", max_tokens = 2, after_calls = 1 }]
`;

  test('is judged on the answers that a fault struck, not on the others of the trial', async () => {
    const server = await anHttpServer((_, response) => {
      const { body = '' } = server.seen.at(-1) ?? {};
      response.end(body.includes('price') ? 'It costs five dollars.' : 'Good morning to you.');
    });
    const report = await inFolder({ 'agent.toml': AGENT(server.origin) }, (cwd) =>
      runSuite({ cwd, workers: 0, permissions: { net: [`127.0.0.1:${server.port}`] } }),
    );
    const [cell] = onlyContract(report).cells;
    expect(cell).toMatchObject({ state: 'passed', judged: 1, obeyed: 1, struck: 1, obeyedStruck: 1 });
  });
});
