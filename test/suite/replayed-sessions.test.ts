import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { renderReport } from '../../src/suite/render-report.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import { mergeShards } from '../../src/suite/merge-shards.ts';
import { runShard } from '../../src/suite/run-shard.ts';
import type { ShardSource } from '../../src/records/read-shard.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { contractsOf, inFolder, matrixOf } from './contract-runs.ts';

const WORKFLOW = `
[contract]
name = "prices"
prompts = ["What does the mug cost?"]

[[contract.invariants]]
id = "no-invented-price"
type = "regex"
pattern = '\\$\\d'
negate = true
when = "tool_faults_active"
severity = "critical"

[[contract.invariants]]
id = "answers"
type = "output_not_empty"

[[replays.sessions]]
id = "shop-503"
input = "What does the blue mug cost?"
expected_failure = "It named a price."
tool_responses = [{ tool = "shop.example", status = 503, response = "Unavailable", latency_ms = 1200 }]

[[replays.sessions]]
id = "twice"
input = "And the red one?"
tool_responses = [
  { tool = "load", response = { price = 4 } },
  { tool = "load", status = 0, response = "Connection reset by peer" },
]

[[replays.sessions]]
id = "nothing"
input = "And this?"
tool_responses = []

[[replays.sessions]]
id = "as-it-is"
input = "And that?"

[workflow]
inline = '''
name = "prices"

[[start_nodes]]
name = "main"
source = "manual"
entry_node = "where"

[[nodes]]
id = "where"
type = "template_render"
template = "https://shop.example/prices"

[[nodes]]
id = "load"
type = "http_request"
method = "GET"
url_from = "where.rendered"

[[nodes]]
id = "reply"
type = "respond"
body_template = "PRICE {{body}}"
content_type = "text/plain"
input_from = "load"

[[edges]]
from = "where"
to = "load"

[[edges]]
from = "load"
to = "reply"

[[edges]]
from = "load"
to = "reply"
when = "error"
'''

[[world.http]]
method = "GET"
url = "https://shop.example/prices"
body = "4"
`;

function replayOf(report: SuiteReport) {
  const found = contractsOf(report).find(({ phase }) => phase === 'replay');
  if (found === undefined) throw new Error('The report holds no replay.');
  return found;
}

const withoutTiming = (report: SuiteReport): string => renderReport(report, { reporter: 'json', timing: false });

describe('a workflow in a recorded session', () => {
  test('gets what its tools answered then, call by call; a session that fails fails its contract and its phase', async () => {
    const report = await inFolder({ 'p.toml': WORKFLOW.replace('PRICE', '$1') }, (cwd) =>
      runSuite({ cwd, workers: 0 }),
    );
    const replay = replayOf(report);
    expect(matrixOf(replay)).toEqual(['F?--', 'P?!P']);
    expect(replay.sessions?.map(({ id, state }) => [id, state])).toEqual([
      ['shop-503', 'failed'],
      ['twice', 'undecided'],
      ['nothing', 'undecided'],
      ['as-it-is', 'passed'],
    ]);
    expect([replay.verdict, replay.score, replay.reasons]).toEqual([
      'failed',
      50,
      [
        '1 of 4 recorded sessions failed: shop-503 (recorded because: It named a price.).',
        '2 of 4 recorded sessions proved nothing: twice, nothing.',
      ],
    ]);
    expect(report.overall?.phases.map(({ phase, score, weight }) => [phase, score, weight])).toEqual([
      ['contract', 1, 0.35],
      ['replay', 0.5, 0.1],
    ]);
    expect(replay.columns[0]?.faults).toMatchObject([
      {
        fault: 'recorded shop.example: 503',
        detail: '"Unavailable", after 1200 ms',
        fired: 1,
        where: 'calls of tools',
      },
    ]);
    expect(replay.cells.find(({ state }) => state === 'broken')?.why).toBe(
      '1 trial is broken (replay_miss: No answer of a tool that goes by "load", "http_request", "shop.example" was recorded)',
    );
    // What nobody recorded is asked of the world that the file has.
    expect(replay.cells.at(-1)?.example?.answer).toBe('$1 4');
  });

  test('gives the same bytes for 0 and 2 workers and in shards', async () => {
    const options = { trials: 40 };
    const [inline, workers, merged] = await inFolder({ 'p.toml': WORKFLOW.replace('PRICE', '$1') }, async (cwd) => {
      const shards: ShardSource[] = [];
      for (const index of [1, 2]) {
        const { bytes } = await runShard({ cwd, workers: 0, ...options, shard: { index, count: 2 } });
        shards.push({ name: `${index}`, bytes });
      }
      return [
        await runSuite({ cwd, workers: 0, ...options }),
        await runSuite({ cwd, workers: 2, ...options }),
        await mergeShards(shards),
      ] as const;
    });
    expect(withoutTiming(workers)).toBe(withoutTiming(inline));
    expect(withoutTiming(merged.report)).toBe(withoutTiming(inline));
  });
});

