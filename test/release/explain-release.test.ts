import { describe, expect, test } from 'vitest';
import { explainRelease } from '../../src/release/explain/explain-release.ts';
import { renderExplanation } from '../../src/release/render-explanation.ts';
import type { RunReleaseOptions } from '../../src/release/run-release.ts';
import type { EvalBody } from '../../src/types/release/eval-body.ts';
import type { EvalResult } from '../../src/types/release/eval-result.ts';
import { aCase, ATTACK, inReleaseFolder, REVIEWED } from './a-release.ts';

async function aRecord(options: Partial<RunReleaseOptions>): Promise<EvalResult> {
  const records: EvalResult[] = [];
  await inReleaseFolder(async ({ run }) => void records.push(await run(options)));
  const [record] = records;
  if (record === undefined) throw new Error('No record was made.');
  return record;
}

/** What would have to change, without what only informs, as axis, code, sentence and trials. */
const changes = (record: Pick<EvalResult, 'body' | 'bodyHash'>) =>
  explainRelease(record)
    .changes.filter(({ isAdvisory }) => !isAdvisory)
    .map(({ axis, code, change, trials }) => [axis, code, change, trials]);

const GOOD = aCase('good', REVIEWED);
const ATTACKED = aCase('attack', ATTACK);

describe('explaining a release', () => {
  test('says that nothing must change of one that passed', async () => {
    const record = await aRecord({});
    expect(changes(record)).toEqual([]);
    expect(explainRelease(record)).toMatchObject({ verdict: 'pass', trials: 0, usdPerTrial: 0.02 });
    expect(renderExplanation(explainRelease(record))).toContain('cost          nothing: the release passed');
  });

  test('says how many attacks show a rate, and how many more that are', async () => {
    const record = await aRecord({ rules: { trials: 12, maxAttackSuccess: 0.01 } });
    expect(changes(record)).toEqual([
      ['safety', 'ATTACK_SUCCESS', '0 of 12 is insufficient for 1 %: 299 if none succeeds.', 287],
    ]);
    expect(explainRelease(record).trials).toBe(287);
  });

  test('asks for something that varies, where trials are all the same, and for no more of them', async () => {
    const same = { intel: { turns: [{ content: '{"way": "left"}', promptTokens: 1000, completionTokens: 100 }] } };
    const constant = [aCase('good', { ...REVIEWED, ...same }), aCase('attack', { ...ATTACK, ...same })];
    const rules = { trials: 12, maxAttackSuccess: 0.2, outcome: ['suites.validation.pass_rate.lower(0.95) >= 0.5'] };
    const record = await aRecord({ scenarios: constant, rules });
    expect(record.body.axes.outcome.reasons).toContainEqual({
      code: 'SAME_TRIALS',
      verdict: 'insufficient',
      message: `${rules.outcome[0]}: nothing is drawn in the scenario "good", so that its trials are all the same, and show nothing of others.`,
    });
    expect(changes(record)).toEqual([
      [
        'outcome',
        'SAME_TRIALS',
        'Let something vary in good: try what it asks with --live, or an agent, or give its turns variants.',
        null,
      ],
      [
        'safety',
        'ATTACK_SUCCESS',
        '0 of 1 is insufficient for 20 %: 14 if none succeeds. Trials of attack are the same attack each time, and count once: try them with --live, or on an agent, or give their turns variants.',
        null,
      ],
    ]);
    // What may differ is judged by itself.
    const mixed = await aRecord({ scenarios: [...constant, aCase('varied', REVIEWED)], rules });
    expect(mixed.body.axes.outcome).toMatchObject({
      verdict: 'pass',
      tells: [expect.stringContaining('and show nothing of others. The bound is of the others.')],
    });
  });

  test('gives as many attacks as then pass, and not one less', async () => {
    const record = await aRecord({ rules: { trials: 12, maxAttackSuccess: 0.01 } });
    const { trials } = explainRelease(record);
    for (const [more, verdict] of [
      [trials, 'pass'],
      [trials - 1, 'insufficient'],
    ] as const) {
      const { body } = await aRecord({ rules: { trials: 12 + more, maxAttackSuccess: 0.01 } });
      expect(body.axes.safety.verdict).toBe(verdict);
    }
  });

  test('says how many trials a bound needs at the pass rates so far, and that many do', async () => {
    const outcome = ['suites.validation.pass_rate.lower(0.95) >= 0.8'];
    const record = await aRecord({ rules: { outcome } });
    const [[axis, code, change, more] = []] = changes(record);
    expect([axis, code]).toEqual(['outcome', 'RULE']);
    expect(change).toContain('if pass rates stay as they are');
    const needed = 4 + Number(more);
    for (const [trials, verdict] of [
      [needed, 'pass'],
      [needed - 1, 'insufficient'],
    ] as const) {
      const { body } = await aRecord({ rules: { outcome, trials } });
      expect([trials, body.axes.outcome.verdict]).toEqual([trials, verdict]);
    }
  });

  test('gives the trials of passk plan, where the rule is about one scenario', async () => {
    const outcome = ['scenario(good).pass_rate.lower(0.95) >= 0.8'];
    const [[, , change] = []] = changes(await aRecord({ rules: { outcome } }));
    expect(change).toMatch(/To tell a pass rate of 90 % from 80 %, plan \d+ of each\.$/);
  });

  test('names the scenario that a misspelt rule may mean, and the one that another rule read', async () => {
    const faithfulness = ['scenario(goood).pass_rate >= 0.9', 'scenario(good).pass_rate >= 0.9'];
    const { body } = await aRecord({ rules: { faithfulness } });
    expect(body.axes.faithfulness.reasons.map(({ message }) => message)).toEqual([
      'goood: is not among the scenarios. Did you mean "good"?',
      'good: pass_rate is 1.00 (4 of 4 trials passed); it must be at least 0.90.',
    ]);
  });

  test('says of what failed that more trials do not do it, and what must become better', async () => {
    const record = await aRecord({
      scenarios: [aCase('bad', REVIEWED, 'right'), GOOD, ATTACKED],
      rules: { outcome: ['suites.validation.pass_rate >= 0.9'], faithfulness: [] },
    });
    expect(changes(record)).toEqual([
      [
        'outcome',
        'RULE',
        '"suites.validation.pass_rate >= 0.9" holds once no scenario passes less than 100 % of its trials: improve bad (0 %).',
        null,
      ],
      ['outcome', 'SCENARIO_BAR', 'More trials must pass: bad (0 of 4, needs 4, trial 0 fails first).', null],
      [
        'faithfulness',
        'NO_RULE',
        'Name the scenarios that show it, as faithfulness = ["scenario(NAME).pass_rate >= 0.9"] under [release.tiers.dev]: 4 trials of each that is new.',
        0,
      ],
    ]);
    expect(renderExplanation(explainRelease(record))).toContain('trials alone do not do it');
  });

  test('asks for no trials where none would show it, and says what perfection would take', async () => {
    const { body, bodyHash } = await aRecord({
      rules: { outcome: ['suites.validation.pass_rate.lower(0.95) >= 0.8'] },
    });
    const counted = (passed: number, failed: number) =>
      changes({ bodyHash, body: { ...body, scenarios: body.scenarios.map((one) => ({ ...one, passed, failed })) } })[0];
    expect(counted(3, 1)).toEqual([
      'outcome',
      'RULE',
      '"suites.validation.pass_rate.lower(0.95) >= 0.8" cannot be shown at the pass rates so far, with any number of trials. 16 of each would do if all passed.',
      null,
    ]);
    expect(counted(0, 4)).toEqual([
      'outcome',
      'RULE',
      '"suites.validation.pass_rate.lower(0.95) >= 0.8" needs a better candidate, and 16 trials of each even if all pass.',
      null,
    ]);
  });

  test('says what makes a success affordable', async () => {
    expect(changes(await aRecord({ rules: { maxCostPerSuccess: 0.01 } }))).toEqual([
      ['cost', 'COST_CEILING', 'A run must cost 50 % less, for $0.01 in place of $0.02.', null],
    ]);
    expect(changes(await aRecord({ rules: { costSlack: 1.1 } }))).toEqual([
      ['cost', 'NO_CEILING', 'Name the release before with --prior, or set max_cost_per_success.', 0],
    ]);
  });

  test('counts the trials of test material that is missing', async () => {
    const rules = { governed: true, suites: ['validation', 'stress'], golden: [3, 9], owaspCoverage: true } as const;
    const regression = aCase('old', { suite: 'regression' });
    const record = await aRecord({ scenarios: [GOOD, regression, ATTACKED], rules, id: '2' });
    expect(changes(record)).toEqual([
      [
        'safety',
        'OWASP_COVERAGE',
        'Add an attack of each of ASI02, ASI03, ASI04, ASI05, ASI06, ASI07, ASI08, ASI09, ASI10: 4 trials each.',
        36,
      ],
      ['governance', 'MISSING_SUITE', 'The suite stress has no scenario. Add one: 4 trials.', 4],
      ['governance', 'UNREVIEWED', 'Have good reviewed, with release = "2" under [provenance] review.', 0],
      ['governance', 'GOLDEN_SIZE', 'The suite regression has 1 scenario; it must have 3 to 9. Add 2 scenarios.', 8],
    ]);
    expect(explainRelease(record).trials).toBe(48);
  });

  test('reads in about ten lines', async () => {
    const record = await aRecord({ rules: { trials: 12, maxAttackSuccess: 0.01 } });
    expect(renderExplanation(explainRelease(record), { columns: 80 })).toMatchInlineSnapshot(`
      "release       router 1 for dev: insufficient
      trajectory    advisory: Name the scenarios that show it, as trajectory =
                    ["scenario(NAME).pass_rate >= 0.9"] under [release.tiers.dev]: 12
                    trials of each that is new.
      safety        0 of 12 is insufficient for 1 %: 299 if none succeeds. That is 287
                    more trials.
      cost          287 more trials, about $5.74 at $0.02 a trial
      "
    `);
  });

  test('refuses numbers that cannot be, and takes any number of scenarios', async () => {
    const { body, bodyHash } = await aRecord({ rules: { outcome: ['suites.validation.pass^2.lower(0.95) >= 0.99'] } });
    const changed = (change: Partial<EvalBody>) => () => explainRelease({ body: { ...body, ...change }, bodyHash });
    const huge = body.scenarios.map((one) => ({ ...one, passed: 1e300 }));
    expect(changed({ scenarios: huge })).toThrow(expect.objectContaining({ code: 'INPUT' }));
    const [first] = body.scenarios;
    if (first === undefined) throw new Error('The record has no scenario.');
    const scenarios = Array.from(
      { length: 100_000 },
      (_, at) => ({ ...first, suite: 'validation', name: `${at}`, passed: 3, failed: 1 }) as const,
    );
    expect(changed({ scenarios })().changes[0]).toMatchObject({ axis: 'outcome', code: 'RULE' });
  });
});
