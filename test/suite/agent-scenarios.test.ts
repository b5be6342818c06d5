import { describe, expect, test } from 'vitest';
import {
  loadSuite,
  mergeShards,
  renderReport,
  runShard,
  runSuite,
  type RunSuiteOptions,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import { anHttpServer } from '../effects/granted/an-http-server.ts';
import { sampled } from '../support/sampled.ts';
import { inFolder } from './contract-runs.ts';
import { folderWith } from './recordings/tau-runs.ts';

/** An agent with canned answers, which is right in three of four. */
const CANNED = `[agent]
turns = [{ variants = [{ says = "From 10 to 16.", weight = 3 }, { says = "Always!" }] }]
`;
const ASKED = `[user]
opening = "When are you open?"
[expected]
says = ["10 to 16"]
`;
const ALONE = `name = "hours"\ntrials = 200\nmin_pass_rate = 0.5\n${CANNED}${ASKED}`;

/** The same as a file of tasks. */
const TASKS = `name = "hours"
trials = 200
min_pass_rate = 0.5
[session]
[[tasks]]
name = "ask"
user = { opening = "When are you open?" }
expected = { says = ["10 to 16"] }
[[tasks.agents]]
name = "desk"
turns = [{ variants = [{ says = "From 10 to 16.", weight = 3 }, { says = "Always!" }] }]
`;

const bytesOf = (report: SuiteReport): string => renderReport(report, { reporter: 'json', timing: false });

function run(text: string, options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return inFolder({ 'a.toml': text }, (cwd) => runSuite({ cwd, workers: 0, ...options }));
}

describe('a file with an agent and what is wanted of it', () => {
  test('is a scenario with the name of the file, and has what scenarios of tasks have', async () => {
    const [alone, ofTask] = [await run(ALONE), await run(TASKS)].map(({ scenarios }) => sampled(scenarios[0]));
    expect([alone?.name, ofTask?.name]).toEqual(['hours', 'hours: ask']);
    const { passed, failed } = alone?.trials ?? {};
    expect([passed, failed].every((count) => (count ?? 0) > 0)).toBe(true);
    expect(alone).toMatchObject({
      verdict: 'passed',
      passHatK: expect.arrayContaining([expect.objectContaining({ k: 8 })]),
      checks: [{ check: 'says "10 to 16"' }],
    });
  });

  test('gives the same report in workers and in shards, and its trials are shown', async () => {
    await inFolder({ 'a.toml': ALONE }, async (cwd) => {
      const options = { cwd, workers: 0 };
      const whole = await runSuite(options);
      const shards = await Promise.all([1, 2].map((index) => runShard({ ...options, shard: { index, count: 2 } })));
      const sources = shards.map(({ bytes }, at) => ({ name: `${at}`, bytes }));
      expect(bytesOf((await mergeShards(sources, { cwd })).report)).toBe(bytesOf(whole));
      expect(bytesOf(await runSuite({ ...options, workers: 2 }))).toBe(bytesOf(whole));
      const { failures } = sampled(whole.scenarios[0]);
      const traced = await traceTrial({ cwd, file: 'a.toml', trial: failures[0]?.trial ?? -1 });
      expect(traced.result.findings).toEqual(failures[0]?.findings);
    });
  });

  test('asks an agent behind HTTP, several at a time, and takes gates and gold calls at its top', async () => {
    let atOnce = 0;
    let most = 0;
    const { origin } = await anHttpServer((_, response) => {
      most = Math.max(most, ++atOnce);
      setTimeout(() => {
        atOnce--;
        response.end('From 10 to 16.');
      }, 20);
    });
    const text = `name = "live"\ntrials = 40\n[agent]\nendpoint = "${origin}"\n${ASKED}max_tool_calls = 0\n`;
    const report = await run(text, {
      permissions: { net: ['127.0.0.1'] },
      concurrency: 8,
      gates: ['pass^8 >= 0.9'],
    });
    expect(sampled(report.scenarios[0]).trials).toMatchObject({ passed: 40, broken: 0 });
    expect(report.gate.verdict).toBe('pass');
    expect(most).toBe(1);
    const free = text.replace('[user]', 'stateless = true\n[user]');
    await run(free, { permissions: { net: ['127.0.0.1'] }, concurrency: 8 });
    expect(most).toBeGreaterThan(1);
    const world = `[state]
paid = []
[[tools]]
name = "pay"
parameters = { properties = { cents = { type = "integer" } }, required = ["cents"] }
steps = [{ append = ["paid"], value = "{{args.cents}}" }]
[gold]
calls = [{ tool = "pay", args = { cents = 12 } }]
`;
    const paying = CANNED.replace('says = "From', 'calls = [{ tool = "pay", args = { cents = 12 } }], says = "From');
    const till = await run(
      `name = "till"\ntrials = 50\nmin_pass_rate = 0\n${paying}${world}[user]\nopening = "Pay."\n`,
    );
    expect(sampled(till.scenarios[0])).toMatchObject({ checks: [{ check: 'state' }], trials: { broken: 0 } });
  });

  test('is tried with each agent of another file in place of its own', async () => {
    const agents = '[[agents]]\nname = "a"\nmodule = "a.mjs"\n[[agents]]\nname = "b"\nmodule = "a.mjs"\n';
    const cwd = folderWith({
      'a.toml': ALONE,
      'agents.toml': agents,
      'a.mjs': "export default () => ({ answer: () => 'From 10 to 16.' });",
    });
    const { scenarios } = await loadSuite({ cwd, paths: ['a.toml'], agents: 'agents.toml' });
    expect(scenarios.map(({ name }) => name)).toEqual(['hours · a', 'hours · b']);
  });

  test('tells what is wrong where it stands', async () => {
    const wrong = `name = "hours"
triggr = 1
[agent]
endpoint = "localhost"
colour = 1
[user]
opening = "When?"
[expected]
says = []
`;
    const problems = async (text: string): Promise<unknown> =>
      inFolder({ 'a.toml': text }, async (cwd) =>
        (await loadSuite({ cwd })).issues.map(({ message, at, hint }) => [at?.line, message, hint]),
      );
    expect(await problems(wrong)).toEqual([
      [2, '"triggr" is not a known key.', expect.any(String)],
      [5, '"agent.colour" is not a known key.', expect.any(String)],
      [4, '"agent.endpoint" is no URL: "localhost".', expect.any(String)],
    ]);
    const trigger = `${ALONE}[trigger]\npayload = 1\n`;
    expect(await problems(trigger)).toEqual([
      [
        10,
        '"trigger" is not a known key.',
        'Scenarios with a workflow have it. What a user wants of an agent stands under [user].',
      ],
    ]);
    const idle = `name = "hours"\n${CANNED}[user]\nopening = "When?"\n`;
    expect(await problems(idle)).toEqual([
      [
        1,
        'Nothing is expected of this task but that the session ends.',
        'Say what is right under [gold], or what must hold under [expected].',
      ],
    ]);
    const both = `${TASKS}[agent]\nendpoint = "http://localhost:8000"\n`;
    expect(await problems(both)).toEqual([
      [expect.any(Number), '"agent" is not a known key.', 'Did you mean "agents"?'],
    ]);
  });
});

describe('cases and a matrix', () => {
  const ROWS = 'name,question,answer\nhours,When are you open?,10 to 16\nplace,Where are you?,Main Street\n';

  test('ask one agent many questions, from a file', async () => {
    const text = `name = "desk"
trials = 20
cases = "questions.csv"
[agent]
turns = [{ says = "From 10 to 16, {{case.name}}." }]
[user]
opening = "{{case.question}}"
[expected]
says = ["{{case.answer}}"]
`;
    await inFolder({ 'a.toml': text, 'questions.csv': ROWS }, async (cwd) => {
      const report = await runSuite({ cwd, workers: 0 });
      expect(report.scenarios.map(({ name, verdict }) => [name, verdict])).toEqual([
        ['desk: hours', 'passed'],
        ['desk: place', 'failed'],
      ]);
      expect(bytesOf(await runSuite({ cwd, workers: 2 }))).toBe(bytesOf(report));
      const traced = await traceTrial({ cwd, file: 'a.toml', part: 'desk: place', trial: 0 });
      expect(traced.result.findings[0]?.message).toContain('Main Street');
    });
  });

  test('compare agents on tasks of a file, pair by pair', async () => {
    const text = `${TASKS.replace('"From 10 to 16.", weight = 3', '"From 10 to 16, {{matrix.tone}}.", weight = 3')}
[[tasks]]
name = "thank"
user = { opening = "Thank you, {{matrix.tone}} one." }
expected = { says = ["kind"] }
[[tasks.agents]]
name = "desk"
turns = [{ says = "You are {{matrix.tone}}." }]
[matrix]
tone = ["rude", "kind"]
`;
    const { scenarios, matrices = [] } = await run(text);
    expect(scenarios.map(({ name }) => name)).toEqual([
      'hours: [rude]: ask',
      'hours: [rude]: thank',
      'hours: [kind]: ask',
      'hours: [kind]: thank',
    ]);
    const [rude, kind] = matrices[0]?.values ?? [];
    expect([rude?.scenarios, kind?.scenarios, kind?.change?.pairs, matrices[0]?.cases]).toEqual([2, 2, 2, 2]);
    expect(kind?.change?.mean).toBeGreaterThan(0.3);
  });

  test('tell a field that is not there, cases without markers, and a ladder beside them', async () => {
    const codes = async (text: string): Promise<unknown> =>
      inFolder({ 'a.toml': text }, async (cwd) => (await loadSuite({ cwd })).issues.map(({ code }) => code));
    const cases = 'cases = [{ name = "a" }, { name = "b" }]\n';
    expect(await codes(cases + ALONE)).toEqual(['unused_cases']);
    expect(await codes(cases + ALONE.replace('When are', '{{case.question}}'))).toEqual(['unknown_field']);
    const ladder = '[ladder]\nkind = "budget"\nmeasure = "calls"\nrungs = [1, 2]\n[matrix]\ntone = ["a", "b"]\n';
    expect(await codes(`${ALONE}${ladder}`)).toContain('conflicting_keys');
    const both = '[ladder]\nkind = "budget"\nmeasure = "calls"\nrungs = [1, 2]\n';
    expect(await codes(`${cases}${ALONE}${both}`)).toContain('conflicting_keys');
  });
});