const AGENT = `
import process from 'node:process';
let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
const said = [];
for (const tool of prompt.trim().split(' ')) {
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + '/tools/' + tool + '/').catch(() => null);
  said.push(answer === null ? tool + ' is gone' : tool + ' ' + answer.status + ' ' + (await answer.text()));
}
console.log(said.join(', '));
`;

function anAgent(port: number, proxied: boolean): string {
  return `
agent:
  command: [node, agent.mjs]
  ${proxied ? `proxy_port: 0\n  proxy_tools: {market: "http://127.0.0.1:${port}/market", web: "http://127.0.0.1:${port}/web"}` : ''}
golden_prompts: [web]
contract:
  name: Desk
  invariants:
    - {id: no-price, type: regex, pattern: '\\$\\d', negate: true, when: tool_faults_active, severity: critical}
    - {id: answers, type: completes, severity: high}
    - {id: hears, type: regex, pattern: '^(market 504 , web is gone|web 200 (live|\\{"answer":"Paris"\\}))$'}
  chaos_matrix: [{name: calm}]
replays:
  sessions:
    - id: incident
      input: market web
      contract: Desk
      tool_responses:
        - {tool: market, status: 504, response: null}
        - {tool: web, status: 0, response: Connection reset by peer}
    - {id: fine, input: web, tool_responses: [{tool: web, response: {answer: Paris}}]}
    - {id: more, input: web web, tool_responses: [{tool: web, response: once}]}
`;
}

describe('an agent in a recorded session', () => {
  test('gets recorded answers behind the proxy; no call reaches a tool, and one that was not recorded is a replay_miss', async () => {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? '');
      response.end('live');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const permissions = { run: ['node'], net: [`127.0.0.1:${port}`] };
    try {
      const files = { 'flakestorm.yaml': anAgent(port, true), 'agent.mjs': AGENT };
      const report = await inFolder(files, (cwd) => runSuite({ cwd, workers: 0, permissions }));
      const replay = replayOf(report);
      expect(matrixOf(replay)).toEqual(['P--', 'PP!', 'PP!']);
      expect(replay.cells[5]?.why).toContain(
        'replay_miss: The tool "web" was called 2 times, and 1 answer of it was recorded',
      );
      expect(report.notices.map(({ code }) => code)).toContain('replay_miss');
      // The contract itself has a world in which its tools answer; a replay has not.
      expect(paths).toEqual(['/web/']);
    } finally {
      server.close();
    }
  });

  test('whose calls nobody sees proves nothing, and is told what to do', async () => {
    const files = { 'flakestorm.yaml': anAgent(9, false), 'agent.mjs': "console.log('web 200 live')" };
    const report = await inFolder(files, (cwd) => runSuite({ cwd, workers: 0, permissions: { run: ['node'] } }));
    const replay = replayOf(report);
    expect([replay.verdict, matrixOf(replay)]).toEqual(['insufficient', ['?--', '???', '???']]);
    expect(replay.cells[4]?.why).toContain('send them through the proxy (proxy_port)');
  });
});
