import { expect, test } from 'vitest';
import fc from 'fast-check';
import { compareRuns } from '../../src/baseline/compare-runs.ts';
import { readBaseline } from '../../src/baseline/read-baseline.ts';
import type { BaselineScenario } from '../../src/types/baseline.ts';
import { aBaselineScenario, aRun, range, type Verdicts } from './a-baseline.ts';

const near = (value: number): unknown => expect.closeTo(value, 13);
const OTHER = { digest: 'b'.repeat(64) };

function drift(before: BaselineScenario, after: BaselineScenario, options = {}) {
  const report = compareRuns(aRun([before]), aRun([after]), options);
  const [scenario] = report.scenarios;
  if (scenario === undefined) throw new Error('nothing was compared');
  return { ...report, scenario };
}

test('trials with the same draws are compared one by one, as McNemar compares them ([H4]: 4 gained, 13 lost of 114)', () => {
  const before = aBaselineScenario({ trials: 114, failing: range(0, 4) });
  const after = aBaselineScenario({ trials: 114, failing: range(4, 17) }, OTHER);
  const { scenario, verdict, reasons } = drift(before, after);
  expect(scenario).toMatchObject({
    status: 'regressed',
    changed: true,
    comparison: 'paired',
    pairs: { trials: 114, lost: 13, gained: 4 },
    test: 'mcnemar',
    p: near(0.049041748046875),
    q: near(0.049041748046875),
  });
  expect(verdict).toBe('fail');
  expect(reasons).toEqual([
    'classify: pass rate went down from 0.96 to 0.89, 13 of 114 same trials lost and 4 gained (q = 0.049).',
  ]);
});

test('runs of other seeds are compared as independent ones (F-06: 84 of 200, then 64 of 200)', () => {
  const before = aBaselineScenario({ trials: 200, failing: range(84, 200) });
  const after = aBaselineScenario({ trials: 200, failing: range(64, 200) }, { words: [5, 6, 7, 8] });
  const { scenario } = drift(before, after);
  expect(scenario).toMatchObject({ status: 'regressed', comparison: 'unpaired', pairs: null, test: 'fisher' });
  expect(scenario.why).toBe('The runs have different seeds. They are compared as independent runs.');
  expect(scenario.p).toBeCloseTo(0.048931, 6);
  expect(scenario.interval?.map((end) => Number(end.toFixed(6)))).toEqual([-0.192132, -0.005397]);
});

test('what scenarios like these would show is a change that pass rates can have', () => {
  const named = (name: string, failing: readonly number[]) => aBaselineScenario({ trials: 20, failing }, { name });
  const before = aRun([named('a', []), named('b', range(0, 3))]);
  const after = aRun([named('a', range(0, 20)), named('b', range(0, 20))]);
  expect(compareRuns(before, after, {}).overall.population?.interval).toEqual([-1, 1]);
});

test('few trials of independent runs are compared by Fisher: 8 of 8, then 5 of 8, is no evidence', () => {
  const after = aBaselineScenario({ trials: 8, failing: [1, 3, 5] }, { words: [5, 6, 7, 8] });
  const { scenario, verdict } = drift(aBaselineScenario(), after);
  expect(scenario).toMatchObject({ status: 'unchanged', test: 'fisher', difference: -0.375 });
  expect(scenario.p).toBeCloseTo(0.2, 10);
  expect(verdict).toBe('pass');
});

test('p-values are corrected over scenarios (F-08): six lost trials count alone, but not among many', () => {
  const named = (name: string, verdicts: Verdicts) =>
    aBaselineScenario({ trials: 60, ...verdicts }, { name, ...OTHER });
  const names = range(0, 20).map((i) => `s${i}`);
  const before = aRun(names.map((name) => ({ ...named(name, {}), digest: 'a'.repeat(64) })));
  const lost = (among: readonly string[]) =>
    aRun(among.map((name) => named(name, { failing: name === 's0' ? range(0, 6) : [] })));
  const alone = compareRuns(before, lost(['s0']));
  const among = compareRuns(before, lost(names));
  expect(alone.scenarios[0]).toMatchObject({ status: 'regressed', p: near(0.03125), q: near(0.03125) });
  expect(among.scenarios[0]).toMatchObject({ status: 'unchanged', p: near(0.03125), q: near(0.625) });
  expect([alone.verdict, among.verdict, alone.vanished.length]).toEqual(['fail', 'pass', 19]);
});

test('a repeated program with one other verdict is named and needs no statistics', () => {
  const { scenario, verdict, notes, reasons } = drift(aBaselineScenario(), aBaselineScenario({ failing: [3] }));
  expect(scenario).toMatchObject({
    status: 'regressed',
    nondeterministic: true,
    changed: false,
    test: 'exact_repeat',
    p: null,
    q: null,
    pairs: { trials: 8, lost: 1, gained: 0 },
  });
  expect(verdict).toBe('fail');
  expect(notes).toEqual(['The same program with the same draws gave other verdicts: classify.']);
  expect(reasons).toEqual([
    'classify: pass rate went down from 1.00 to 0.88, 1 of 8 same trials lost and 0 gained, and the same program with the same draws should give the same.',
  ]);
});

