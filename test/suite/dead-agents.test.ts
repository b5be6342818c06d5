import { describe, expect, test } from 'vitest';
import { exitCode } from '../../src/gate/exit-code.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { freePort } from '../support/free-port.ts';
import { inFolder, matrixOf, onlyContract } from './contract-runs.ts';

const RULES = [
  'type = "latency"\nmax_ms = 60000',
  'type = "tool_not_called"\ntool = "*"',
  'type = "max_tokens"\nmax_tokens = 100000',
  'type = "regex"\npattern = "secret"\nnegate = true',
  'type = "latency"\nmax_ms = 60000\nnegate = true',
  'type = "excludes_pii"',
];

function run(origin: string, agent = 'timeout_ms = 5000'): Promise<SuiteReport> {
  const rules = RULES.map((rule, at) => `[[contract.invariants]]\nid = "rule-${at}"\n${rule}\nseverity = "critical"`);
  const text = `
golden_prompts = ["Hello?"]
[agent]
endpoint = "${origin}/ask"
retries = 0
${agent}
[contract]
name = "dead"
${rules.join('\n')}
[[contract.chaos_matrix]]
name = "no-chaos"
`;
  return inFolder({ 'dead.toml': text }, (cwd) => runSuite({ cwd, workers: 0, permissions: { net: ['127.0.0.1'] } }));
}

describe('an agent that gives no answer obeys no rule', () => {
  test.each([
    ['because it hangs', async () => (await anHttpServer(() => undefined)).origin],
    ['because it drops the connection', async () => (await anHttpServer(({ socket }) => void socket.destroy())).origin],
    [
      'because it fails',
      async () => (await anHttpServer((_, response) => void response.writeHead(500).end('no'))).origin,
    ],
  ])('%s', async (_, start) => {
    const report = await run(await start(), 'timeout_ms = 500');
    const contract = onlyContract(report);
    expect(matrixOf(contract)).toEqual(RULES.map(() => 'F'));
    expect([contract.score, contract.verdict, exitCode(report)]).toEqual([0, 'failed', 1]);
    expect(contract.cells.map(({ evidence }) => evidence?.message)).toEqual(
      RULES.map(() => expect.stringContaining('got no answer: ')),
    );
  });
});

test('an agent that is not there obeys no rule and breaks none', async () => {
  const report = await run(`http://127.0.0.1:${await freePort()}`);
  const contract = onlyContract(report);
  expect(matrixOf(contract)).toEqual(RULES.map(() => '!'));
  expect([contract.score, contract.verdict, exitCode(report)]).toEqual([null, 'insufficient', 3]);
});

test('an agent that answers obeys what can be seen, and what cannot stays open', async () => {
  const server = await anHttpServer((_, response) => void response.end('Hello.'));
  const contract = onlyContract(await run(server.origin));
  expect(matrixOf(contract)).toEqual(['P', '?', '?', 'P', 'F', 'P']);
  expect(contract.cells.map(({ why }) => why).filter((why) => why?.startsWith('nobody can tell'))).toEqual([
    'nobody can tell in its trial, because none of its calls were seen; send them through the proxy',
    'nobody can tell in its trial, because the tokens of its model calls were not seen; send them through the proxy, to a model that tells its usage',
  ]);
  expect(contract.verdict).toBe('failed');
});
