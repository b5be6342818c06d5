import { describe, expect, test } from 'vitest';
import { runSuite } from '../../src/suite/run-suite.ts';
import type { ContractReport } from '../../src/types/reports/contract-report.ts';
import type { Permissions } from '../../src/types/permissions.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { inFolder, matrixOf, onlyContract } from '../suite/contract-runs.ts';

const contract = (agent: string, columns: string, trials = 1): string => `
golden_prompts = ["What does it cost?"]
[agent]
${agent}
[contract]
name = "boundary"
trials = ${trials}
[[contract.invariants]]
id = "no-secret"
type = "contains"
value = "secret"
negate = true
severity = "critical"
[[contract.chaos_matrix]]
name = "struck"
${columns}
`;

async function run(text: string, files: Readonly<Record<string, string>>, permissions: Partial<Permissions>) {
  return inFolder(
    { 'boundary.toml': text, ...files },
    async (cwd): Promise<ContractReport> =>
      onlyContract(await runSuite({ cwd, workers: 0, permissions: permissions as Permissions })),
  );
}

describe('faults that come before an agent is asked', () => {
  test.each([
    'tool_faults = [{ tool = "*", mode = "error" }]',
    'profile = "api_outage"',
    'llm_faults = [{ mode = "timeout" }]',
    'llm_faults = [{ mode = "rate_limit" }]',
  ])('judge nobody, and say how to strike the agent itself: %s', async (columns) => {
    const server = await anHttpServer((_, response) => void response.end('Five.'));
    const net = [`127.0.0.1:${server.port}`];
    const report = await run(contract(`endpoint = "${server.origin}/ask"`, columns), {}, { net });
    expect([matrixOf(report), report.verdict]).toEqual([['?'], 'insufficient']);
    const why =
      'faults struck at the boundary, before the agent was asked, so no struck answer is its own; ' +
      'send its calls through the proxy (proxy_port)';
    expect(report.cells[0]?.why).toBe(why);
    expect(report.reasons).toEqual([
      '1 critical cell proved nothing: no-secret in struck.',
      `No cell was judged: ${why}.`,
    ]);
  });
});

test('where nothing was judged because a fault is rare, the reason says how many trials it takes', async () => {
  const server = await anHttpServer((_, response) => void response.end('Five.'));
  const rare = contract(
    `endpoint = "${server.origin}/ask"`,
    'llm_faults = [{ mode = "truncated_response", max_tokens = 0, probability = 0.01 }]',
  );
  const report = await run(rare, {}, { net: [`127.0.0.1:${server.port}`] });
  expect(report.reasons.at(-1)).toBe(
    'No cell was judged: never fired: llm: truncated_response; with a probability of 0.01 it takes about --trials 299.',
  );
});

test('a module beside the contract is granted by its name alone, as by its path', async () => {
  const files = { 'agent.mjs': 'export default () => "Five.";' };
  for (const granted of ['agent.mjs', './agent.mjs']) {
    const report = await run(contract('module = "agent.mjs"', ''), files, { run: [granted] });
    expect([granted, matrixOf(report)]).toEqual([granted, ['P']]);
  }
});

test('why an agent cannot be asked stands alone, without the functions in between', async () => {
  const files = { 'agent.mjs': 'throw new Error("no key");' };
  const report = await run(contract('module = "agent.mjs"', ''), files, { run: ['./agent.mjs'] });
  expect(report.cells[0]?.why).toMatch(/^1 trial is broken \((?!Function|Host)/);
  expect(report.cells[0]?.why).not.toContain('failed:');
});
