import { type JudgedScenario, ratedTrials, type SampledScenario } from '../../types/reports/scenario-report.ts';
import { exactParts } from '../text/exact-lines.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatBar, formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import { joinParts } from '../text/wrap-text.ts';

/** Values of pass^k that are listed: outside these the pass rate says as much. */
const TELLING = { from: 0.005, to: 0.995, most: 4 } as const;

/**
 * What the pass rate hides of a scenario: an early stop, a run that was cut short, the suite's floor, dead ends, tolerated failures, broken trials,
 * and how pass^k decays.
 */
export function flakyText(scenario: JudgedScenario): string | null {
  const parts =
    scenario.sampler === 'exhaustive' ? [...exactParts(scenario), ...floorParts(scenario)] : sampledParts(scenario);
  return parts.length === 0 ? null : joinParts(parts);
}

function sampledParts(scenario: SampledScenario): readonly string[] {
  const { trials, minPassRate, checks } = scenario;
  const parts = [...stopParts(scenario), ...cutParts(scenario)];
  const { ran: judged } = ratedTrials(scenario);
  // Nobody gave recorded runs a bar.
  const hasBar = minPassRate !== null && (scenario.recording === undefined || minPassRate > 0);
  if (scenario.verdict === 'passed' && trials.passed < judged && hasBar) {
    const check = checks[0];
    const most = check === undefined ? '' : `, mostly ${plainText(check.check, 40)}`;
    parts.push(`tolerated: ${formatCount(judged - trials.passed)} failed${most}; its bar is ${formatBar(minPassRate)}`);
  }
  parts.push(...floorParts(scenario));
  const deadEnds = scenario.stoppedBy.dead_end ?? 0;
  if (deadEnds > 0) parts.push(`${formatCount(deadEnds)} ended in a dead end`);
  if (trials.broken > 0) parts.push(`${formatCount(trials.broken)} broken`);
  if (trials.passed > 0 && trials.passed < judged) parts.push(...decay(scenario));
  return parts;
}

function floorParts({ belowFloor, minPassRate }: JudgedScenario): readonly string[] {
  if (belowFloor === undefined || minPassRate === null) return [];
  return [`below the suite's floor ${formatBar(belowFloor)}; its own bar is ${formatBar(minPassRate)}`];
}

/** Why fewer trials ran than were asked for, or what a sequential test says. */
export function stopParts({ stopEarly, trials }: SampledScenario): readonly string[] {
  if (stopEarly === undefined || stopEarly.verdict === null) return [];
  const judged = trials.passed + trials.failed + trials.broken;
  if (judged >= trials.requested && stopEarly.test === undefined) return [];
  return [stopEarly.reason.replace(/\.$/, '')];
}

/** How many trials a run that a signal, a budget or `bail` ended did not come to: the bar is of all of them. */
export function cutParts({ stopEarly, trials }: SampledScenario): readonly string[] {
  const missing = trials.requested - trials.passed - trials.failed - trials.broken;
  if (missing <= 0 || stopEarly !== undefined) return [];
  return [`${formatCount(missing)} of ${plural(trials.requested, 'trial')} did not run`];
}

function decay({ passHatK }: SampledScenario): readonly string[] {
  const all = passHatK.at(-1)?.k ?? 0;
  return passHatK
    .filter(({ k }) => k > 1 && k < all && Number.isInteger(Math.log2(k)))
    .filter(({ value }) => value >= TELLING.from && value <= TELLING.to)
    .slice(0, TELLING.most)
    .map(({ k, value }) => `pass^${k} ${formatRate(value)}`);
}
