import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type AgentScenarioDefinition,
  auditSet,
  createEngine,
  defineAgentScenario,
  loadSuite,
  mergeShards,
  runShard,
  runSuite,
  type RunSuiteOptions,
  type SampledScenario,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';
import { defineWorld, type SessionAgent, ToolError } from '../../src/plugin/index.ts';

const cwd = mkdtempSync(path.join(tmpdir(), 'passk-agent-objects-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const shop = defineWorld({
  state: { orders: { A1: { status: 'paid' } } as Record<string, { status: string }> },
  tools: {
    cancel: {
      description: 'Cancels an order.',
      parameters: { properties: { id: { type: 'string' } }, required: ['id'] },
      run(state, { id }) {
        const order = state.orders[String(id)];
        if (order === undefined) throw new ToolError(`There is no order ${String(id)}.`);
        order.status = 'cancelled';
        return order;
      },
    },
  },
});

/** Forgets to cancel in some trials, as the seed says. */
const desk: SessionAgent = ({ system, tools, draw }) => {
  let asked = 0;
  return async (message) => {
    asked++;
    await Promise.resolve();
    const id = /A\d/.exec(message)?.[0];
    if (id === undefined) return `${system ?? ''} Which order?`;
    if (draw('forgets') < 0.7) tools.find(({ name }) => name === 'cancel')?.execute({ id });
    return { text: `${asked} ${id} is cancelled.`, usage: { promptTokens: 5, completionTokens: 3 } };
  };
};

const cancels: AgentScenarioDefinition = {
  name: 'cancels',
  trials: 40,
  minPassRate: 0.2,
  agent: desk,
  session: { world: shop, system: 'Be kind.' },
  user: {
    opening: 'Cancel my order.',
    known: { order: { value: 'A1', asked: ['[Ww]hich order'], says: 'It is {{value}}.' } },
  },
  gold: { calls: [{ tool: 'cancel', args: { id: 'A1' } }] },
  expected: {
    says: ['Be kind.', '2 A1 is cancelled.'],
    checks: [
      function atMostOneCall({ calls }) {
        return (calls?.length ?? 0) <= 1 || 'more';
      },
      { name: 'even', check: ({ trial }) => trial % 2 === 0 || 'an odd trial' },
    ],
  },
};

const run = (scenario: AgentScenarioDefinition, options: RunSuiteOptions = {}): Promise<SuiteReport> =>
  runSuite({ cwd, scenarios: [scenario], workers: 0, ...options });
const first = ({ scenarios }: SuiteReport): SampledScenario => scenarios[0] as SampledScenario;
const bytesOf = (report: SuiteReport): string => JSON.stringify({ ...report, timing: null });
/** The report of two shards. */
async function merged(options: RunSuiteOptions): Promise<SuiteReport> {
  const parts = await Promise.all(
    [1, 2].map((index) => runShard({ cwd, workers: 0, ...options, shard: { index, count: 2 } })),
  );
  const sources = parts.map(({ bytes }, index) => ({ name: `${index}`, bytes }));
  return (await mergeShards(sources, { cwd })).report;
}
const causesOf = (report: SuiteReport): readonly string[] =>
  (first(report).brokenCauses ?? []).map(({ cause }) => cause);

