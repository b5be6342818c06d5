import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CanaryMachine } from '../../src/canary/canary-machine.ts';
import { readCanary } from '../../src/canary/read-canary.ts';
import { renderCanary } from '../../src/canary/render-canary.ts';
import { canaryStatus, stepCanary } from '../../src/canary/step-canary.ts';
import { aFolderWith, aLine, aPlan, aStage, NOW } from '../canary/a-canary.ts';
import { fuzz } from './fuzz.ts';
import { mutatedBytes, mutatedTexts } from './mutations.ts';
import { expectSoundIssues, orRefused } from './sound-issues.ts';
import { PasskError } from '../../src/errors.ts';

const LONG = 24 * 3_600_000;
/** Control characters, but for the end of a line. */
const CONTROL = /(?!\n)\p{Cc}/u;

const CONFIG = `candidate = "2"
baseline = "1"
tier = "dev"
level = 0.9
max_cost_per_outcome = 1.5
[[stages]]
percent = 0
min_outcomes = 2
max_outcomes = 50
max_hours = 1e3
min_pass_rate = 0.5
max_error_rate = 0.1
[[stages]]
percent = 5
min_outcomes = 2
max_outcomes = 50
min_pass_rate = 0.5
min_pass_hat_k = 0.1
k = 2
max_drop = 0.5
max_cost_per_success = 1.0
max_latency_ms = 100
max_error_rate = 0.1
`;

test('any text in place of a rollout is read, or refused with all of its problems in their places', {
  timeout: LONG,
}, async () => {
  const cwd = aFolderWith({});
  const file = path.join(cwd, 'canary.toml');
  await fuzz('rollouts', mutatedTexts([CONFIG]), 400, ({ text }) => {
    writeFileSync(file, text);
    try {
      const { plan } = readCanary('canary.toml', cwd);
      expect(plan.stages.length).toBeGreaterThan(0);
      new CanaryMachine(plan).report('');
    } catch (error) {
      expect(error).toBeInstanceOf(PasskError);
      expect((error as PasskError).issues.length).toBeGreaterThan(0);
      expectSoundIssues((error as PasskError).issues, { file: 'canary.toml', text, root: cwd });
    }
  });
});

test('any lines in place of outcomes are counted once each, and what is reported can be shown and written', {
  timeout: LONG,
}, async () => {
  const all = { cost_usd: 0.5, latency_ms: 50, key: 'k', percent: 0, violation: false };
  const sound = Array.from({ length: 12 }, (_, i) => aLine(i, i % 3 === 0 ? { error: 'x' } : all)).join('\n');
  const baseline = aLine(1, { arm: 'baseline', version: '1', ...all });
  const stages = [0, 5].map((percent) =>
    aStage({
      percent,
      minOutcomes: 2,
      minPassRate: 0.5,
      minPassHatK: 0.1,
      maxDrop: 0.5,
      maxCostPerSuccess: 1,
      maxLatencyMs: 100,
    }),
  );
  const plan = aPlan({ stages, baseline: '1', maxCostPerOutcome: 1.5, lookEvery: 1 });
  await fuzz('outcomes', mutatedTexts([sound, `${sound}\n${baseline}`]), 400, ({ text }) => {
    const machine = new CanaryMachine(plan);
    const lines = text.split('\n');
    for (const line of lines) machine.take(line, NOW);
    machine.endStep();
    const report = machine.report('');
    const setAside = Object.values(report.refused).reduce((sum, count) => sum + count, 0);
    expect(report.counted + setAside).toBe(lines.length);
    // A number that is none would come back as null.
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(renderCanary(report)).not.toMatch(CONTROL);
  });
});

test('any bytes in place of a journal are read up to where they end, or refused in words', {
  timeout: LONG,
}, async () => {
  const cwd = aFolderWith({ 'canary.toml': CONFIG, 'a.jsonl': aLine(1), 'b.jsonl': `${aLine(2)}\n{` });
  for (const file of ['a.jsonl', 'b.jsonl']) {
    await stepCanary({ config: 'canary.toml', outcomes: [file], cwd, now: () => NOW });
  }
  const journal = path.join(cwd, 'canary.state.json.journal');
  await fuzz('journals of canaries', mutatedBytes([readFileSync(journal)]), 300, async (bytes) => {
    writeFileSync(journal, bytes);
    const report = await orRefused(() => canaryStatus({ config: 'canary.toml', cwd }));
    if (report !== undefined) expect(report.counted).toBeLessThanOrEqual(2);
  });
});
