import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  auditSet,
  mergeShards,
  renderReport,
  renderTrace,
  runShard,
  runSuite,
  type SampledScenario,
  type RunSuiteOptions,
  type ShardSource,
  type SuiteReport,
  traceTrial,
} from '../../src/index.ts';

const CORPUS = fileURLToPath(new URL('../../corpus/sessions', import.meta.url));

/** A till whose agent is right three times out of four. */
const TILL = `name = "till"
trials = 3000
min_pass_rate = 0.7

[session]

[state]
paid = []

[[tools]]
name = "pay"
parameters = { properties = { cents = { type = "integer" } }, required = ["cents"] }
steps = [{ append = ["paid"], value = "{{args.cents}}" }]

[[tasks]]
name = "take money"
[tasks.user]
opening = "I want to pay."
known = { amount = "12 euros" }
typos = 0.1
[tasks.gold]
calls = [{ tool = "pay", args = { cents = 1200 } }]
[[tasks.goals]]
name = "takes money"
tool = "pay"
[[tasks.goals]]
name = "takes all of it"
at = "paid.0"
equals = 1200
[[tasks.goals]]
name = "wishes a good day"
says = "good day"
[[tasks.agents]]
name = "hasty"
turns = [
  { says = "Which amount?" },
  { variants = [
    { weight = 3, calls = [{ tool = "pay", args = { cents = 1200 } }], says = "Thank you." },
    { calls = [{ tool = "pay", args = { cents = 12 } }], says = "Thank you." },
  ] },
]
`;

let cwd: string;
let whole: SuiteReport;
beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'passk-sessions-'));
  writeFileSync(path.join(cwd, 'till.toml'), TILL);
  whole = await run({ workers: 1 });
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function run(options: RunSuiteOptions = {}): Promise<SuiteReport> {
  return runSuite({ cwd, paths: ['till.toml'], seed: 3, ...options });
}

function bytesOf(report: SuiteReport): string {
  return renderReport(report, { reporter: 'json', timing: false });
}

describe('sessions of the corpus', () => {
  test('get exactly the verdicts that were planted, on every task', async () => {
    const report = await runSuite({ cwd: CORPUS, paths: ['.'], workers: 0 });
    expect(report.gate.verdict).toBe('pass');
    // Whoever lets calls decide is told so.
    expect(report.notices).toMatchObject([{ code: 'trajectory_decides', severity: 'warning' }]);
    // Each control is found out by the checks that it names, and by no other.
    const controls = report.scenarios.filter(({ name }) => / · sloppy(?= ·|$)/.test(name));
    expect(report.scenarios).toHaveLength(94);
    expect(controls).toHaveLength(22);
    // On the bad day the tools that fail and lie did so, and what policy denied stayed undone.
    const trouble = (report.scenarios as readonly SampledScenario[]).filter(({ name }) => name.includes('in trouble'));
    expect(trouble.map(({ cost, chaos }) => [cost.total.policyDenials, chaos?.map(({ fired }) => fired)])).toEqual([
      [0, [4, 0]],
      [0, [4, 0]],
      [0, [0, 0]],
      [4, [0, 0]],
      [0, [0, 4]],
      [4, [0, 4]],
    ]);
    const refunds = (report.scenarios as readonly SampledScenario[]).filter(({ name }) =>
      name.includes('within thirty'),
    );
    expect(refunds.map(({ session }) => session?.progress?.goals.map(({ reached }) => reached))).toEqual([
      [4, 4, 4],
      [0, 0, 4],
    ]);
    // Whoever calls, the sound agent is told twice in each session, and the sloppy one once before it has no try left.
    const told = (report.scenarios as readonly SampledScenario[]).filter(({ name }) => name.includes('pay back what'));
    expect(told.map(({ cost }) => cost.total.retries)).toEqual([8, 8, 8, 8, 4, 4, 4, 4]);
  });

  test('give the same bytes for any number of workers, in shards, and when a journal that was cut short is resumed', async () => {
    const options = { cwd: CORPUS, paths: ['.'] };
    const inline = bytesOf(await runSuite({ ...options, workers: 0 }));
    for (const workers of [1, 2]) expect(bytesOf(await runSuite({ ...options, workers }))).toBe(inline);
    const shards: ShardSource[] = [];
    for (const index of [2, 1]) {
      const { bytes } = await runShard({ ...options, workers: 0, shard: { index, count: 2 } });
      shards.push({ name: `${index}.shard`, bytes });
    }
    expect(bytesOf((await mergeShards(shards)).report)).toBe(inline);
    const folder = path.join(cwd, 'corpus');
    await runSuite({ ...options, workers: 0, journal: { folder } });
    const [written = ''] = readdirSync(folder).map((name) => path.join(folder, name));
    truncateSync(written, Math.floor(statSync(written).size / 2));
    expect(bytesOf(await runSuite({ ...options, workers: 2, journal: { folder, resume: true } }))).toBe(inline);
  });

  test('are not passed by agents that do nothing, repeat the user, refuse or say everything; gold calls pass', async () => {
    const audit = await auditSet({ cwd: CORPUS, paths: ['.'], workers: 0 });
    expect(audit.tasks).toHaveLength(27);
    expect(audit.tasks.filter(({ passedBy }) => passedBy.length > 0)).toEqual([]);
    expect(audit.tasks.filter(({ notJudged }) => notJudged !== null)).toEqual([]);
    expect(audit.gold).toEqual({ tasks: 24, passed: 24, rate: 1 });
    expect(audit.duplicates).toEqual([]);
  });
});

