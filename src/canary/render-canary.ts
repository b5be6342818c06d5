import { formatCount, plural } from '../text/format-number.ts';
import { labelRow, textPage } from '../report/text-page.ts';
import type { TextStyle } from '../report/text/text-style.ts';
import { hangPainted, hangText } from '../report/text/wrap-text.ts';
import type { CanaryCriterion, CanaryReport, CanaryStageReport, RefusalCode } from '../types/canary/canary-report.ts';
import { REFUSALS } from '../types/canary/canary-report.ts';
import type { RenderOptions } from '../types/render-options.ts';
import { TIER_RULES } from '../release/tier-rules.ts';
import { criterionText, stageName } from './canary-texts.ts';

const ROW = { label: 12, longest: 400 };
/** Outcomes that a reason names. */
const MOST_NAMED = 5;

/** A rollout for people: where it stands, and each stage with its bounds. */
export function renderCanary(report: CanaryReport, options: Partial<RenderOptions> = {}): string {
  const { candidate, baseline, tier, stages, reasons, waitsFor, counted, outOfOrder } = report;
  const refused = Object.entries(report.refused).map(([code, count]) => `${formatCount(count)} ${refusalText(code)}`);
  return textPage(options, (style) => {
    const row = (name: string, text: string): readonly string[] => labelRow(name, text, style, ROW);
    return [
      ...row(
        'canary',
        `${candidate} for ${tier}${baseline === null ? '' : `, beside ${baseline}`}: ${stateText(report)}`,
      ),
      ...releaseTexts(report).flatMap((text) => row('release', text)),
      ...reasons.flatMap(({ code, message, outcomes }) => row(code.toLowerCase(), `${message}${namedText(outcomes)}`)),
      ...(report.isCut
        ? row('cut', 'The last step did not end. Give its outcomes again: what was read counts once.')
        : []),
      ...waitsFor.flatMap((text, place) => row(place === 0 ? 'waits for' : '', text)),
      ...row(
        'outcomes',
        `${formatCount(counted)} count${outOfOrder === 0 ? '' : `, ${formatCount(outOfOrder)} of them out of order`}`,
      ),
      ...refused.flatMap((text, place) => row(place === 0 ? 'set aside' : '', text)),
      ...stages.flatMap((stage) => ['', ...stageLines(stage, style)]),
    ];
  });
}

/** What shows that the candidate passed its release, in a sentence; []: nothing does, and the tier does not ask for it. */
export function releaseTexts({ candidate, tier, state, release }: CanaryReport): readonly string[] {
  if (release !== null) {
    return [
      `${release.name} ${release.version} passed for ${release.tier}, by the record ${release.bodyHash.slice(0, 16)}….`,
    ];
  }
  if (state === 'refused' || TIER_RULES[tier].canary.length === 0) return [];
  return [`No record was shown: nothing says that ${candidate} passed its release. [release] names one.`];
}

/** Where it stands, in words. */
export function stateText({ state, percent, decision }: CanaryReport): string {
  if (state === 'refused') return 'refused';
  if (state === 'released') return `released at ${percent} % of traffic`;
  if (state === 'rolled_back') return 'rolled back; the candidate gets no traffic';
  return `${decision === 'promote' ? 'promoted, ' : ''}${stageName(percent)}`;
}

/** Why outcomes were set aside, in words. */
export function refusalText(code: string): string {
  return Object.hasOwn(REFUSALS, code) ? REFUSALS[code as RefusalCode] : code;
}

function namedText(outcomes: readonly string[]): string {
  if (outcomes.length === 0) return '';
  return ` Outcomes: ${outcomes.slice(-MOST_NAMED).join(', ')}.`;
}

const STATES: Readonly<Record<CanaryStageReport['state'], readonly [string, 'good' | 'bad' | 'warn' | 'dim']>> = {
  passed: ['✓', 'good'],
  running: ['…', 'warn'],
  rolled_back: ['✗', 'bad'],
  ahead: ['·', 'dim'],
};

function stageLines(
  { rules, state, candidate, baseline, criteria, from, to }: CanaryStageReport,
  style: TextStyle,
): readonly string[] {
  const [mark, role] = STATES[state];
  const name = stageName(rules.percent);
  const painted = `${style.paint(role, mark)} ${style.paint('strong', name)}  `;
  if (candidate.outcomes + baseline.outcomes === 0) return [`${painted}no outcome`];
  const when = from === null || to === null ? '' : `, ${from.slice(0, 16)} to ${to.slice(0, 16)}`;
  const arms = [
    `${plural(candidate.outcomes, 'outcome')} of the candidate`,
    ...(baseline.outcomes === 0 ? [] : [`${formatCount(baseline.outcomes)} of the baseline`]),
  ];
  // Colours have no width.
  const plain = `${mark} ${name}  `;
  const [head = '', ...more] = hangText(plain, `${arms.join(', ')}${when}`, style.columns);
  return [
    `${painted}${head.slice(plain.length)}`,
    ...more,
    ...criteria.flatMap((criterion) => criterionLines(criterion, style)),
  ];
}

const MARKS = { met: ['✓', 'good'], open: ['…', 'warn'], broken: ['✗', 'bad'] } as const;

function criterionLines(criterion: CanaryCriterion, style: TextStyle): readonly string[] {
  const [mark, role] = MARKS[criterion.state];
  const note = criterion.isExtrapolated ? ' (extrapolated: requests without a key)' : '';
  return hangPainted(`  ${mark} `, `${criterionText(criterion)}${note}`, { role, style });
}
