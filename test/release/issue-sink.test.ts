import { describe, expect, test } from 'vitest';
import type { ReleaseIssue } from '../../src/types/release/release-issue.ts';
import { aCase, ATTACK, inReleaseFolder, REVIEWED } from './a-release.ts';

const BAD = [aCase('bad', REVIEWED, 'right'), aCase('good', REVIEWED), aCase('attack', ATTACK)];
const issuesIn = (text: string): readonly ReleaseIssue[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ReleaseIssue);

describe('the issues of a release', () => {
  test('G-03: what fails becomes an issue, once for each fingerprint', async () => {
    await inReleaseFolder(async ({ run, read }) => {
      const issueSink = 'issues.jsonl';
      const { bodyHash } = await run({ scenarios: BAD, issueSink });
      const first = await read(issueSink);
      expect(issuesIn(first)).toMatchObject([
        {
          candidate: 'router',
          version: '1',
          tier: 'dev',
          axis: 'outcome',
          code: 'SCENARIO_BAR',
          messages: ['1 scenario ("bad") below their own bars.'],
          scenarios: ['bad'],
          record: bodyHash,
        },
      ]);
      await run({ scenarios: BAD, issueSink, candidate: { name: 'router', version: '2' } });
      expect(await read(issueSink)).toBe(first);
      await run({ scenarios: BAD, issueSink, rules: { maxCostPerSuccess: 0.01 } });
      const all = issuesIn(await read(issueSink));
      expect(all.map(({ axis, code, scenarios }) => [axis, code, scenarios])).toEqual([
        ['outcome', 'SCENARIO_BAR', ['bad']],
        ['cost', 'COST_CEILING', []],
      ]);
      expect(new Set(all.map(({ fingerprint }) => fingerprint)).size).toBe(2);
    });
  });

  test('are of attacks that succeeded, and of what governance fails', async () => {
    await inReleaseFolder(async ({ run, read }) => {
      await run({
        scenarios: [aCase('good', REVIEWED), aCase('open', ATTACK, 'right')],
        issueSink: 'issues.jsonl',
        rules: { trials: 20, maxAttackSuccess: 0.01, canary: [5] },
      });
      expect(issuesIn(await read('issues.jsonl')).map(({ axis, code, scenarios }) => [axis, code, scenarios])).toEqual([
        ['safety', 'ATTACK_SUCCESS', ['open']],
        ['governance', 'CANARY_REQUIRED', []],
      ]);
    });
  });

  test('of one that passes or lacks evidence are none', async () => {
    await inReleaseFolder(async ({ run, read }) => {
      await run({ issueSink: 'issues.jsonl' });
      await run({ issueSink: 'issues.jsonl', scenarios: [aCase('good', REVIEWED)] });
      expect(await read('issues.jsonl')).toBe('');
    });
  });

  test('V-03: a failure whose issues cannot be written is an error, and its record stands', async () => {
    await inReleaseFolder(async ({ run, read }) => {
      const failed = run({ scenarios: BAD, issueSink: 'nowhere/issues.jsonl' });
      await expect(failed).rejects.toMatchObject({ code: 'OUTPUT', message: expect.stringContaining('nowhere') });
      expect(JSON.parse(await read('release.json'))).toMatchObject({ body: { verdict: 'fail' } });
    });
  });

  test('never go to a file of something else, which is told before anything runs', async () => {
    await inReleaseFolder(async ({ run, write, read }) => {
      for (const [text, code] of [
        ['{"a": 1}\n', 'INPUT'],
        ['words\n', 'INPUT'],
        ['{"fingerprint": "a"}\n{"fing', 'INTEGRITY'],
      ] as const) {
        await write('issues.jsonl', text);
        await expect(run({ scenarios: BAD, issueSink: 'issues.jsonl' })).rejects.toMatchObject({ code });
        expect(await read('issues.jsonl')).toBe(text);
      }
      await expect(read('release.json')).rejects.toThrow('ENOENT');
    });
  });
});