test('a repeated program that swaps verdicts is named but has not regressed', () => {
  const { scenario, verdict } = drift(aBaselineScenario({ failing: [1] }), aBaselineScenario({ failing: [2] }));
  expect(scenario).toMatchObject({ status: 'unchanged', nondeterministic: true, difference: 0 });
  expect(verdict).toBe('pass');
});

test('a single trial decides where nothing is drawn', () => {
  const one = { trials: 1 };
  const before = aBaselineScenario(one, { constant: true });
  const after = aBaselineScenario({ ...one, failing: [0] }, { constant: true, ...OTHER });
  expect(drift(before, after).scenario).toMatchObject({ status: 'regressed', test: 'constant', difference: -1 });
  const drawn = { ...after, constant: false };
  expect(drift(before, drawn).scenario).toMatchObject({ status: 'unchanged', test: 'mcnemar', p: 1, noiseFloor: null });
});

test('strict, any drop of a pass rate regresses (reference: 1.0 to 0.5 regresses, 1.0 to 1.0 does not)', () => {
  const half = aBaselineScenario({ trials: 4, failing: [0, 1] }, { words: [5, 6, 7, 8] });
  const whole = aBaselineScenario({ trials: 4 });
  expect(drift(whole, half, { rule: 'strict' }).scenario.status).toBe('regressed');
  expect(drift(whole, whole, { rule: 'strict' }).scenario.status).toBe('unchanged');
  expect(drift(half, whole, { rule: 'strict' }).scenario.status).toBe('improved');
  expect(drift(whole, half).scenario.status).toBe('unchanged');
});

test('strict, a drop that broken trials could undo stays undecided', () => {
  const broken = aBaselineScenario({ trials: 4, failing: [0] }, { failed: 0, broken: 1 });
  const { scenario, verdict } = drift(aBaselineScenario({ trials: 4 }), broken, { rule: 'strict' });
  expect(scenario).toMatchObject({ status: 'undecided', comparison: 'unpaired' });
  expect(verdict).toBe('insufficient');
});

test('tokens that rise beyond the tolerance fail, a rise within it does not', () => {
  const of = (tokens: number) => aBaselineScenario({ trials: 8, tokens }, OTHER);
  expect(drift(of(100), of(110)).scenario.tokens).toMatchObject({ status: 'within', change: expect.closeTo(0.1) });
  const { scenario, verdict, reasons } = drift(of(100), of(125));
  expect(scenario).toMatchObject({ status: 'unchanged', tokens: { status: 'risen', interval: [25, 25] } });
  expect(verdict).toBe('fail');
  expect(reasons).toEqual(['classify: tokens per trial rose by 25.0 %, from 100 to 125; 10 % is tolerated.']);
  expect(drift(of(100), of(125), { tokenTolerance: 0.3 }).verdict).toBe('pass');
  expect(drift(of(100), of(50))).toMatchObject({ verdict: 'pass', scenario: { tokens: { status: 'fallen' } } });
});

test('tokens that vary more than they rise have not risen', () => {
  // 4 trials: 10, 10, 10, 190 tokens; then 10, 10, 190, 190.
  const spread = (total: number, squared: number, changes = {}) => {
    const scenario = aBaselineScenario({ trials: 4 }, changes);
    return { ...scenario, total: { ...scenario.total, llmTokens: total }, tokensSquared: String(squared) };
  };
  const { tokens } = drift(spread(220, 36_400), spread(400, 72_400, OTHER)).scenario;
  expect(tokens).toMatchObject({ status: 'within', before: 55, after: 100 });
  expect(tokens.interval?.[0]).toBeLessThan(0);
});

test('independent trials that are all alike tell by how many they are whether tokens rose', () => {
  const of = (trials: number, tokens: number, changes = {}) => aBaselineScenario({ trials, tokens }, changes);
  const OTHER_SEED = { words: [5, 6, 7, 8] as const };
  // 2 / C(6, 3), and 2 / C(10, 5).
  expect(drift(of(3, 100), of(3, 200, OTHER_SEED))).toMatchObject({
    verdict: 'pass',
    scenario: { tokens: { status: 'within', change: 1, interval: null, p: near(0.1) } },
  });
  expect(drift(of(5, 100), of(5, 200, OTHER_SEED))).toMatchObject({
    verdict: 'fail',
    scenario: { tokens: { status: 'risen', p: near(2 / 252) } },
  });
  expect(drift(of(3, 100), of(3, 100, OTHER_SEED)).scenario.tokens).toMatchObject({ status: 'within', p: 1 });
  // What draws nothing takes so many tokens whatever the seed is.
  const constant = { constant: true } as const;
  const { tokens } = drift(of(1, 100, constant), of(1, 200, { ...constant, ...OTHER_SEED })).scenario;
  expect(tokens).toMatchObject({ status: 'risen', p: null });
});