describe('a scenario whose agent, world and checks are of this program', () => {
  test('is judged by them and by what gold calls make of the world', async () => {
    const report = await run(cancels);
    const { trials, checks } = first(report);
    expect(trials.requested).toBe(40);
    expect(trials.passed).toBeGreaterThan(5);
    expect(trials.passed).toBeLessThan(20);
    const failed = Object.fromEntries(checks.map((one) => [one.check, one.failed]));
    expect(failed).toEqual({ even: 20, state: expect.any(Number) });
    expect(failed.state).toBeGreaterThan(5);
    expect(report.gate.verdict).toBe('pass');
  });

  test('has the same report for any number of workers and of trials at a time, and from shards', async () => {
    const whole = bytesOf(await run(cancels));
    for (const options of [{ workers: 2 }, { concurrency: 1 }, { isolation: 'process' as const, workers: 1 }]) {
      expect(bytesOf(await run(cancels, options))).toBe(whole);
    }
    expect(bytesOf(await merged({ scenarios: [cancels] }))).toBe(whole);
  });

  test('goes on where its journal ended', async () => {
    const folder = path.join(cwd, 'journal');
    const whole = bytesOf(await run(cancels));
    let sessions = 0;
    const counted = (stop: AbortController | null): AgentScenarioDefinition => ({
      ...cancels,
      agent: (session) => {
        sessions++;
        if (sessions === 15) stop?.abort();
        return desk(session);
      },
    });
    const stop = new AbortController();
    const options = { concurrency: 1, journal: { folder } };
    const partial = await run(counted(stop), { ...options, signal: stop.signal });
    expect(partial.partial).toBe(true);
    const before = sessions;
    expect(bytesOf(await run(counted(null), { ...options, journal: { folder, resume: true } }))).toBe(whole);
    expect(before).toBeGreaterThan(10);
    expect(sessions).toBeLessThanOrEqual(42);
  });

  test('is a cassette once it was recorded, which replays without its agent', async () => {
    const file = path.join(cwd, 'desk.cassette');
    const recorded = await run(cancels, { record: file });
    const silent: AgentScenarioDefinition = {
      ...cancels,
      agent: () => () => {
        throw new Error('It is asked.');
      },
    };
    const replayed = await run(silent, { replay: file });
    expect(first(replayed).trials).toEqual(first(recorded).trials);
  });

  test('is traced by running one of its trials again', async () => {
    const { record } = await traceTrial({ cwd, scenario: cancels, trial: 2 });
    const said = record?.turns.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
    );
    expect(said).toEqual(['Cancel my order.', 'Be kind. Which order?', 'It is A1.', '2 A1 is cancelled.']);
  });

  test('is tried with rows of its own', async () => {
    const greets: AgentScenarioDefinition = {
      name: 'greets',
      trials: 3,
      agent: () => (message) => `Hello ${message}.`,
      user: { opening: '{{case.who}}' },
      expected: { says: [{ matches: '^Hello {{case.who}}' }] },
      cases: [
        { name: 'a', who: 'Ada' },
        { name: 'b', who: 'Bob' },
      ],
    };
    const { scenarios } = await run(greets);
    expect(scenarios.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['greets: a', 'passed'],
      ['greets: b', 'passed'],
    ]);
  });

  test('has its own functions in each run of a warm engine', async () => {
    const engine = createEngine({ cwd, workers: 1 });
    try {
      const says = (text: string): AgentScenarioDefinition => ({
        name: 'says',
        agent: () => () => text,
        user: { opening: 'Hello.' },
        expected: { says: ['yes'] },
      });
      const [yes, no] = await Promise.all(['yes', 'no'].map((text) => engine.run({ scenarios: [says(text)] })));
      expect([yes, no].map((report) => report?.scenarios[0]?.verdict)).toEqual(['passed', 'failed']);
    } finally {
      await engine.close();
    }
  });

  test('is audited with subjects that do nothing', async () => {
    writeFileSync(
      path.join(cwd, 'audited.mjs'),
      `export default { name: 'audited', agent: () => () => 'Done.', user: { opening: 'Pay.' },
        session: { world: { state: { paid: 0 }, tools: { pay: { run(state) { state.paid++; } } } } },
        gold: { calls: [{ tool: 'pay' }] }, expected: { checks: [{ name: 'right', check: () => true }] } };`,
    );
    const { tasks } = await auditSet({ cwd, paths: ['audited.mjs'] });
    expect(tasks).toMatchObject([{ name: 'audited', notJudged: null, passedBy: [], gold: 'passed' }]);
  });
});

