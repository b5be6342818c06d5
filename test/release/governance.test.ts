import { describe, expect, test } from 'vitest';
import type { ScenarioDefinition } from '../../src/scenario/objects/define-scenario.ts';
import { renderReport, type SuiteReport } from '../../src/index.ts';
import { explainRelease } from '../../src/release/explain/explain-release.ts';
import { governanceOf } from '../../src/release/governance.ts';
import { renderRelease } from '../../src/release/render-release.ts';
import { releaseReport } from '../../src/release/release-report.ts';
import type { RunReleaseOptions } from '../../src/release/run-release.ts';
import { aCase, ATTACK, inReleaseFolder, REVIEWED } from './a-release.ts';

const GOVERNED = { governed: true, suites: ['validation', 'adversarial'] } as const;

/** What governance finds, by code with the scenarios that it names. */
async function findings(
  scenarios: readonly ScenarioDefinition[],
  { rules = {}, ...options }: Partial<RunReleaseOptions> = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  let found: Readonly<Record<string, readonly string[]>> = {};
  await inReleaseFolder(async ({ run }) => {
    const { body } = await run({ scenarios, rules: { ...GOVERNED, trials: 2, ...rules }, ...options });
    expect(body.verdict === 'pass').toBe(body.governance.every(({ verdict }) => verdict === 'pass'));
    found = Object.fromEntries(body.governance.map(({ code, scenarios: names }) => [code, names]));
  });
  return found;
}

const GOOD = aCase('good', REVIEWED);
const ATTACKED = aCase('attack', ATTACK);

