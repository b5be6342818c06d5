import type { ExactReport, FailingAnswers } from '../../types/reports/exact.ts';
import { exactOf, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import { formatMean, plural } from '../../text/format-number.ts';
import { formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';

/** Failing sequences that are shown by default. */
const MOST_SEQUENCES = 5;
const LISTED_KS = [2, 8, 32];

/** The exact numbers as parts of one line; [] where there are none. */
export function exactParts(scenario: ScenarioReport): readonly string[] {
  const exact = exactOf(scenario);
  if (exact === null) return [];
  const { leaves, passRate, passRateFraction, costPerSuccess, brokenRate } = exact;
  const fraction = passRateFraction === null || passRateFraction.length > 12 ? '' : ` (${passRateFraction})`;
  const parts = [`exact: passes ${formatRate(passRate)}${fraction} over ${plural(leaves, 'sequence')} of answers`];
  if (passRate > 0 && passRate < 1) {
    for (const { k, value } of exact.passHatK) if (LISTED_KS.includes(k)) parts.push(`pass^${k} ${formatRate(value)}`);
  }
  if (brokenRate > 0) parts.push(`breaks ${formatRate(brokenRate)}`);
  if (costPerSuccess !== null) parts.push(`${formatMean(costPerSuccess)} tokens per success`);
  return parts;
}

/** The minimal failing sequences, one sentence each, and how many more there are. */
export function failingSequences(
  { failing, failingSequences: all }: ExactReport,
  most = MOST_SEQUENCES,
): readonly string[] {
  const shown = failing.slice(0, most);
  const more = all - shown.length;
  return [...shown.map(sequenceText), ...(more > 0 ? [`… ${plural(more, 'failing sequence')} more`] : [])];
}

function sequenceText({ answers, chance, checks, leaf }: FailingAnswers): string {
  const path = answers.map(
    ({ turn, occurrence, variant }) =>
      `${plainText(turn, 60)} #${variant}${occurrence === 0 ? '' : ` (its ${occurrence + 1}. time)`}`,
  );
  const after = path.length === 0 ? 'whatever is answered' : `after ${path.join(' → ')}`;
  const failed = checks.map((check) => plainText(check, 60)).join(', ');
  return `${formatRate(chance)} fail ${after}: ${failed} (leaf ${leaf})`;
}
