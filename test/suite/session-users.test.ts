import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  loadSuite,
  renderReport,
  runSuite,
  type RunSuiteOptions,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import { answer, type Asked, type ModelServer, startModelServer } from '../support/model-server.ts';
import { sampled } from '../support/sampled.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-session-users-'));
let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer(() => answer(''));
});
afterAll(async () => {
  await server.close();
  rmSync(cwd, { recursive: true, force: true });
});

const HEAD = `name = "till"
trials = 24
min_pass_rate = 0.5
[session]
messages = 4
max_user_failures = 0.5
[state]
paid = []
[[tools]]
name = "pay"
parameters = { properties = { cents = { type = "integer" } }, required = ["cents"] }
steps = [{ append = ["paid"], value = "{{args.cents}}" }]
`;

/** The agent takes a wrong sum in one of four sessions. */
const TASK = `[[tasks]]
name = "pay"
gold = { calls = [{ tool = "pay", args = { cents = 1200 } }] }
[tasks.user]
model = "shopper"
who = "A customer in a hurry."
goal = "Pay 12 euros."
hidden = ["4711"]
TURNS
[[tasks.agents]]
name = "hasty"
turns = [
  { says = "Which amount would you like to pay us today?" },
  { variants = [
    { weight = 3, calls = [{ tool = "pay", args = { cents = 1200 } }], says = "Thank you." },
    { weight = 1, calls = [{ tool = "pay", args = { cents = 12 } }], says = "Thank you." },
  ] },
  { says = "You have paid." , repeat = true },
]
`;

const SOUND = ['', '12 euros.', '[DONE]'];

/** What the user says wrong in a session, and what that is called; undefined: nothing. */
const PLANTED: Readonly<Record<number, readonly [rule: string, at: number, says: string]>> = {
  0: ['empty', 1, ' '],
  1: ['invents_value', 1, '15 euros.'],
  2: ['reveals_unknown', 0, 'My card is 4711.'],
  3: ['speaks_as_agent', 1, 'How can I help you?'],
  4: ['refuses', 0, 'I cannot help with that request.'],
  5: ['echoes', 1, 'Which amount would you like to pay us today?'],
  6: ['ends_early', 2, 'Did it work? [DONE]'],
  7: ['never_ends', 2, 'Are you sure?'],
  8: ['no_answer', 0, 'STATUS'],
};

/** Which session asks is not told to models: the order of conversations that begin is counted. */
function behave() {
  let begun = 0;
  const sessions = new Map<string, number>();
  return ({ body, text }: Asked) => {
    const { messages } = body as { readonly messages: readonly { readonly role: string; readonly content: string }[] };
    const said = messages.filter(({ role }) => role === 'assistant').length;
    const session = said === 0 ? begun++ : (sessions.get(first(messages)) ?? -1);
    const planted = PLANTED[session];
    const isNow = planted !== undefined && (planted[1] === said || (planted[0] === 'never_ends' && said > 1));
    if (isNow && planted[2] === 'STATUS') return { kind: 'status', status: 400 } as const;
    // The first words of a session tell it from the others.
    const opening = `I want to pay${', please'.repeat(session)}.`;
    if (said === 0) sessions.set(isNow ? planted[2] : opening, session);
    expect(text).not.toContain('"4711"');
    return answer(isNow ? planted[2] : said === 0 ? opening : (SOUND[said] ?? ''), {
      usage: { prompt: 100 + said, completion: 5 },
    });
  };
}

function first(messages: readonly { readonly role: string; readonly content: string }[]): string {
  return messages.find(({ role }) => role === 'assistant')?.content ?? '';
}

const models = () => ({
  shopper: {
    provider: 'openai-compatible' as const,
    model: 'small',
    baseUrl: server.openaiUrl,
    maxRetries: 0,
    price: { input: 1, output: 2 },
  },
});

async function run(options: RunSuiteOptions, turns = '', head = HEAD): Promise<SuiteReport> {
  writeFileSync(path.join(cwd, 'till.toml'), head + TASK.replace('TURNS', turns));
  return runSuite({ cwd, paths: ['till.toml'], ...options });
}

const userOf = (report: SuiteReport) => sampled(report.scenarios[0]).session?.user;
const bytes = ({ timing: _, ...report }: SuiteReport): string => JSON.stringify(report);