describe('governance', () => {
  test('finds nothing in material that is in order', async () => {
    expect(await findings([GOOD, ATTACKED], { rules: { maxAgeDays: { adversarial: 31 } } })).toEqual({});
  });

  test('S-01: tells in tier dev which scenarios count as validation because they say no suite', async () => {
    await inReleaseFolder(async ({ run }) => {
      const silent = ['a', 'b', 'c', 'd', 'e'].map((name) => aCase(name));
      const enumerated = aCase('enumerated', { sampler: 'exhaustive' });
      const reports: SuiteReport[] = [];
      const onReport = (report: SuiteReport): void => void reports.push(report);
      const one = await run({ scenarios: [aCase('a'), GOOD, ATTACKED] });
      expect(one.body).toMatchObject({ verdict: 'pass', reasons: [] });
      expect(one.body.governance).toEqual([
        {
          code: 'SUITE_ASSUMED',
          verdict: 'pass',
          message: '1 scenario says no suite, and counts as validation.',
          scenarios: ['a'],
        },
      ]);
      const result = await run({ scenarios: [...silent, enumerated, GOOD, ATTACKED], onReport });
      const [finding] = result.body.governance;
      expect(finding).toMatchObject({ code: 'SUITE_ASSUMED', verdict: 'pass' });
      expect([...(finding?.scenarios ?? [])].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'enumerated']);
      const names = finding?.scenarios.slice(0, 5).join(', ');
      const told = `6 scenarios say no suite, and count as validation: ${names} and 1 more`;
      const [report] = reports;
      if (report === undefined) throw new Error('There is no report.');
      expect(renderRelease(result, { columns: 120 })).toContain(`governance    ${told}\n`);
      for (const reporter of ['text', 'markdown', 'html'] as const)
        expect(renderReport(report, { reporter, columns: 120 })).toContain(told);
      expect(report.release?.governance).toEqual(result.body.governance);
    });
  });

  test('S-02: names validation that nobody reviewed for this release', async () => {
    const other = aCase('other', {
      suite: 'validation',
      provenance: { review: { by: 'ana', at: '2026-01-01', release: '0' } },
    });
    expect(await findings([GOOD, other, ATTACKED])).toEqual({ UNREVIEWED: ['other'] });
  });

  test('a day that lies ahead is no review, no consent and no scrub', async () => {
    const source = { kind: 'trace', traceId: 't1' } as const;
    const onDay = (at: string): ScenarioDefinition =>
      aCase(at, {
        suite: 'validation',
        provenance: {
          source,
          review: { by: 'ana', at, release: '1' },
          consent: { policy: 'p', basis: 'contract', at },
          scrub: { at, removed: 0 },
        },
      });
    const ahead = ['2026-11-26'];
    expect(await findings([GOOD, ATTACKED, onDay('2026-11-25'), onDay('2026-11-26')])).toEqual({
      UNREVIEWED: ahead,
      NO_CONSENT: ahead,
      UNSCRUBBED: ahead,
    });
  });

  test('tells of one scenario as of one, and of several as of several', async () => {
    const messages = async (...names: readonly string[]): Promise<readonly string[]> => {
      let told: readonly string[] = [];
      await inReleaseFolder(async ({ run }) => {
        const open = names.map((name) => aCase(name, { suite: 'validation' }));
        const { body } = await run({ scenarios: [GOOD, ...open, ATTACKED], rules: GOVERNED });
        told = body.governance.map(({ message }) => message);
      });
      return told;
    };
    expect(await messages('a')).toEqual(['1 scenario of validation has no review for release 1.']);
    expect(await messages('a', 'b')).toEqual(['2 scenarios of validation have no review for release 1.']);
  });

  test('S-06: names attacks that are older than their suite may be, and those that lie ahead', async () => {
    const aged = (name: string, refreshed: string) => aCase(name, { ...ATTACK, provenance: { refreshed } });
    const attacks = [aged('31 days', '2026-10-25'), aged('32 days', '2026-10-24'), aged('ahead', '2026-12-01')];
    const found = await findings([GOOD, ...attacks], { rules: { maxAgeDays: { adversarial: 31 } } });
    expect(Object.keys(found)).toEqual(['STALE_ADVERSARIAL']);
    expect([...(found.STALE_ADVERSARIAL ?? [])].sort()).toEqual(['32 days', 'ahead']);
  });

  test('S-05: asks for suites of the tier that have no scenario', async () => {
    expect(await findings([GOOD, ATTACKED], { rules: { suites: ['validation', 'stress'] } })).toEqual({
      MISSING_SUITE: [],
    });
  });

  test('S-05: takes nothing that was skipped for a scenario of its suite', async () => {
    await inReleaseFolder(async ({ run }) => {
      const { body } = await run();
      const found = (verdict: 'passed' | 'skipped') =>
        governanceOf({
          ...body,
          rules: { ...body.rules, suites: ['stress'] },
          results: [{ kind: 'model', name: 'm', verdict, suite: 'stress' }],
        }).map(({ code }) => code);
      expect([found('passed'), found('skipped')]).toEqual([[], ['MISSING_SUITE']]);
    });
  });

  test('S-05: takes no scenario that was not tried, for all of its trials ended in errors', async () => {
    await inReleaseFolder(async ({ run }) => {
      const { body } = await run();
      const [first] = body.scenarios;
      if (first === undefined) throw new Error('No scenario.');
      const found = (passed: number) =>
        governanceOf({
          ...body,
          rules: { ...body.rules, suites: ['stress'] },
          scenarios: [{ ...first, name: 'worst', suite: 'stress', passed, failed: 0 }],
        }).filter(({ code }) => code === 'MISSING_SUITE');
      expect([found(1), found(0)]).toEqual([
        [],
        [
          {
            code: 'MISSING_SUITE',
            verdict: 'insufficient',
            message: 'The suite stress was not tried: all of its trials ended in errors.',
            scenarios: ['worst'],
          },
        ],
      ]);
    });
  });

  test('S-03, D-02: names traces without consent, and traces that nobody scrubbed', async () => {
    const source = { kind: 'trace', traceId: 't1' } as const;
    const consent = { policy: 'p', basis: 'contract', at: '2026-01-01' };
    const scrub = { at: '2026-01-01', removed: 3 };
    const traces = [
      aCase('neither', { suite: 'regression', provenance: { source } }),
      aCase('consent', { suite: 'regression', provenance: { source, consent } }),
      aCase('both', { suite: 'regression', provenance: { source, consent, scrub } }),
    ];
    const found = await findings([GOOD, ATTACKED, ...traces]);
    expect({ ...found, UNSCRUBBED: [...(found.UNSCRUBBED ?? [])].sort() }).toEqual({
      NO_CONSENT: ['neither'],
      UNSCRUBBED: ['consent', 'neither'],
    });
  });

  test('counts the golden set', async () => {
    const golden = aCase('golden', { suite: 'regression' });
    expect(await findings([GOOD, ATTACKED, golden], { rules: { golden: [2, 5] } })).toEqual({ GOLDEN_SIZE: [] });
    expect(await findings([GOOD, ATTACKED, golden], { rules: { golden: [1, 5] } })).toEqual({});
  });

  test('names scenarios that try the same as another one', async () => {
    const copy = { ...aCase('copy', REVIEWED), trigger: GOOD.trigger ?? {} };
    const found = await findings([GOOD, copy, ATTACKED]);
    expect(Object.keys(found)).toEqual(['DUPLICATE']);
    expect(found.DUPLICATE).toHaveLength(1);
  });

  test('V-02: fails for a model that may change under its name, where the tier asks for pins', async () => {
    const pins = { writer: 'gpt-4o', judge: 'gpt-4o-2024-08-06' };
    await inReleaseFolder(async ({ run }) => {
      const told = await run({ pins });
      expect(told.body.governance).toMatchObject([{ code: 'UNPINNED_MODEL', verdict: 'pass' }]);
      const refused = await run({ pins, rules: { pinned: true } });
      expect(refused.body.verdict).toBe('fail');
      expect(refused.body.reasons).toEqual([expect.stringContaining('writer (gpt-4o).')]);
      const pinned = await run({ pins: { judge: 'gpt-4o-2024-08-06' }, rules: { pinned: true } });
      expect(pinned.body.verdict).toBe('pass');
      const unnamed = await run({ pins: {}, rules: { pinned: true } });
      expect([unnamed.body.verdict, unnamed.body.governance]).toMatchObject([
        'pass',
        [{ code: 'UNNAMED_MODEL', verdict: 'pass' }],
      ]);
    });
  });

  test('D-07, D-08: fails without a criterion for every stage of the canary', async () => {
    await inReleaseFolder(async ({ run }) => {
      const rules = { canary: [5, 25, 100] };
      const stages = rules.canary.map((percent) => ({ percent, criterion: 'pass_rate.lower >= 0.95' }));
      const without = await run({ rules, canary: stages.slice(0, 2) });
      expect(without.body).toMatchObject({ verdict: 'fail', governance: [{ code: 'CANARY_REQUIRED' }] });
      expect((await run({ rules, canary: stages })).body.verdict).toBe('pass');
    });
  });

  test('names scenarios of the release before that are gone', async () => {
    await inReleaseFolder(async ({ run }) => {
      const bad = aCase('bad', REVIEWED, 'right');
      await run({ scenarios: [GOOD, bad, ATTACKED] });
      const { body } = await run({
        scenarios: [GOOD, ATTACKED],
        rules: { governed: true },
        prior: 'release.json',
        out: 'next.json',
      });
      expect(body.governance).toMatchObject([{ code: 'DROPPED', verdict: 'insufficient', scenarios: ['bad'] }]);
    });
  });

  test('takes no release of something else for the one before', async () => {
    await inReleaseFolder(async ({ run }) => {
      await run({ candidate: { name: 'writer', version: '1' } });
      const { body } = await run({ rules: { governed: true }, prior: 'release.json', out: 'next.json' });
      expect(body.governance).toMatchObject([{ code: 'OTHER_PRIOR', verdict: 'insufficient' }]);
      expect(explainRelease({ body, bodyHash: '' }).changes.map(({ change }) => change)).toContain(
        'Give the record of an earlier version of router with --prior.',
      );
    });
  });

  test('S-07: takes a scenario under a new name for the one that it was in the release before', async () => {
    await inReleaseFolder(async ({ run }) => {
      const bad = aCase('bad', { ...REVIEWED, trials: 20 }, 'right');
      await run({ scenarios: [GOOD, bad, ATTACKED] });
      const { body } = await run({
        scenarios: [GOOD, { ...bad, name: 'renamed' }, ATTACKED],
        rules: { governed: true },
        prior: 'release.json',
        out: 'next.json',
      });
      expect(body.governance).toEqual([]);
      const { prior } = body;
      if (prior === null) throw new Error('There is no release before.');
      const better = { ...prior, scenarios: prior.scenarios.map((one) => ({ ...one, passed: one.trials })) };
      expect(releaseReport({ ...body, prior: better }).regressions).toMatchObject([{ name: 'renamed' }]);
    });
  });
});
