import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderReport, runSuite } from '../../src/index.ts';
import type { RunReleaseOptions } from '../../src/release/run-release.ts';
import { aCase, ATTACK, inReleaseFolder, RATES, REVIEWED } from './a-release.ts';

const GOOD = aCase('good', REVIEWED);
const ATTACKED = aCase('attack', ATTACK);

describe('a release whose evidence does not go together is refused before its first trial, and begins no try', () => {
  const refusals: readonly [what: string, more: Partial<RunReleaseOptions>, code: string, says: RegExp][] = [
    [
      'a report of what is tried',
      { recordings: ['report.json'] },
      'INPUT',
      /^The scenario "good" is tried, and stands in/,
    ],
    [
      'a record of what is tried',
      { records: ['good.json'] },
      'INPUT',
      /^The scenario "good" stands in this run and in/,
    ],
    [
      'a report that a record was made of',
      { scenarios: [ATTACKED], recordings: ['report.json'], records: ['reported.json'] },
      'INPUT',
      /^The scenario "report\.json: good" stands in this run and in reported\.json/,
    ],
    [
      'a record with other prices',
      { scenarios: [ATTACKED], records: ['good.json'], rates: 'other.toml' },
      'INPUT',
      /^The record good\.json is priced by/,
    ],
    [
      'a record of another model',
      { scenarios: [ATTACKED], records: ['good.json'], pins: { default: 'model-2' } },
      'INTEGRITY',
      /^The record good\.json is of another candidate: default was model-1/,
    ],
    [
      'a scenario without a suite, where the tier asks for one',
      { scenarios: [aCase('free')], rules: { governed: true } },
      'INPUT',
      /^The tier dev needs each scenario to say which suite it belongs to/,
    ],
  ];

  test.each(refusals)('%s', async (_, more, code, says) => {
    await inReleaseFolder(async ({ run, folder, file, write }) => {
      const report = await runSuite({ cwd: folder, scenarios: [GOOD], workers: 0, trials: 4 });
      await write('report.json', renderReport(report, { reporter: 'json' }));
      await write('other.toml', RATES.replace('"test"', '"other"'));
      const earlier = { log: 'earlier.jsonl', pins: { default: 'model-1' } };
      await run({ ...earlier, out: 'good.json', scenarios: [GOOD] });
      await run({ ...earlier, out: 'reported.json', scenarios: [], recordings: ['report.json'] });
      let trials = 0;
      const onProgress: RunReleaseOptions['onProgress'] = (event) => {
        if (event.kind === 'progress' || event.kind === 'scenario') trials++;
      };
      const pins = { default: 'model-1' };
      const refused = { code, message: expect.stringMatching(says) };
      await expect(run({ scenarios: [GOOD], pins, ...more, onProgress })).rejects.toMatchObject(refused);
      expect([trials, existsSync(file('release-log.jsonl'))]).toEqual([0, false]);
    });
  });
});
