import { formatCount, plural } from '../text/format-number.ts';
import type { SequentialTest, StopEarlyReport, StopRule } from '../types/stop-early.ts';
import { chanceAtMost } from './gate-text.ts';
import { rateTexts } from '../text/format-rate.ts';
import type { FirstTrials, Settler } from './settle-scenario.ts';

export interface StopCounts {
  /** Of the trials that count. */
  readonly counts: FirstTrials;
  readonly planned: number;
}

/** What ended a scenario, or that nothing did, for its report. Depends on the counts alone. */
export function describeStop(
  { test, judge }: Settler,
  rule: StopRule['rule'],
  stopCounts: StopCounts,
): StopEarlyReport {
  const verdict = judge(stopCounts.counts);
  if (test === null) return { rule, verdict, reason: certainReason(verdict, stopCounts) };
  return { rule, verdict, test, reason: testReason(verdict, test, stopCounts) };
}

type Verdict = StopEarlyReport['verdict'];

function certainReason(verdict: Verdict, { counts, planned }: StopCounts): string {
  const ran = ranOf(counts);
  const progress = `${formatCount(ran)} of ${plural(planned, 'trial')}`;
  if (verdict === null) return `not settled after ${progress}.`;
  if (ran === planned) return `settled by the last of ${plural(planned, 'trial')}.`;
  const outcome = { pass: 'it passes', fail: 'it fails', insufficient: 'all of them are too few to tell' }[verdict];
  return `settled after ${progress}: no result of the others could change that ${outcome}.`;
}

function testReason(verdict: Verdict, test: SequentialTest, { counts, planned }: StopCounts): string {
  const [bad = '', good = ''] = rateTexts(test.bad, test.good);
  const progress = `${formatCount(ranOf(counts))} of ${plural(planned, 'trial')}`;
  if (verdict === null || verdict === 'insufficient')
    return `not settled after ${progress}: a sequential test tells ${bad} from ${good} only with more.`;
  const [opposite, chance] = verdict === 'pass' ? [bad, test.falsePass] : [good, test.falseFail];
  return (
    `settled after ${progress} by a sequential test: it ${verdict === 'pass' ? 'passes' : 'fails'}, ` +
    `as a true pass rate of ${opposite} does in ${chanceAtMost(chance)} of runs.`
  );
}

function ranOf({ passed, failed, broken }: FirstTrials): number {
  return passed + failed + broken;
}
