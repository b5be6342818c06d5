import { formatCount } from '../text/format-number.ts';
import type { Gate } from '../types/reports/gate.ts';
import type { JudgeAccuracy, JudgeReport } from '../types/judges/judge-report.ts';
import { isSampled, type ScenarioReport } from '../types/reports/scenario-report.ts';
import type { Ends } from './compare.ts';
import { plainValue } from './gate-value.ts';
import { hasSample, type JudgedTrials, judgedRate } from './judged-rate.ts';
import { endsOf, horizonOf, rateToMetric } from './pass-metric.ts';
import type { NoReading, Reading, TrialTotals } from './reading.ts';

/** The judges of a scenario; null: it has none, so that its passes are what they are. */
export function judgesOf(scenario: ScenarioReport): readonly JudgeReport[] | null {
  return isSampled(scenario) ? (scenario.judges ?? null) : null;
}

/** What reasons begin with where a judge may not decide. */
export const UNCALIBRATED = 'UNCALIBRATED_JUDGE';

export type Deciding =
  | { readonly judge: JudgeReport; readonly accuracy: JudgeAccuracy }
  /** Completes "NAME: …", without full stop. */
  | { readonly judge: null; readonly why: string };

/** The one judge whose verdicts can be corrected, or why passes that rest on judges decide nothing. */
export function decidingJudge(judges: readonly JudgeReport[]): Deciding {
  const open = judges.filter(({ verdict }) => verdict !== 'calibrated');
  const [judge, ...others] = judges;
  // Told at once: to calibrate both first would be in vain.
  const several =
    others.length === 0
      ? []
      : [`SEVERAL_JUDGES: what ${judges.length} judges say together cannot be corrected; make them one ensemble`];
  if (open.length > 0) return { judge: null, why: [`${UNCALIBRATED}: ${whyOpen(open)}`, ...several].join('; ') };
  if (judge !== undefined && judge.accuracy !== null && others.length === 0) return { judge, accuracy: judge.accuracy };
  return { judge: null, why: several.join('') };
}

/** Why these judges may not decide; those of the same standing together. */
function whyOpen(judges: readonly JudgeReport[]): string {
  const namesByWhy = new Map<string, string[]>();
  for (const { judge, verdict, why } of judges) {
    const text = `${verdict}: ${why.join(' ').replace(/\.$/, '')}`;
    namesByWhy.set(text, [...(namesByWhy.get(text) ?? []), `"${judge}"`]);
  }
  const texts = [...namesByWhy].map(([text, names]) =>
    names.length === 1 ? `judge ${names[0]} is ${text}` : `judges ${names.join(' and ')} are ${text}`,
  );
  return texts.join('; ');
}

/** A gate on the passes of a scenario with a judge reads the rate that people would have found, and never the judge's own. */
export function readJudged(gate: Gate, judges: readonly JudgeReport[], totals: TrialTotals): Reading | NoReading {
  const deciding = decidingJudge(judges);
  if (deciding.judge === null) return { verdict: 'insufficient', why: deciding.why };
  const { all, ran, unknown } = totals;
  if (gate.k !== null && gate.k > all) {
    return { verdict: 'insufficient', why: `ran ${ran} of the ${gate.k} trials that ${gate.metric}${gate.k} needs` };
  }
  const { judge, accuracy } = deciding;
  const { passed, decided } = judge;
  /** `more`: trials of unknown result that are taken for passes; the others are taken for failures. */
  const endsWith = (more: number): Ends | null =>
    judgedEnds(gate, { trials: all, decided: decided + more, passed: passed + more }, accuracy);
  const low = endsWith(0);
  const high = endsWith(unknown);
  if (low === null || high === null)
    return { verdict: 'insufficient', why: 'has no trial that its judge says anything of' };
  const by = hasSample(accuracy) ? 'by labels of these trials ' : '';
  const basis = `corrected ${by}for what judge "${judge.judge}" gets wrong, which passed ${formatCount(passed)} of ${formatCount(decided)} trials`;
  return { value: unknown === 0 ? low.named.number : null, low, high, basis };
}

function judgedEnds({ side, metric, k }: Gate, counts: JudgedTrials, accuracy: JudgeAccuracy): Ends | null {
  const found = judgedRate(counts, accuracy, side.kind === 'point' ? undefined : side.level);
  if (found === null) return null;
  const carried = (rate: number): number => rateToMetric(metric, horizonOf(metric, k, counts.trials), rate);
  if (side.kind === 'point') return { named: plainValue(carried(found.rate)), other: null };
  return endsOf(side.kind, [carried(found.interval[0]), carried(found.interval[1])]);
}