test("planted breaches of a simulated user's rules are found, are not the agent's, and replay with the same bytes", async () => {
  server.behave = behave();
  const live = { live: true, models: models(), record: 'users.cassette', concurrency: 1, ledger: true };
  const recorded = await run({ ...live, workers: 0 });
  const scenario = sampled(recorded.scenarios[0]);
  const user = userOf(recorded);
  expect(new Map(user?.rules.map(({ rule, count }) => [rule, count]))).toEqual(
    new Map(Object.values(PLANTED).map(([rule]) => [rule, 1])),
  );
  expect(user).toMatchObject({ trials: 24, failures: 9, rate: 9 / 24, leftOut: 9, model: 'shopper' });
  expect(scenario.trials).toMatchObject({ executed: 24, broken: 9 });
  const { passed, failed } = scenario.trials;
  expect(passed + failed).toBe(15);
  expect(failed).toBeGreaterThan(0);
  expect(scenario.passRate).toBe(passed / 15);
  expect(scenario.passHatK[0]).toEqual({ k: 1, value: passed / 15 });
  expect(recorded.gate.verdict).toBe('pass');
  // What the user takes is no cost of the agent.
  expect(scenario.cost.total).toMatchObject({ llmCalls: 0, llmTokens: 0 });
  expect(scenario.ledger?.map(({ kind, units }) => [kind, units])).toContainEqual(['user', user?.calls]);
  expect(recorded.live?.models).toHaveLength(1);

  const asked = server.asked.length;
  const replays: SuiteReport[] = [];
  for (const workers of [0, 1, 2]) replays.push(await run({ replay: 'users.cassette', workers, ledger: true }));
  expect(server.asked.length).toBe(asked);
  const [one = '', ...others] = replays.map(bytes);
  for (const other of others) expect(other).toBe(one);
  expect(JSON.stringify(replays[0]?.scenarios)).toBe(JSON.stringify(recorded.scenarios));
  const { record } = await traceTrial({
    cwd,
    file: 'till.toml',
    part: 'till: pay',
    trial: 3,
    replay: 'users.cassette',
  });
  expect(record?.ending).toMatchObject({ status: 'broken', reason: expect.stringContaining('speaks_as_agent') });
}, 60_000);

const CANNED = `turns = [
  { says = "I want to pay." },
  { variants = [{ weight = 7, says = "12 euros." }, { weight = 2, says = "15 euros." }, { weight = 1 }] },
  { says = "[DONE]" },
]`;

test('canned turns stand for the model, and reports name the breaches and their rate', async () => {
  const report = await run({ workers: 0, trials: 400 }, CANNED);
  const user = userOf(report);
  // Three in ten, within five standard errors.
  expect(Math.abs((user?.rate ?? 0) - 0.3)).toBeLessThan(5 * Math.sqrt((0.3 * 0.7) / 400));
  expect(user?.rules.map(({ rule }) => rule)).toEqual(['invents_value', 'empty']);
  expect(report.summary.trials.broken).toBe(user?.failures);
  const shown = (name: string) => renderReport(report, { reporter: name });
  const counts = `${user?.failures} of 400 sessions spoilt by the user`;
  expect(shown('text')).toContain(counts);
  expect(shown('text')).toContain('made a value up');
  expect(shown('html')).toContain(counts);
  expect(shown('junit')).toContain(`name="user_failure_rate" value="${user?.rate}"`);
  expect(shown('json')).toContain('"rule": "invents_value"');
});

test('more spoilt trials than the file allows are broken ones, and leave the gate open', async () => {
  const report = await run(
    { workers: 0 },
    CANNED,
    HEAD.replace('= 0.5\n[state]', '= 0.01\n[state]').replace('pass_rate = 0.5', 'pass_rate = 0.7'),
  );
  const scenario = sampled(report.scenarios[0]);
  expect(userOf(report)).toMatchObject({ leftOut: 0, most: 0.01 });
  expect(scenario.passRate).toBe(scenario.trials.passed / 24);
  expect(report.gate.verdict).toBe('insufficient');
  expect(report.gate.reasons.join()).toMatch(/\d trials are broken, so its pass rate is between/);
});

test('a user who does not answer in time spoils the trial; the agent is not to blame', async () => {
  server.behave = () => ({ kind: 'silent' });
  const report = await run({ workers: 0, live: true, models: models(), timeoutMs: 300, trials: 1 });
  expect(userOf(report)?.rules).toEqual([{ rule: 'no_answer', count: 1 }]);
});

test('a function plays the user where no turns are canned; without consent no real model is asked', async () => {
  const shopper = ({ messages }: { readonly messages: readonly { readonly role: string }[] }) => {
    const said = messages.filter(({ role }) => role === 'assistant').length;
    return { content: said === 0 ? 'I want to pay.' : (SOUND[said] ?? ''), promptTokens: 3, completionTokens: 2 };
  };
  const report = await run({ workers: 0, models: { shopper }, trials: 5 });
  expect(userOf(report)).toMatchObject({ failures: 0, calls: 15, promptTokens: 45, completionTokens: 30 });
  await expect(run({ workers: 0, models: models() })).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('costs money'),
  });
  await expect(run({ workers: 0, live: true })).rejects.toMatchObject({
    message: expect.stringContaining('"shopper"'),
  });
});

test('the keys of a script and those of a card are not mixed', async () => {
  const problems = async (turns: string, from = '', to = '') => {
    writeFileSync(path.join(cwd, 'mixed.toml'), HEAD + TASK.replace('TURNS', turns).replace(from, to));
    return (await loadSuite({ cwd, paths: ['mixed.toml'] })).issues.map(({ message }) => message);
  };
  expect(await problems('ends = ["bye"]\ntypos = 0.1\nknown = { sum = { value = "12", asked = ["sum"] } }')).toEqual([
    '"ends" has no effect: a model plays this user, and follows no script.',
    '"typos" has no effect: a model plays this user, and follows no script.',
    '"asked" has no effect: a model plays this user, and follows no script.',
  ]);
  expect(await problems('', 'model = "shopper"\n')).toEqual([
    '"who" has no effect: no model plays this user.',
    '"hidden" has no effect: no model plays this user.',
    'This table needs the key "opening".',
  ]);
});