describe('what goes wrong in functions of the program', () => {
  const failing = (overrides: Partial<AgentScenarioDefinition>): AgentScenarioDefinition => ({
    name: 'wrong',
    trials: 2,
    agent: () => () => 'Done.',
    user: { opening: 'Hello.' },
    expected: { says: ['Done'] },
    ...overrides,
  });

  test.each<[string, Partial<AgentScenarioDefinition>, string]>([
    [
      'an agent that throws',
      {
        agent: () => () => {
          throw new Error('No key.');
        },
      },
      'No key.',
    ],
    ['an agent that answers with nothing', { agent: () => () => undefined as unknown as string }, 'undefined'],
    ['an agent that never answers', { agent: () => () => new Promise(() => {}), timeoutMs: 50 }, 'within 50 ms'],
  ])('%s fails its trials with the reason', async (_, overrides, reason) => {
    const report = await run(failing(overrides));
    expect(first(report).trials).toMatchObject({ failed: 2, broken: 0 });
    expect(JSON.stringify(first(report).failures)).toContain(reason);
  });

  test.each<[string, Partial<AgentScenarioDefinition>, string]>([
    [
      'a check that throws',
      {
        expected: {
          checks: [
            function fails() {
              throw new Error('Oops.');
            },
          ],
        },
      },
      'Oops.',
    ],
    [
      'a check that waits',
      { expected: { checks: [{ name: 'waits', check: (async () => true) as unknown as () => true }] } },
      'a promise',
    ],
    ['a world that is none', { session: { world: { state: {} } as never } }, 'The world of the scenario is none'],
    [
      'a world whose gold call fails',
      { session: { world: shop }, gold: { calls: [{ tool: 'cancel', args: { id: 'B7' } }] } },
      'There is no order B7.',
    ],
  ])('%s breaks its trials with the reason', async (_, overrides, reason) => {
    const report = await run(failing(overrides));
    expect(first(report).trials).toMatchObject({ failed: 0, broken: 2 });
    expect(causesOf(report).join()).toContain(reason);
  });

  test('is told by its path where it is no code, and by its name', async () => {
    const wrong = {
      ...failing({}),
      trials: () => 3,
      user: { opening: 'Hello.', knwon: {} },
    } as unknown as AgentScenarioDefinition;
    const { issues } = await loadSuite({ cwd, scenarios: [wrong] });
    expect(issues.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      ['not_json', 'Scenario "wrong": "trials" is a function, not data.', expect.stringContaining('`agent`')],
      ['wrong_type', 'Scenario "wrong": "trials" must be an integer, not null.', expect.any(String)],
      ['unknown_key', 'Scenario "wrong": "user.knwon" is not a known key.', 'Did you mean "known"?'],
    ]);
  });

  test('is told where a check has no name, and where two have one', async () => {
    const { issues } = await loadSuite({
      cwd,
      scenarios: [
        failing({
          expected: { checks: [() => true, { name: 'a', check: () => true }, { name: 'a', check: () => true }] },
        }),
      ],
    });
    expect(issues.map(({ code }) => code).sort()).toEqual(['duplicate_name', 'missing_key']);
  });

  test.each<[string, Partial<AgentScenarioDefinition>]>([
    ['a world', { session: { world: shop }, expected: { checks: [{ module: 'rules.mjs' }] } }],
    ['a check', { expected: { checks: [{ module: 'rules.mjs' }, { name: 'own', check: () => true }] } }],
  ])('%s of the program beside a module that judges in workers is a problem of the scenario', async (_, overrides) => {
    writeFileSync(path.join(cwd, 'rules.mjs'), 'export default () => true;');
    const { issues } = await loadSuite({ cwd, scenarios: [failing(overrides)] });
    expect(issues).toMatchObject([{ code: 'code_apart', severity: 'error' }]);
  });

  test.each<[string, AgentScenarioDefinition['agent'], Partial<AgentScenarioDefinition>]>([
    ['an agent', { module: 'rules.mjs' }, { session: { world: shop } }],
    ['a world', () => () => 'Done.', { session: { world: 'rules.mjs' } }],
  ])('%s that is a module beside code of the program is one, too', async (_, agent, overrides) => {
    writeFileSync(path.join(cwd, 'rules.mjs'), 'export default () => true;');
    const { issues } = await loadSuite({ cwd, scenarios: [failing({ ...overrides, agent })] });
    expect(issues).toMatchObject([{ code: 'code_apart', severity: 'error' }]);
  });
});