describe('sessions', () => {
  test('are drawn, counted and judged as trials of any subject are', () => {
    const [till] = whole.scenarios;
    expect(till).toMatchObject({ name: 'till: take money', verdict: 'passed', trials: { executed: 3000, broken: 0 } });
    const { passRate, checks } = till as { passRate: number; checks: readonly { check: string }[] };
    // Four standard errors of three in four.
    expect(Math.abs(passRate - 0.75)).toBeLessThan(4 * Math.sqrt((0.75 * 0.25) / 3000));
    expect(checks.map(({ check }) => check)).toEqual(['state']);
  });

  test('tell how far they got: each sub-goal, and the share that held at one time, with its interval', () => {
    const [till] = whole.scenarios as readonly SampledScenario[];
    const { progress, calls, validCalls } = till?.session ?? {};
    const passed = till?.trials.passed ?? 0;
    expect(progress).toMatchObject({
      trials: 3000,
      mean: (3000 + passed) / 9000,
      goals: [
        { goal: 'takes money', reached: 3000 },
        { goal: 'takes all of it', reached: passed },
        { goal: 'wishes a good day', reached: 0 },
      ],
    });
    const [low, high] = progress?.interval ?? [1, 0];
    // Three of four sessions reach two thirds, the others one third.
    expect(low).toBeLessThan(7 / 12);
    expect(high).toBeGreaterThan(7 / 12);
    expect(high - low).toBeLessThan(0.02);
    expect([calls, validCalls]).toEqual([3000, 3000]);
    const text = renderReport(whole, { reporter: 'text' }).replace(/\s+/g, ' ');
    expect(text).toContain('Progress against sub-goals: 3,000 sessions of 1 scenario · decides nothing');
    expect(text).toContain(
      `of 3,000 sessions: takes money 3,000 · takes all of it ${passed.toLocaleString('en')} · wishes a good day 0`,
    );
  });

  test.each<[string, RunSuiteOptions]>([
    ['without workers', { workers: 0 }],
    ['with two workers', { workers: 2 }],
    ['in processes', { workers: 2, isolation: 'process' }],
  ])('give the same bytes %s', async (_, options) => {
    expect(bytesOf(await run(options))).toBe(bytesOf(whole));
  });

  test('give the same bytes in shards, in any order', async () => {
    const shards: ShardSource[] = [];
    for (const index of [3, 1, 2]) {
      const { bytes } = await runShard({ cwd, paths: ['till.toml'], seed: 3, workers: 0, shard: { index, count: 3 } });
      shards.push({ name: `${index}.shard`, bytes });
    }
    const { report } = await mergeShards(shards);
    expect(bytesOf(report)).toBe(bytesOf(whole));
  });

  test('give the same bytes when a journal that was cut short is resumed', async () => {
    const folder = path.join(cwd, 'kept');
    await run({ workers: 0, journal: { folder } });
    const [written = ''] = readdirSync(folder).map((name) => path.join(folder, name));
    truncateSync(written, Math.floor(statSync(written).size / 2));
    const resumed = await run({ workers: 2, journal: { folder, resume: true } });
    expect(bytesOf(resumed)).toBe(bytesOf(whole));
  });

  test('are traced as conversations, with calls, results, and what became of the world', async () => {
    const [first] = (whole.scenarios[0] as { failures: readonly { trial: number }[] }).failures;
    const trace = await traceTrial({
      cwd,
      file: 'till.toml',
      seed: 3,
      part: 'till: take money',
      trial: first?.trial ?? 0,
    });
    const shown = renderTrace(trace);
    expect(shown).toContain('calls');
    expect(shown).toMatch(/calls\s+pay \{ ?"cents": 12 ?\}/);
    expect(shown).toMatch(/changed\s+paid\.0: nothing → 12/);
    expect(shown).toMatch(/closed\s+the user had nothing left to say/);
    expect(shown).toContain('paid.0');
    expect(shown.replace(/\s+/g, ' ')).toMatch(
      /diverges\s+call 1 \(message 2\) is pay \{"cents":12\} in place of gold call 1, pay \{"cents":1200\}/,
    );
    // Sub-goals stand where they were reached.
    expect(shown).toMatch(/result[^\n]*\n\s*reached\s+takes money\n/);
    expect(shown).toMatch(/progress\s+1 of 3 sub-goals\n\s*missed\s+takes all of it\n\s*missed\s+wishes a good day/);
  });
});
