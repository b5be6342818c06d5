import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calibrateJudge, golden, type GoldenReport, type RunGoldenOptions, startFakeJudge } from '../../src/index.ts';
import type { LiveModel } from '../../src/settings/live-functions.ts';
import type { JudgeSetting } from '../../src/types/judges/judge.ts';
import { askedOf, pairJudgeOf } from '../judges/a-judge.ts';
import { labelsOf } from '../judges/labels.ts';

/** Tasks that no check can decide: what the agent says is all there is. */
const TASKS = 40;
const cwd = mkdtempSync(path.join(os.tmpdir(), 'passk-preference-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const BETTER: JudgeSetting = {
  name: 'better',
  models: ['m'],
  compares: true,
  criteria: [{ id: 'kind', text: 'The agent is kind.' }],
};
const CALIBRATED: JudgeSetting = { ...BETTER, calibration: 'better.json' };
const kind = pairJudgeOf('kindly');

/** Answers kindly, but for the tasks from one number to another, where it is curt. */
const agent = (curt: readonly [number, number]): string => `export default () => (message) => {
  const task = Number(/\\d+/.exec(message)[0]);
  return task >= ${curt[0]} && task < ${curt[1]} ? 'No. [[quality=-9]]' : 'I kindly see to it. [[quality=9]]';
};
`;

beforeAll(async () => {
  const tasks = Array.from(
    { length: TASKS },
    (_, at) => `[[tasks]]\nname = "t${at}"\nuser = { opening = "Task ${at}" }\n`,
  );
  const none = 'agents = [{ name = "desk", turns = [{ says = "Fine." }] }]\n[tasks.expected]\nstatus = "completed"\n';
  writeFileSync(
    path.join(cwd, 'set.toml'),
    `name = "set"\n[session]\n[state]\n[[tools]]\nname = "look"\nsteps = []\n${tasks.map((task) => task + none).join('')}`,
  );
  for (const [name, curt] of [
    ['now', [0, 0]],
    ['few', [0, 2]],
    ['next', [0, 30]],
    ['other', [10, 40]],
  ] as const) {
    writeFileSync(path.join(cwd, `${name}.mjs`), agent(curt));
    writeFileSync(path.join(cwd, `${name}.toml`), `[[agents]]\nname = "desk"\nmodule = "${name}.mjs"\n`);
  }
  writeFileSync(path.join(cwd, 'labels.csv'), labelsOf([95, 95]));
  const calibration = await calibrateJudge({
    judge: 'better',
    judges: [BETTER],
    models: { m: kind },
    labels: ['labels.csv'],
    cwd,
  });
  expect(calibration.verdict).toBe('calibrated');
  writeFileSync(path.join(cwd, 'better.json'), JSON.stringify(calibration));
  await golden.pin({ paths: ['set.toml'], out: 'golden.json', agents: 'now.toml', cwd, ...HOW });
});

const HOW = { permissions: { run: ['./now.mjs', './few.mjs', './next.mjs', './other.mjs'] }, workers: 1 };

async function run(agents: string, m: LiveModel, more: Partial<RunGoldenOptions> = {}): Promise<GoldenReport> {
  const report = await golden.run({
    set: 'golden.json',
    cwd,
    ...HOW,
    limits: { minTasks: TASKS },
    agents: `${agents}.toml`,
    judge: 'better',
    judges: [CALIBRATED],
    models: { m },
    ...more,
  });
  if (report === null) throw new Error('it was stopped');
  return report;
}

test('R-02: a calibrated judge that finds answers worse fails a candidate of which every check passes', async () => {
  const report = await run('next', kind, { issueSink: 'issues.jsonl' });
  expect(report).toMatchObject({
    verdict: 'fail',
    tasks: { lost: 0, gained: 0 },
    regressions: [],
    preference: {
      judge: { judge: 'better', verdict: 'calibrated', position: { consistency: 1 } },
      pairs: 40,
      same: 10,
      better: 0,
      worse: 30,
      tied: 0,
      unread: 0,
      difference: -0.75,
      // Both orders of the thirty pairs that differ.
      asked: { items: 30, promptTokens: 6000 },
    },
    issues: [{ kind: 'gate', task: null }],
    sink: { filed: 1 },
  });
  const { corrected, worseTasks } = report.preference ?? {};
  // (0 − 1) / (0.95 + 0.95 − 1) is below −1; three quarters of the pairs were asked about.
  expect(corrected?.difference).toBeCloseTo(-0.75, 12);
  expect(corrected?.interval[1]).toBeLessThan(-0.5);
  expect(worseTasks).toHaveLength(20);
  expect(report.reasons).toEqual([expect.stringContaining('finds 30 answers worse and 0 better')]);
  expect(golden.render(report)).toContain('better: 0 better, 30 worse, 0 as good, 10 the same, of 40 pairs');
});

test('a judge without a calibration, one of another rubric, and one that follows the place advise and decide nothing', async () => {
  const uncalibrated = await run('next', kind, { judges: [BETTER] });
  expect(uncalibrated).toMatchObject({
    verdict: 'pass',
    issues: [],
    preference: { worse: 30, corrected: null, judge: { verdict: 'uncalibrated' } },
  });
  expect(golden.render(uncalibrated)).toContain('advisory, uncalibrated: Nobody has measured it');
  const stale = await run('next', kind, { judges: [{ ...CALIBRATED, criteria: [{ id: 'x', text: 'Another.' }] }] });
  expect(stale).toMatchObject({ verdict: 'pass', preference: { judge: { verdict: 'stale' } } });
  const first: LiveModel = (request) => ({
    content: JSON.stringify({ mark: askedOf(request).mark, reason: 'So.', verdict: 'A' }),
    promptTokens: 1,
    completionTokens: 1,
  });
  expect(await run('next', first)).toMatchObject({
    verdict: 'pass',
    preference: { tied: 30, difference: 0, judge: { verdict: 'advisory', position: { firstShare: 1 } } },
  });
});

test('few worse answers, better ones, and the same agent pass; of the same agent nobody is asked', async () => {
  expect(await run('few', kind)).toMatchObject({ verdict: 'pass', preference: { worse: 2, same: 38 } });
  expect(await run('now', kind)).toMatchObject({
    verdict: 'pass',
    preference: { same: 40, asked: { items: 0 }, difference: 0, corrected: { difference: 0 }, p: 1 },
  });
  const unkind = pairJudgeOf('No.');
  expect(await run('next', unkind)).toMatchObject({ verdict: 'pass', preference: { better: 30, worse: 0 } });
});

test('what a judge said is kept beside the cassette of the run, and replayed without it', async () => {
  const recorded = await run('next', kind, { record: 'run.cassette' });
  const replayed = await run(
    'next',
    () => {
      throw new Error('nobody is asked');
    },
    { replay: 'run.cassette' },
  );
  expect(replayed).toEqual(recorded);
  // Whoever answers today may be another one.
  await expect(golden.accept({ set: 'golden.json', reason: 'the same', cwd })).rejects.toMatchObject({
    code: 'INPUT',
    message: expect.stringContaining('are those of a cassette'),
  });
});

test('a judge that is down, or none, says so', async () => {
  const down: LiveModel = () => {
    throw new Error('down');
  };
  expect(await run('next', down)).toMatchObject({
    verdict: 'insufficient',
    preference: { unread: 30, judge: { errors: 30 }, corrected: null },
  });
  await expect(run('next', kind, { judge: 'bettr' })).rejects.toMatchObject({
    code: 'USAGE',
    hint: expect.stringContaining('better') as unknown,
  });
  const { compares: _, ...plain } = BETTER;
  await expect(run('next', kind, { judges: [plain] })).rejects.toMatchObject({ code: 'USAGE' });
  const missing = { ...BETTER, calibration: 'none.json' };
  await expect(run('next', kind, { judges: [missing] })).rejects.toMatchObject({ code: 'INPUT' });
});

test('a real judge is asked within the budget of the run: what it leaves out is not enough evidence', async () => {
  const server = await startFakeJudge();
  const endpoint = { provider: 'openai-compatible', model: 'fair', baseUrl: server.url, maxTokens: 50 } as const;
  const setting: JudgeSetting = { ...BETTER, models: ['real'], calibration: 'real.json' };
  try {
    const how = { judges: [setting], models: { real: endpoint } };
    const calibration = await calibrateJudge({ judge: 'better', ...how, labels: ['labels.csv'], cwd });
    writeFileSync(path.join(cwd, 'real.json'), JSON.stringify(calibration));
    const poor = await run('next', kind, { ...how, permissions: { ...HOW.permissions, net: true }, maxTokens: 5000 });
    expect(poor).toMatchObject({ verdict: 'insufficient', preference: { asked: { isPartial: true } } });
    expect(poor.reasons.join(' ')).toMatch(/no verdict on \d+ of 40 pairs/);
    const { promptTokens, completionTokens } = poor.preference?.asked ?? {};
    expect((promptTokens ?? 0) + (completionTokens ?? 0)).toBeLessThanOrEqual(5000);
  } finally {
    await server.close();
  }
});
