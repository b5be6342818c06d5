import { describe, expect, test } from 'vitest';
import { readCanary } from '../../src/canary/read-canary.ts';
import { stepCanary } from '../../src/canary/step-canary.ts';
import { PasskError } from '../../src/errors.ts';
import { aFolderWith } from './a-canary.ts';

const STAGE = 'min_outcomes = 100\nmax_outcomes = 5000\nmin_pass_rate = 0.95\nmax_error_rate = 0.02\n';
const stages = (...percents: readonly number[]): string =>
  percents.map((percent) => `[[stages]]\npercent = ${percent}\n${STAGE}`).join('\n');

function problems(text: string): readonly string[] {
  const cwd = aFolderWith({ 'canary.toml': text });
  try {
    readCanary('canary.toml', cwd);
    return [];
  } catch (error) {
    if (!(error instanceof PasskError)) throw error;
    return error.issues.map(({ at, message }) => `${at?.file}:${at?.line}:${at?.column} ${message}`);
  }
}

describe('the file of a rollout', () => {
  test('gives rules with their defaults, and a digest that layout and comments do not change', () => {
    const text = `candidate = "2"\ntier = "production"\n${stages(0, 5, 25, 100)}`;
    const one = readCanary('canary.toml', aFolderWith({ 'canary.toml': text }));
    const other = readCanary('canary.toml', aFolderWith({ 'canary.toml': `# x\n\n${text.replace(' = ', '=')}` }));
    expect(other.configuration).toBe(one.configuration);
    expect(one.plan).toMatchObject({ level: 0.95, lookEvery: 10, maxViolations: 0, baseline: null });
    expect(one.plan.stages.map(({ percent, maxDrop }) => [percent, maxDrop])).toEqual([
      [0, null],
      [5, null],
      [25, null],
      [100, null],
    ]);
  });

  test('D-08: each stage states its criterion, and all that is missing is named with its place', () => {
    expect(
      problems('candidate = "2"\ntier = "dev"\n[[stages]]\npercent = 0\n\n[[stages]]\npercent = 5\nmin_pass_rat = 1\n'),
    ).toEqual([
      'canary.toml:3:3 "stages[0]" needs the key "min_outcomes".',
      'canary.toml:3:3 "stages[0]" needs the key "max_outcomes".',
      'canary.toml:3:3 "stages[0]" needs the key "min_pass_rate".',
      'canary.toml:3:3 "stages[0]" needs the key "max_error_rate".',
      'canary.toml:6:3 "stages[1]" needs the key "min_outcomes".',
      'canary.toml:6:3 "stages[1]" needs the key "max_outcomes".',
      'canary.toml:6:3 "stages[1]" needs the key "max_error_rate".',
      'canary.toml:8:1 "stages[1].min_pass_rat" is not a known key.',
    ]);
  });

  test('rules that contradict each other are named, all at once', () => {
    const text = `candidate = "2"
baseline = "2"
tier = "dev"
[[stages]]
percent = 25
min_outcomes = 100
max_outcomes = 50
min_hours = 4
max_hours = 2
min_pass_rate = 1
max_cost_per_success = 0.1
max_error_rate = 0.02
max_latency_ms = 10
max_slow = 0
[[stages]]
percent = 5
max_drop = 0.1
${STAGE}`;
    expect(problems(text)).toEqual([
      'canary.toml:7:16 The stage ends after 50 outcomes, and needs 100.',
      'canary.toml:9:13 The stage ends after 2 hours, and lasts 4.',
      'canary.toml:10:17 No number of outcomes shows a rate of 1.',
      'canary.toml:11:24 Bounds of a cost need the most that one outcome can cost.',
      'canary.toml:14:12 No number of outcomes shows a share of 0.',
      'canary.toml:16:11 Stage 5 % comes after stage 25 %.',
      'canary.toml:2:12 Baseline and candidate are one version.',
    ]);
    expect(problems(`candidate = "2"\ntier = "dev"\n[[stages]]\npercent = 100\nmax_drop = 0.1\n${STAGE}`)).toEqual([
      'canary.toml:5:12 There is no baseline to compare with.',
      'canary.toml:5:12 At 100 % the baseline answers nothing, so that there is nothing to compare with.',
    ]);
  });

  test('a bar that every candidate keeps is none', () => {
    const idle = 'min_pass_rate = 0\nmax_drop = 1\nmax_error_rate = 1\nmax_latency_ms = 10\nmax_slow = 1';
    const stage = `[[stages]]\npercent = 5\nmin_outcomes = 1\nmax_outcomes = 9\nmax_cost_per_success = 1\n${idle}`;
    const text = `candidate = "2"\nbaseline = "1"\ntier = "dev"\nmax_cost_per_outcome = 1\n${stage}\n`;
    expect(problems(text)).toEqual([
      'canary.toml:10:17 Every candidate keeps a bar of 0, so that it shows nothing.',
      'canary.toml:11:12 Every candidate keeps a bar of 1, so that it shows nothing.',
      'canary.toml:14:12 Every candidate keeps a bar of 1, so that it shows nothing.',
      'canary.toml:12:18 Every candidate keeps a bar of 1, so that it shows nothing.',
    ]);
  });

  test.each([
    ['production', [0, 100], '5 %, 25 %'],
    ['production', [0, 5, 25], '100 %'],
    ['beta', [0, 5], '25 %'],
  ] as const)('D-07: a rollout of %s by %j is refused before anything is read', async (tier, percents, missing) => {
    const cwd = aFolderWith({ 'canary.toml': `candidate = "2"\ntier = "${tier}"\n${stages(...percents)}` });
    const { report, read } = await stepCanary({ config: 'canary.toml', outcomes: ['none.jsonl'], cwd });
    expect([report.state, report.percent, read]).toEqual(['refused', 0, 0]);
    expect(report.reasons).toEqual([
      {
        code: 'CANARY_REQUIRED',
        message: `Tier ${tier} has no full rollout without canary: there is no stage of ${missing}.`,
        outcomes: [],
      },
    ]);
  });
});
