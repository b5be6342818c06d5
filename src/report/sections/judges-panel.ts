import type { MeasuredShare } from '../../types/judges/judge-calibration.ts';
import type { JudgeReport } from '../../types/judges/judge-report.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { isSampled, type SampledScenario } from '../../types/reports/scenario-report.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { reliabilityLines } from '../judges/reliability-lines.ts';
import { plainText } from '../plain-text.ts';
import { judgeFigures } from './judge-figures.ts';
import type { ListingRow, Panel } from './panel.ts';
import type { Mark } from './section.ts';

/** A scenario, or a contract, whose trials were shown to judges. */
type Judged = Pick<SampledScenario, 'name'> & { readonly judges: readonly JudgeReport[] };

/** All of a report. */
export function judgedIn({ scenarios, results }: Pick<SuiteReport, 'scenarios' | 'results'>): readonly Judged[] {
  return [
    ...scenarios.filter(isSampled).flatMap(withJudges),
    ...results.flatMap((one) => ('judges' in one ? withJudges(one) : [])),
  ];
}

function withJudges({ name, judges }: Pick<SampledScenario, 'name' | 'judges'>): readonly Judged[] {
  return judges === undefined ? [] : [{ name, judges }];
}

const DECIDES: Mark = { sign: '✓', word: 'ok', name: 'decides', role: 'good' };
const ADVISES: Mark = { sign: '!', word: 'advice', name: 'decides nothing', role: 'warn' };

/** What judges said, whether they may decide, and why not. There must be one at least. */
export function judgesPanel(judged: readonly Judged[]): Panel {
  const rows = judged.flatMap(({ name, judges }) => judges.map((judge) => judgeRow(name, judge)));
  // A judge has a row for each scenario, and is one.
  const all = judged.flatMap(({ judges }) => judges);
  const judges = namesOf(all);
  const advising = namesOf(all.filter(({ verdict }) => verdict !== 'calibrated'));
  return {
    title: 'Judges',
    isTitled: true,
    mark: null,
    headline:
      advising === 0
        ? [`${plural(judges, 'judge')}, calibrated`]
        : [plural(judges, 'judge'), `${formatCount(advising)} may not decide a gate`],
    isTelling: true,
    isTrouble: advising > 0,
    blocks: [
      { type: 'listing', corner: 'scenario', headers: ['Standing', 'Judge'], groups: [rows] },
      ...judged.flatMap(({ name, judges }) => judges.flatMap((judge) => judgeFigures(name, judge))),
    ],
  };
}

function namesOf(judges: readonly JudgeReport[]): number {
  return new Set(judges.map(({ judge }) => judge)).size;
}

function judgeRow(name: string, judge: JudgeReport): ListingRow {
  const { judge: word, verdict, met, unmet, why } = judge;
  return {
    mark: verdict === 'calibrated' ? DECIDES : ADVISES,
    name,
    parts: [`${plainText(word)} ${verdict}`],
    lines: [
      `by itself it passed ${formatCount(met)} of ${plural(met + unmet, 'trial')}${ratesOf(judge)}`,
      ...(why.length === 0 ? [] : [`may not decide: ${why.map((sentence) => plainText(sentence)).join(' ')}`]),
      measuresOf(judge),
    ],
    untabled: [
      ...(judge.accuracy === null ? [] : reliabilityLines(judge.accuracy).map((line) => `reliability ${line}`)),
      ...judge.probes.map(({ probe, verdict: reached, message }) => `${probe} ${reached}: ${plainText(message)}`),
    ],
  };
}

function ratesOf({ passed, decided, corrected }: JudgeReport): string {
  if (corrected === null) return '';
  const naive = decided === 0 ? '' : ` (${formatRate(passed / decided)})`;
  return `${naive}; corrected ${formatRate(corrected.rate)} ${formatInterval(corrected.interval)}`;
}

function measuresOf({ errors, errorRate, noise, position, claims, accuracy, agreement }: JudgeReport): string {
  const parts = [`${plural(errors, 'error')}${errorRate === null ? '' : ` (${formatRate(errorRate)})`}`];
  if (claims !== undefined) {
    const share = claims.score === null ? '' : ` (${formatRate(claims.score)})`;
    parts.push(`${formatCount(claims.supported)} of ${plural(claims.verified, 'claim')} supported${share}`);
    if (claims.pairScore !== null) parts.push(`mean score of claims ${claims.pairScore.toFixed(2)}`);
  }
  if (noise !== null) {
    parts.push(`${formatCount(noise.flips)} of ${plural(noise.answers, 'answer')} flipped (${formatRate(noise.rate)})`);
  }
  if (position !== null) {
    parts.push(`both orders agree in ${formatRate(position.consistency)}`);
    if (position.firstShare !== null) parts.push(`first place chosen ${formatRate(position.firstShare)}`);
  }
  if (accuracy !== null) {
    const { sensitivity, specificity } = accuracy;
    parts.push(...shareText('sensitivity', sensitivity), ...shareText('specificity', specificity));
  }
  for (const { models, kappa } of agreement) {
    const [first, second] = models.map((model) => plainText(model, LONGEST_MODEL));
    parts.push(`${first} and ${second}: kappa ${kappa === null ? 'unknown' : kappa.toFixed(2)}`);
  }
  return parts.join(' · ');
}

/** With how many labels it rests on, by which its interval can be judged. */
function shareText(name: string, { share, interval, items }: MeasuredShare): readonly string[] {
  if (share === null) return [];
  const ends = interval === null ? '' : ` ${formatInterval(interval)}`;
  return [`${name} ${formatRate(share)}${ends} on ${plural(items, 'label')}`];
}

/** Characters of a model's name that are shown. */
const LONGEST_MODEL = 60;