test('the noise floor of paired trials is the drop that six lost trials betray with a chance of 80 %', () => {
  const floor = (trials: number) =>
    drift(aBaselineScenario({ trials }), aBaselineScenario({ trials }, OTHER)).scenario.noiseFloor;
  expect(floor(5)).toBe(null);
  // 0.8^(1/6): all six must be lost.
  expect(floor(6)).toBeCloseTo(0.8 ** (1 / 6), 12);
  expect(floor(64)).toBeGreaterThan(0.1);
  expect(floor(64)).toBeLessThan(0.13);
  expect(floor(1000)).toBeLessThan(0.01);
});

test('scenarios are found again after their file moved, and new and vanished ones are named', () => {
  const before = aRun([aBaselineScenario(), aBaselineScenario({}, { name: 'gone' })]);
  const after = aRun([aBaselineScenario({}, { file: 'moved.toml' }), aBaselineScenario({}, { name: 'new' })]);
  const report = compareRuns(before, after);
  expect(report.scenarios.map(({ name, file, status }) => [name, file, status])).toEqual([
    ['classify', 'moved.toml', 'unchanged'],
  ]);
  expect(report.added).toEqual([{ name: 'new', file: 'corpus/classify.toml' }]);
  expect(report.vanished).toEqual([{ name: 'gone', file: 'corpus/classify.toml' }]);
});

test('a baseline without a scenario of this run decides nothing', () => {
  const report = compareRuns(aRun([]), aRun([aBaselineScenario()]));
  expect([report.verdict, report.reasons]).toEqual([
    'insufficient',
    ['No scenario is in both the baseline and this run.'],
  ]);
  expect(compareRuns(aRun([]), aRun([aBaselineScenario()]), { margin: 0.02 }).reasons).toContain(
    'The suite: its trials do not tell whether the mean pass rate fell by more than the margin 0.02.',
  );
});

test('a report of agentd-conformance is compared by its rates, and by its tokens as far as it has them', () => {
  const reference = {
    summary: {},
    scenarios: [
      { name: 'classify', trials: 8, passed_trials: 8, pass_rate: 1, cost_per_success_tokens: 72, cost: {} },
      { name: 'bare' },
    ],
  };
  const before = readBaseline(Buffer.from(JSON.stringify(reference)), 'reference.json');
  const after = aRun([aBaselineScenario({ failing: [0, 1] }), aBaselineScenario({}, { name: 'bare' })]);
  const report = compareRuns(before, after, { rule: 'strict' });
  expect(report.scenarios.map(({ status, comparison, changed }) => [status, comparison, changed])).toEqual([
    ['regressed', 'unpaired', null],
    ['improved', 'unpaired', null],
  ]);
  expect(report.scenarios[0]?.tokens).toMatchObject({ status: 'risen', before: 72, after: 100 });
  expect(report.notes).toEqual([
    'The baseline is a report of agentd-conformance, which has no verdicts of single trials: less can be told.',
  ]);
});

test('law: a run has not drifted from itself', () => {
  const verdicts = fc.record({
    trials: fc.integer({ min: 1, max: 200 }),
    failing: fc.uniqueArray(fc.integer({ min: 0, max: 199 })),
    tokens: fc.integer({ min: 0, max: 1000 }),
  });
  fc.assert(
    fc.property(
      fc.array(verdicts, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('strict', 'evidence'),
      (all, rule) => {
        const run = aRun(
          all.map(({ trials, failing, tokens }, i) =>
            aBaselineScenario(
              { trials, tokens, failing: failing.filter((trial) => trial < trials) },
              { name: `s${i}` },
            ),
          ),
        );
        const report = compareRuns(run, run, { rule: rule as 'strict' });
        expect(report).toMatchObject({ verdict: 'pass', reasons: [], notes: [], added: [], vanished: [] });
        expect(
          report.scenarios.every(({ status, tokens }) => status === 'unchanged' && tokens.status === 'within'),
        ).toBe(true);
      },
    ),
  );
});

test('law: what one direction calls a regression, the other calls an improvement', () => {
  const bits = fc.array(fc.boolean(), { minLength: 1, maxLength: 80 });
  fc.assert(
    fc.property(bits, bits, fc.boolean(), (was, is, sameSeed) => {
      const of = (passes: readonly boolean[], changes: Partial<BaselineScenario>) =>
        aBaselineScenario(
          { trials: passes.length, failing: passes.flatMap((passed, i) => (passed ? [] : [i])) },
          changes,
        );
      const before = of(was, {});
      const after = of(is, { ...OTHER, words: sameSeed ? [1, 2, 3, 4] : [5, 6, 7, 8] });
      const there = drift(before, after).scenario;
      const back = drift(after, before).scenario;
      const mirrored = { regressed: 'improved', improved: 'regressed', unchanged: 'unchanged', undecided: 'undecided' };
      expect(back.status).toBe(mirrored[there.status]);
      expect(back.p).toBeCloseTo(there.p ?? Number.NaN, 10);
    }),
  );
});
