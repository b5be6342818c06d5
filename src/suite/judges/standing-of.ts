import type { JudgeCalibration } from '../../types/judges/judge-calibration.ts';
import type { PlannedJudge } from '../../types/judges/judge.ts';
import type { JudgeStanding } from '../../types/judges/judge-report.ts';
import { pinsOfJudge } from './judge-pins.ts';

/** Labels of each kind and the lower end of kappa that a judge needs before it decides, whatever it was calibrated by. */
const LEAST_LABELS = 50;
const LEAST_KAPPA = 0.6;

/** Whether a judge may decide by a calibration, which may be of another. */
export function standingOf(judge: PlannedJudge, calibration: JudgeCalibration): JudgeStanding {
  const pins = pinsOfJudge(judge);
  const stale = (['judge', 'prompt', 'rubric'] as const).filter(
    (part) => calibration.pins[part]?.sha256 !== pins[part]?.sha256,
  );
  if (stale.length > 0) {
    const why = `Its calibration is of another ${stale.join(' and another ')}: passk judge calibrate measures it again.`;
    return { verdict: 'stale', why: [why], accuracy: null, probes: [] };
  }
  const { verdict, reasons, sensitivity, specificity, reliability, sample, probes } = calibration;
  const curve = reliability !== undefined && { reliability };
  const accuracy = { sensitivity, specificity, ...curve, ...(sample !== null && { sample }) };
  if (verdict !== 'calibrated') return { verdict, why: reasons.map(({ message }) => message), accuracy, probes };
  const why = missedBars(judge, calibration);
  return { verdict: why.length === 0 ? 'calibrated' : 'advisory', why, accuracy, probes };
}

/** Bars of a gate that do not depend on what a calibration was asked for. */
function missedBars({ criteria }: PlannedJudge, calibration: JudgeCalibration): readonly string[] {
  const { sensitivity, specificity, kappa, labels } = calibration;
  const fewest = Math.min(sensitivity.items, specificity.items);
  const why: string[] = [];
  if (fewest < LEAST_LABELS) why.push(`It has ${fewest} labels of one kind; a gate needs ${LEAST_LABELS}.`);
  if (kappa === null || kappa.interval[0] < LEAST_KAPPA) {
    const low = kappa?.interval[0].toFixed(2) ?? 'anything';
    why.push(`Its kappa may be as low as ${low}; a gate needs ${LEAST_KAPPA}.`);
  }
  if (criteria.length > 1 && labels.criteria > 0) {
    why.push('Its labels are about single criteria; a gate needs labels of whole trials.');
  }
  return why;
}
