import { formatCount } from '../text/format-number.ts';
import { curtailedTrials, testChances, trialsToDecide } from '../stats/stopping-time.ts';
import type { Sprt } from '../stats/sprt.ts';
import type { PlannedStops, PlannedTest } from '../types/suite-plan.ts';
import type { StopRule } from '../types/stop-early.ts';
import { barGate, ratesToTell, USUAL_ERROR } from './describe-gate.ts';
import { chancePercent, ratePercent } from './gate-text.ts';
import { passingCounts } from './passing-counts.ts';
import { sequentialTest } from './settle-scenario.ts';

/** A scenario as far as its bar and its trials go. */
export interface StoppingScenario {
  /** The higher of its own bar and the floor; null: every trial must pass. */
  readonly bar: number | null;
  readonly trials: number;
  /** It may stop after each so many. */
  readonly block: number;
}

type TestErrors = Omit<Extract<StopRule, { rule: 'sprt' }>, 'rule'>;

export const USUAL_ERRORS: TestErrors = { falsePass: USUAL_ERROR, falseFail: USUAL_ERROR };

/** Trials that a scenario takes on average when it may stop early, by its bar alone; null where no bar tells rates apart. */
export function describeStops(scenario: StoppingScenario, errors: TestErrors = USUAL_ERRORS): PlannedStops | null {
  const { bar, trials, block } = scenario;
  const gate = barGate(bar);
  const rates = ratesToTell(gate, {});
  const range = passingCounts(gate, trials);
  if (rates === null || range === null) return null;
  const { bad, good } = rates;
  const [least] = range;
  const curtail = {
    bad: curtailedTrials({ trials, rate: bad, block }, least),
    good: curtailedTrials({ trials, rate: good, block }, least),
  };
  const sprt = describeTest(scenario, errors);
  return { bad, good, curtail, sprt, sentences: [sentence({ trials, block, bad, good, curtail, sprt })] };
}

/** What the sequential test of a bar comes to; null: there is none, as of the bars 0 and 1, or it takes too long to say. */
export function describeTest({ bar, trials, block }: StoppingScenario, errors: TestErrors): PlannedTest | null {
  const barTest = bar === null ? null : sequentialTest(bar, { rule: 'sprt', ...errors });
  if (barTest === null) return null;
  const { test, reportedTest } = barTest;
  if (Math.max(test.meanTrials.bad, test.meanTrials.good) > MOST_MEAN) return null;
  const at = (rate: number) => {
    const { meanTrials, open } = testChances(test, { trials, rate, block });
    return { meanTrials, undecided: open };
  };
  const enough = [reportedTest.bad, reportedTest.good].map((rate) => trialsNeeded(test, rate, block));
  const needed = enough.some((one) => one === null) ? null : Math.max(...enough.flatMap((one) => one ?? []));
  return { bad: at(reportedTest.bad), good: at(reportedTest.good), needed };
}

/** Null when 2^20 are not enough. Where all trials are one block they are looked at once, which takes a few more. */
function trialsNeeded(test: Sprt, rate: number, block: number): number | null {
  let trials = trialsToDecide(test, { rate }, MOST_UNDECIDED);
  if (block === 1) return trials;
  while (trials !== null && testChances(test, { trials, rate, block }).open > MOST_UNDECIDED) {
    trials = Math.ceil(1.05 * trials);
  }
  return trials;
}

/** Every trial is gone through. */
const MOST_MEAN = 300_000;

/** Runs may stay undecided so often with the trials that are called enough. */
const MOST_UNDECIDED = 0.05;

function sentence({
  trials,
  block,
  bad,
  good,
  curtail,
  sprt,
}: Pick<PlannedStops, 'bad' | 'good' | 'curtail' | 'sprt'> & Pick<StoppingScenario, 'trials' | 'block'>): string {
  const rates = [ratePercent(bad), ratePercent(good)] as const;
  if (block >= trials) return `Its ${formatCount(trials)} trials are one block, so stopping early saves none.`;
  const mean = (count: number): string => formatCount(Math.round(count));
  const certain = `With --stop-early it takes ${mean(curtail.bad)} trials on average at ${rates[0]} and ${mean(curtail.good)} at ${rates[1]}`;
  if (sprt === null) return `${certain}.`;
  const tested = `with --stop-early=sprt ${mean(sprt.bad.meanTrials)} and ${mean(sprt.good.meanTrials)}`;
  return `${certain}; ${tested}, and ${chancePercent(sprt.good.undecided)} of runs at ${rates[1]} end undecided.`;
}
