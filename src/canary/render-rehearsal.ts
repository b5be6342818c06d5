import { formatCount } from '../text/format-number.ts';
import { plainText } from '../report/plain-text.ts';
import { labelRow, textPage } from '../report/text-page.ts';
import type { TextStyle } from '../report/text/text-style.ts';
import type {
  CanaryRehearsal,
  RehearsedCandidate,
  RehearsedNumber,
  RehearsedShare,
} from '../types/canary/canary-rehearsal.ts';
import type { RenderOptions } from '../types/render-options.ts';
import { stageName } from './canary-texts.ts';

/** A rehearsal for people: what becomes of each assumed candidate, and what users see of it. */
export function renderRehearsal(rehearsal: CanaryRehearsal, options: Partial<RenderOptions> = {}): string {
  const { candidate, tier, rollouts, requestsPerHour, stepHours, seed, candidates } = rehearsal;
  const steps = stepHours === 0 ? 'outcomes count as they come' : `a step each ${hoursText(stepHours)}`;
  const head = `${candidate} for ${tier}: ${formatCount(rollouts)} rollouts of each candidate, ${number(requestsPerHour)} requests an hour, ${steps}, seed ${seed}`;
  return textPage(options, (style) => [
    ...labelRow('rehearsal', head, style),
    ...candidates.flatMap((one) => ['', ...candidateLines(one, style)]),
  ]);
}

function candidateLines(candidate: RehearsedCandidate, style: TextStyle): readonly string[] {
  const { isBad, released, rolledBack, hoursToRollback, hoursToRelease, exposed, failed } = candidate;
  const row = (name: string, text: string): readonly string[] => labelRow(name, text, style, { indent: '  ' });
  return [
    `${style.paint('strong', plainText(candidate.assumed.name))}  ${assumedText(candidate)}`,
    ...row(isBad ? 'false release' : 'released', `${shareText(released)}${hoursSuffix(hoursToRelease)}`),
    ...row('rolled back', `${shareText(rolledBack)}${hoursSuffix(hoursToRollback)}`),
    ...row('users see', `${countText(exposed)} answers, of which ${countText(failed)} fail`),
    ...stageTexts(candidate).flatMap((text, place) => row(place === 0 ? 'ends' : '', text)),
  ];
}

/** What a candidate is taken to be, in words. */
export function assumedText({ assumed }: Pick<RehearsedCandidate, 'assumed'>): string {
  const { passRate, costUsd, slow, violations, errors } = assumed;
  return [
    `pass rate ${trimmed(passRate)}`,
    ...(costUsd === 0 ? [] : [`$${Number(costUsd.toPrecision(3))} an outcome`]),
    ...(slow === 0 ? [] : [`${trimmed(slow)} slow`]),
    ...(violations === 0 ? [] : [`${trimmed(violations)} violate`]),
    ...(errors === 0 ? [] : [`${trimmed(errors)} errors`]),
  ].join(', ');
}

/** Where rollouts were rolled back, and why. */
export function stageTexts({ stages }: Pick<RehearsedCandidate, 'stages'>): readonly string[] {
  return stages.flatMap(({ percent, rolledBack, reasons }) => {
    if (rolledBack === 0) return [];
    const why = Object.entries(reasons).map(([code, count]) => `${code} ${formatCount(count ?? 0)}`);
    return [`${stageName(percent)}: ${why.join(', ')}`];
  });
}

/** A share with its interval, in percent. */
export function shareText({ share, interval: [low, high] }: RehearsedShare): string {
  return `${percentText(share)} % [${percentText(low)}, ${percentText(high)}]`;
}

function percentText(share: number): string {
  return trimmed(100 * share, 2);
}

function hoursSuffix(hours: RehearsedNumber | null): string {
  if (hours === null) return '';
  return ` after ${hoursText(hours.median)} (median; 95 % within ${hoursText(hours.p95)})`;
}

function hoursText(hours: number): string {
  return hours < 1 ? `${Math.round(60 * hours)} min` : `${trimmed(hours, 1)} h`;
}

function countText({ mean, interval, p95 }: RehearsedNumber): string {
  const around =
    interval === null || interval[0] === interval[1] ? '' : ` [${number(interval[0])}, ${number(interval[1])}]`;
  return `${number(mean)}${around} (95 %: at most ${number(p95)})`;
}

function number(value: number): string {
  return value < 100 ? trimmed(Math.max(0, value), 1) : formatCount(Math.round(value));
}

function trimmed(value: number, digits = 4): string {
  return String(Number(value.toFixed(digits)));
}
