import { writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aFolder, PASSK } from '../cli/run-passk.ts';
import { aGoldenSet } from '../golden/a-golden-set.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { hasStrace, type Seen, trace } from './system-calls.ts';

const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('strace');

const WORKFLOW = `[workflow]
inline = """
name = "assistant"
[[start_nodes]]
name = "main"
source = "manual"
entry_node = "ask"
[[nodes]]
id = "ask"
type = "llm_infer"
backend = "default"
prompt = "What is new?"
"""
`;
const SCENARIO = `name = "asks"\ntrials = 3\n${WORKFLOW}[expected]\nstatus = "completed"\n`;
const CONTRACT = `${WORKFLOW}
[contract]
name = "Finance"
trials = 2
[[contract.invariants]]
id = "answers"
type = "contains"
value = "Paid"
severity = "critical"
[[contract.chaos_matrix]]
name = "no-chaos"
[[contract.chaos_matrix]]
name = "model-down"
llm_faults = [{ mode = "timeout" }]
`;

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => ({ kind: 'answer', content: 'Paid.' }));
});
afterAll(() => server.close());

/** A folder whose settings name a real model, and a judge that asks it. */
function settings(cwd: string): string {
  const judge =
    'name = "better"\nmodels = ["default"]\ncompares = true\ncriteria = [{ id = "k", text = "It is kind." }]';
  const model = `provider = "openai-compatible"\nmodel = "m"\nbase_url = "${server.openaiUrl}"`;
  writeFileSync(path.join(cwd, 'passk.toml'), `[models.default]\n${model}\n[[judges]]\n${judge}\n`);
  return cwd;
}

/** An agent behind HTTP, which is a model that is asked as it stands. */
function agentAt(endpoint: string): string {
  return `[[agents]]
name = "desk"
endpoint = "${endpoint}"
request_template = '{"model": "m", "messages": {messages}}'
response_path = "choices[0].message.content"
`;
}

const LIVE = ['--trust', '--allow-net=127.0.0.1'];
/** Of the report, what does not tell how fast it was. */
const resultOf = ({ stdout }: Seen): unknown => ({ ...(JSON.parse(stdout) as object), timing: null, notices: null });

describe.skipIf(!hasStrace() && !required)('what replays, seen from outside (needs strace)', () => {
  test('scenarios and contracts that were recorded from a real model replay without an address or a process', async () => {
    const [cwd, scratch] = [settings(aFolder()), aFolder()];
    writeFileSync(path.join(cwd, 'asks.toml'), SCENARIO);
    writeFileSync(path.join(cwd, 'finance.toml'), CONTRACT);
    const run = ['run', 'asks.toml', 'finance.toml', '--json', '--live'];
    const live = await trace([PASSK, ...run, ...LIVE, '--record', 'a.cassette'], { cwd, scratch });
    // What is looked for is there where models are asked.
    expect(live.network.length).toBeGreaterThan(0);
    const asked = server.asked.length;
    const replayed = await trace(
      [PASSK, 'run', 'asks.toml', 'finance.toml', '--json', '--replay', 'a.cassette', '--no-config'],
      {
        cwd,
        scratch,
      },
    );
    expect([replayed.network, replayed.started, server.asked.length]).toEqual([[], [], asked]);
    expect(replayed.status).toBe(live.status);
    expect(JSON.parse(replayed.stdout)).toMatchObject({
      summary: { trials: { executed: 3 } },
      results: [{ kind: 'contract' }],
    });
  });

  test('a golden run reaches no address with recorded agents, nor with a model and a judge that it replays', async () => {
    const [cwd, scratch] = [settings(aGoldenSet(3, [])), aFolder()];
    writeFileSync(path.join(cwd, 'live.toml'), agentAt(`${server.openaiUrl}/chat/completions`));
    const at = { cwd, scratch };
    const pin = await trace([PASSK, 'golden', 'pin', 'set', '--out', 'golden.json', '--no-config'], at);
    const run = ['golden', 'run', 'golden.json', '--min-tasks', '3', '--json'];
    const recorded = await trace([PASSK, ...run, '--no-config', '--issue-sink', 'issues.jsonl'], at);
    expect([pin.status, recorded.status]).toEqual([0, 0]);
    for (const { network, started } of [pin, recorded]) expect([network, started]).toEqual([[], []]);
    const candidate = [...run, '--agents', 'live.toml', '--judge', 'better', '--trust'];
    const live = await trace([PASSK, ...candidate, ...LIVE, '--live', '--record', 'b.cassette'], at);
    expect(live.network.length).toBeGreaterThan(0);
    const asked = server.asked.length;
    const replayed = await trace([PASSK, ...candidate, '--replay', 'b.cassette'], at);
    expect([replayed.network, replayed.started, server.asked.length]).toEqual([[], [], asked]);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ preference: { pairs: 3, asked: { items: 3 } } });
    expect(resultOf(replayed)).toEqual(resultOf(live));
  });
});