test('a module that the user grants judges an agent of the program', async () => {
  writeFileSync(path.join(cwd, 'odd.mjs'), "export default ({ trial }) => trial % 2 === 1 || 'even';");
  const judged: AgentScenarioDefinition = {
    name: 'judged',
    trials: 6,
    minPassRate: 0.5,
    agent: () => () => 'Done.',
    user: { opening: 'Hello.' },
    expected: { checks: [{ module: 'odd.mjs' }] },
  };
  await expect(run(judged)).rejects.toMatchObject({ code: 'USAGE' });
  const report = await run(judged, { permissions: { run: [path.join(cwd, 'odd.mjs')] } });
  expect(first(report)).toMatchObject({ trials: { passed: 3, failed: 3 }, checks: [{ check: 'odd', failed: 3 }] });
  // No command repeats a trial that a worker judges and that only this program can run.
  expect(first(report).failures.map(({ replay }) => replay)).toEqual([null, null, null]);
  await expect(
    traceTrial({ cwd, scenario: judged, trial: 0, permissions: { run: [path.join(cwd, 'odd.mjs')] } }),
  ).rejects.toMatchObject({ code: 'USAGE' });
});

test('tables stand where functions may, so that any agent can be tried by a program', async () => {
  const canned = defineAgentScenario({
    name: 'canned',
    trials: 4,
    agent: { turns: [{ variants: [{ says: 'From 10 to 16.' }, { says: 'Never.' }] }] },
    user: { opening: 'When are you open?' },
    minPassRate: 0,
    expected: { says: ['10 to 16'] },
  });
  const report = await run(canned);
  expect(first(report)).toMatchObject({ name: 'canned', pure: true, trials: { requested: 4 } });
});

test('a key that is misspelt is found by the compiler', () => {
  // @ts-expect-error `opennig` is none.
  const misspelt = defineAgentScenario({ name: 'misspelt', agent: () => () => 'Yes.', user: { opennig: 'Hello.' } });
  expect(misspelt.name).toBe('misspelt');
});

test('models play the agent, or the user, in shards as well', async () => {
  const spoken: AgentScenarioDefinition = {
    name: 'spoken',
    trials: 4,
    minPassRate: 0,
    agent: { tools: 'functions', model: 'desk' },
    user: {
      model: 'shopper',
      who: 'A customer.',
      goal: 'Pay.',
      turns: [{ says: 'I pay.' }, { says: '[DONE]', repeat: true }],
    },
    expected: { says: ['Thank you'] },
  };
  const options: RunSuiteOptions = {
    scenarios: [spoken],
    models: { desk: () => ({ content: 'Thank you.' }) },
  };
  const report = await runSuite({ cwd, workers: 0, ...options });
  expect(first(report).trials).toMatchObject({ passed: 4 });
  expect(bytesOf(await merged(options))).toBe(bytesOf(report));
});

test('a module exports such scenarios, which shards and traces find again', async () => {
  writeFileSync(
    path.join(cwd, 'desk.scenario.mjs'),
    `const say = (word) => ({ name: word, trials: 4, agent: () => () => word, user: { opening: 'Hello.' }, expected: { says: ['yes'] } });
     export default ['yes', 'no'].map(say);`,
  );
  const options = { cwd, paths: ['desk.scenario.mjs'], workers: 0 };
  const report = await runSuite(options);
  expect(report.scenarios.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['yes', 'passed'],
    ['no', 'failed'],
  ]);
  expect(bytesOf(await merged(options))).toBe(bytesOf(report));
  const { result } = await traceTrial({ cwd, file: 'desk.scenario.mjs', part: 'no', trial: 3 });
  expect(result).toMatchObject({ verdict: 'failed' });
});

test('workers of a queue cannot have functions of this process, which is said before anything runs', async () => {
  await expect(run(cancels, { queue: 'redis://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('functions of this process'),
  });
});
