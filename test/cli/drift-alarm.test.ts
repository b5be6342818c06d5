import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answer, type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Ended, runPassk } from './run-passk.ts';

const KEY = 'sk-alarm-0123456789abcdef';

let server: ModelServer;
let cwd: string;
beforeAll(async () => {
  server = await startModelServer(() => answer('refund'));
  cwd = await mkdtemp(path.join(tmpdir(), 'passk-alarm-'));
  await writeFile(
    path.join(cwd, 'classify.toml'),
    `name = "classify"
trials = 40
min_pass_rate = 0.3
[workflow]
inline = '''
name = "classify"
start_nodes = [{ name = "main", source = "manual", entry_node = "ask" }]
nodes = [{ id = "ask", type = "llm_infer", backend = "default", prompt = "Classify: my order never came." }]
edges = []
'''
[expected]
status = "completed"
[[expected.values]]
node = "ask"
path = "content"
equals = "refund"
`,
  );
  await writeFile(
    path.join(cwd, 'passk.toml'),
    `max_cost = 1.0
[models.default]
provider = "openai-compatible"
model = "small"
base_url = "${server.openaiUrl}"
api_key_env = "ALARM_KEY"
price = { input = 1, output = 2 }
`,
  );
});
afterAll(async () => {
  await server.close();
  await rm(cwd, { recursive: true, force: true });
});

const live = (...flags: readonly string[]): Promise<Ended> =>
  runPassk(['classify.toml', '--live', '--trust', ...flags], { cwd, env: { ALARM_KEY: KEY } });

function withoutTiming({ stdout }: Ended): unknown {
  const { timing: _, ...report } = JSON.parse(stdout) as Record<string, unknown>;
  return report;
}

test('a model that changes behind the same name raises the alarm, and its run is repeated offline', async () => {
  const usage = { prompt: 20, completion: 5 };
  server.behave = () => answer('refund', { usage });
  expect((await live('--save-baseline', 'baseline.json')).status).toBe(0);
  expect((await live('--baseline', 'baseline.json')).status).toBe(0);

  server.behave = ({ number }) => answer(number % 2 === 0 ? 'refund' : 'complaint', { usage });
  const changed = await live('--baseline', 'baseline.json', '--record', 'monday.cassette', '--json');
  expect(changed.status).toBe(1);
  const lost = 'classify: pass rate went down from 1.00 to 0.50';
  expect(changed.stdout).toContain(lost);
  expect(changed.stdout).toContain('--replay monday.cassette');

  const asked = server.asked.length;
  const again = ['classify.toml', '--baseline', 'baseline.json', '--replay', 'monday.cassette'];
  const replayed = await runPassk([...again, '--json'], { cwd });
  expect([replayed.status, withoutTiming(replayed)]).toEqual([1, withoutTiming(changed)]);
  const told = await runPassk([...again, '-r', 'text', '-r', 'junit:alarm.xml'], { cwd });
  expect(told.stdout).toContain(lost);
  expect(told.stdout).toMatch(/failed first: trials \d+, \d+/);
  expect(await readFile(path.join(cwd, 'alarm.xml'), 'utf8')).toMatch(/went down[^<]*Failed first: trials \d+, \d+/);
  const trace = await runPassk(['trace', 'classify.toml', '--trial', '1', '--replay', 'monday.cassette'], { cwd });
  expect([trace.status, /refund|complaint/.test(trace.stdout)]).toEqual([0, true]);
  expect(server.asked.length).toBe(asked);
});

test('answers that pass as before but use more tokens raise the alarm beyond what is tolerated', async () => {
  server.behave = () => answer('refund', { usage: { prompt: 20, completion: 5 } });
  expect((await live('--save-baseline', 'thrifty.json')).status).toBe(0);
  server.behave = () => answer('refund', { usage: { prompt: 20, completion: 50 } });
  const wordy = await live('--baseline', 'thrifty.json');
  expect([wordy.status, wordy.stdout]).toEqual([1, expect.stringMatching(/tokens/)]);
  expect((await live('--baseline', 'thrifty.json', '--token-tolerance', '9')).status).toBe(0);
});

test('a failing live trial without a cassette says that it cannot be run again', async () => {
  server.behave = () => answer('complaint');
  const { status, stdout } = await live('--trials', '3');
  expect([status, stdout.includes('cannot be run again'), stdout.includes('passk trace')]).toEqual([1, true, false]);
});
