import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type NaiveOutcome, runNaive } from '../../benchmarks/naive-interpreter.ts';
import { decodeTally, encodeTally } from '../../src/pool/tally/tally-codec.ts';
import { weightThresholds } from '../../src/random/weights.ts';
import { clopperPearsonInterval } from '../../src/stats/clopper-pearson.ts';
import { CERTAIN, compareDyadic, DyadicSum } from '../../src/stats/dyadic.ts';
import type { WorkflowProgram } from '../../src/trial/program.ts';
import type { ExactReport } from '../../src/types/reports/exact.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import type { Turn } from '../../src/types/scenario.ts';
import { COUNTERS } from '../../src/types/trial.ts';
import type { Workflow } from '../../src/types/workflow.ts';
import { arbitraryPlan } from './arbitrary-scenario.ts';
import { compilePure } from '../support/compile-pure.ts';
import { LAW_RUNS } from '../support/law-runs.ts';

const LONG = 60_000 + LAW_RUNS * 400;

function compile(plan: WorkflowPlan): WorkflowProgram {
  return compilePure(plan, { maxLeaves: 20_000 });
}

/** Null: there are too many leaves. */
function enumerate(plan: WorkflowPlan): ExactReport | null {
  const program = compile({ ...plan, sampler: 'exhaustive', trials: 1, blockSize: 1 });
  const tally = program.newTally();
  program.run(0, 1, tally);
  expect(tally.executed).toBe(1);
  // As it travels.
  const { exact } = decodeTally(encodeTally(tally), program.shape);
  return exact === null ? null : (JSON.parse(exact) as ExactReport);
}

const withoutJitter = (workflow: Workflow): Workflow => ({
  ...workflow,
  nodes: workflow.nodes.map((node) =>
    node.retry === undefined ? node : { ...node, retry: { ...node.retry, jitter: 0 } },
  ),
});

/** Scenarios whose answers alone decide what happens; turns as `change` makes them. */
function plansWith(change: (turn: Turn, at: number) => Turn): fc.Arbitrary<WorkflowPlan> {
  return arbitraryPlan.map((plan) => {
    const { workflow, children, turns } = plan.scenario.subject;
    const subject = {
      ...plan.scenario.subject,
      workflow: withoutJitter(workflow),
      children: Object.fromEntries(Object.entries(children).map(([key, child]) => [key, withoutJitter(child)])),
      turns: turns.map(change),
    };
    return { ...plan, scenario: { ...plan.scenario, subject }, sampler: 'seeded' };
  });
}

/** Few enough answers to try all combinations, asked for or not. */
const smallPlan = plansWith((turn, at) => ({
  ...turn,
  repeat: false,
  variants: turn.variants.slice(0, at < 4 ? 3 : 1),
}));

interface Combination {
  readonly variants: readonly number[];
  readonly chance: number;
  readonly outcome: NaiveOutcome;
}

/** Every combination of variants as a scenario of its own without any choice, run by the independent interpreter. */
async function allCombinations(plan: WorkflowPlan): Promise<readonly Combination[]> {
  let combinations: { variants: number[]; chance: number }[] = [{ variants: [], chance: 1 }];
  for (const { variants } of plan.scenario.subject.turns) {
    const thresholds = weightThresholds(variants.map(({ weight }) => weight));
    combinations = combinations.flatMap((before) =>
      thresholds.map((threshold, variant) => ({
        variants: [...before.variants, variant],
        chance: (before.chance * (threshold - (thresholds[variant - 1] ?? 0))) / 2 ** 32,
      })),
    );
  }
  const found: Combination[] = [];
  for (const { variants, chance } of combinations) {
    const turns = plan.scenario.subject.turns.map((turn, at) => ({
      ...turn,
      variants: [turn.variants[variants[at] as number] as Turn['variants'][number]],
    }));
    const scenario = { ...plan.scenario, subject: { ...plan.scenario.subject, turns } };
    found.push({ variants, chance, outcome: await runNaive({ ...plan, scenario }, 0) });
  }
  return found;
}

const passes = ({ outcome }: Combination): boolean => outcome.brokenBy === null && outcome.failedChecks.length === 0;
const fails = ({ outcome }: Combination): boolean => outcome.failedChecks.length > 0;

