import { cohenKappa } from '../stats/judged/cohen-kappa.ts';
import { type Agreed, correctedRate } from '../stats/judged/corrected-rate.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import {
  type CalibrationBars,
  type CalibrationFile,
  type CalibrationPins,
  type CalibrationReason,
  JUDGE_CALIBRATION_SCHEMA,
  type JudgeAsking,
  type JudgeCalibration,
  type MeasuredShare,
} from '../types/judges/judge-calibration.ts';
import type { ProbeReport } from '../types/judges/judge-probe.ts';
import { VERSION } from '../version.ts';
import type { LabelRow } from './read-labels.ts';
import { reliabilityBins } from './reliability-bins.ts';

/** What labels are held against. */
export interface Calibrating {
  readonly files: readonly CalibrationFile[];
  readonly pins: CalibrationPins;
  readonly bars: CalibrationBars;
  /** The scenario of whose trials the labels are a random sample; absent: of none. */
  readonly sampleOf?: string;
  /** Absent: verdicts stood in the rows. */
  readonly asked?: JudgeAsking;
  /** Absent: nobody has probed it. */
  readonly probes?: readonly ProbeReport[];
}

/** What a judge gets right, from rows of labels and verdicts. The same rows in another order give the same numbers. */
export function calibrateLabels(
  rows: readonly LabelRow[],
  { files, pins, bars, sampleOf, asked, probes = [] }: Calibrating,
): JudgeCalibration {
  const count = (human: boolean | null, judge: boolean | null): number =>
    rows.filter((row) => row.human === human && row.judge === judge).length;
  const [bothPassed, onlyHuman, onlyJudge, bothFailed] = [
    count(true, true),
    count(true, false),
    count(false, true),
    count(false, false),
  ];
  const onPasses: Agreed = { items: bothPassed + onlyHuman, agreed: bothPassed };
  const onFailures: Agreed = { items: onlyJudge + bothFailed, agreed: bothFailed };
  const found = cohenKappa([
    [bothPassed, onlyHuman],
    [onlyJudge, bothFailed],
  ]);
  const kappa =
    found === null || found.kappa === null || found.error === null || found.interval === null
      ? null
      : { value: found.kappa, error: found.error, interval: found.interval };
  const judged = { trials: count(null, true) + count(null, false), passed: count(null, true) };
  const errors = count(null, null);
  const corrected = correctedRate({ judged, onPasses, onFailures });
  const reasons = [
    ...reasonsOf({ onPasses, onFailures, lowestKappa: kappa?.interval[0] ?? null, bars }),
    ...probes.flatMap(({ verdict, message }): readonly CalibrationReason[] =>
      verdict === 'missed' ? [{ code: 'BIASED', message }] : [],
    ),
  ];
  const reliability = reliabilityBins(rows);
  const isShort = reasons.some(({ code }) => code === 'ONE_CLASS' || code === 'FEW_LABELS');
  return {
    schema: JUDGE_CALIBRATION_SCHEMA,
    passk: VERSION,
    verdict: reasons.length === 0 ? 'calibrated' : isShort ? 'insufficient' : 'advisory',
    reasons,
    pins,
    bars,
    labels: {
      files,
      items: onPasses.items + onFailures.items,
      errors: count(true, null) + count(false, null),
      criteria: new Set(rows.flatMap(({ criterion }) => (criterion === '' ? [] : [criterion]))).size,
      hasIds: rows.every(({ id }) => id !== null),
    },
    sensitivity: measured(onPasses),
    specificity: measured(onFailures),
    kappa,
    ...(reliability.length > 0 && { reliability }),
    sample:
      sampleOf === undefined
        ? null
        : {
            scenario: sampleOf,
            bothPassed,
            onlyHumanPassed: onlyHuman,
            onlyJudgePassed: onlyJudge,
            bothFailed,
          },
    probes,
    ...(asked !== undefined && { asked }),
    unlabelled:
      judged.trials + errors === 0
        ? null
        : {
            items: judged.trials,
            passed: judged.passed,
            errors,
            corrected: corrected === null ? null : { rate: corrected.rate, interval: corrected.interval },
          },
  };
}

/** A share with its interval. */
export function measured({ items, agreed }: Agreed): MeasuredShare {
  return { items, agreed, share: items === 0 ? null : agreed / items, interval: wilsonInterval(items, agreed) };
}

interface Measures {
  readonly onPasses: Agreed;
  readonly onFailures: Agreed;
  readonly lowestKappa: number | null;
  readonly bars: CalibrationBars;
}

function reasonsOf({ onPasses, onFailures, lowestKappa, bars }: Measures): readonly CalibrationReason[] {
  const { minLabels, minKappa } = bars;
  if (onPasses.items === 0 || onFailures.items === 0) {
    const missing = onPasses.items > 0 ? 'failed' : onFailures.items > 0 ? 'passed' : 'passed or failed';
    const message = `No item with a verdict was ${missing} by people, so that nobody can tell what the judge makes of one.`;
    return [{ code: 'ONE_CLASS', message }];
  }
  const reasons: CalibrationReason[] = [];
  const fewest = Math.min(onPasses.items, onFailures.items);
  if (fewest < minLabels) {
    const which = fewest === onPasses.items ? 'passed' : 'failed';
    const message = `People ${which} ${fewest} items with a verdict; ${minLabels} of each kind are needed.`;
    reasons.push({ code: 'FEW_LABELS', message });
  }
  if (onPasses.agreed / onPasses.items + onFailures.agreed / onFailures.items <= 1) {
    reasons.push({
      code: 'TELLS_NOTHING',
      message: 'The judge passes bad items as often as good ones, or more often.',
    });
  } else if (lowestKappa !== null && lowestKappa < minKappa) {
    const message = `Kappa may be as low as ${lowestKappa.toFixed(2)}; the bar is ${minKappa}.`;
    reasons.push({ code: 'LOW_KAPPA', message });
  }
  return reasons;
}