function chanceOf(combinations: readonly Combination[], wanted: (one: Combination) => boolean): number {
  return combinations.filter(wanted).reduce((sum, { chance }) => sum + chance, 0);
}

test(
  'exact numbers are those of all combinations of answers, run by the independent interpreter',
  async () => {
    await fc.assert(
      fc.asyncProperty(smallPlan, async (plan) => {
        const exact = enumerate(plan);
        const all = await allCombinations(plan);
        if (exact === null) throw new Error('the tree is small');
        expect(exact.leaves).toBeLessThanOrEqual(all.length);
        expect(exact.passRate).toBeCloseTo(chanceOf(all, passes), 12);
        expect(exact.brokenRate).toBeCloseTo(
          chanceOf(all, ({ outcome }) => outcome.brokenBy !== null),
          12,
        );
        for (const { k, value } of exact.passHatK) expect(value).toBeCloseTo(exact.passRate ** k, 12);
        for (const counter of COUNTERS) {
          const mean = all.reduce((sum, { chance, outcome }) => sum + chance * (outcome.counters[counter] ?? 0), 0);
          expect(exact.counters[counter]).toBeCloseTo(mean, 8);
        }
        const { llmTokens } = exact.counters;
        if (exact.passRate === 0) expect(exact.costPerSuccess).toBe(null);
        else expect(exact.costPerSuccess).toBeCloseTo(llmTokens / exact.passRate, 8);
        failingSequencesHold(
          exact,
          all,
          compile(plan).info.turns.map(({ turn }) => turn),
        );
      }),
      { numRuns: LAW_RUNS },
    );
  },
  LONG,
);

/** Each failing sequence settles it, none does without its last answer, and together they are all failing trials. */
function failingSequencesHold(exact: ExactReport, all: readonly Combination[], turns: readonly string[]): void {
  if (exact.failing.length === exact.failingSequences) {
    const sum = exact.failing.reduce((total, { chance }) => total + chance, 0);
    expect(sum).toBeCloseTo(chanceOf(all, fails), 12);
  }
  for (const { answers, chance } of exact.failing) {
    const begins = (steps: typeof answers) => (one: Combination) =>
      steps.every(({ turn, variant }) => one.variants[turns.indexOf(turn)] === variant);
    const after = all.filter(begins(answers));
    expect(after.every(fails)).toBe(true);
    expect(chanceOf(after, () => true)).toBeCloseTo(chance, 12);
    if (answers.length > 0) expect(all.filter(begins(answers.slice(0, -1))).every(fails)).toBe(false);
  }
}

test('exact pass rates agree with many sampled trials', { timeout: LONG }, () => {
  const TRIALS = 1500;
  fc.assert(
    fc.property(
      plansWith((turn) => turn),
      (plan) => {
        const exact = enumerate(plan);
        if (exact === null) return;
        const program = compile({ ...plan, trials: TRIALS });
        const tally = program.newTally();
        program.run(0, TRIALS, tally);
        const [low, high] = clopperPearsonInterval(TRIALS, tally.passed, 1 - 1e-9) ?? [0, 1];
        expect(exact.passRate).toBeGreaterThanOrEqual(low - 1e-12);
        expect(exact.passRate).toBeLessThanOrEqual(high + 1e-12);
      },
    ),
    { numRuns: Math.ceil(LAW_RUNS / 3) },
  );
});

test('the chances of all leaves add up to exactly 1, and no leaf comes twice', { timeout: LONG }, () => {
  fc.assert(
    fc.property(
      plansWith((turn) => turn),
      (plan) => {
        const walk = compile({ ...plan, sampler: 'exhaustive' }).leaves();
        const sum = new DyadicSum();
        const seen = new Set<string>();
        do {
          walk.run();
          sum.add(walk.chance);
          seen.add(walk.steps.map(({ turn, occurrence, variant }) => `${turn}.${occurrence}.${variant}`).join(' '));
          if (seen.size > 20_000) return;
        } while (walk.advance() >= 0 && seen.size < 1e6);
        expect(compareDyadic(sum.value, CERTAIN)).toBe(0);
      },
    ),
    { numRuns: LAW_RUNS },
  );
});
