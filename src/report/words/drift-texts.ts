import type { DriftReport, ScenarioDrift, TokenDrift } from '../../types/reports/drift.ts';
import { trialsText } from '../../text/trials-text.ts';
import { formatCount, formatMean, plural } from '../../text/format-number.ts';
import { formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import type { ListingRow } from '../sections/panel.ts';
import type { Mark } from '../sections/section.ts';
import { signed, signedPercent } from '../signed.ts';

const MARKS = {
  regressed: { sign: '✗', word: 'DOWN', name: 'regressed', role: 'bad' },
  undecided: { sign: '!', word: 'open', name: 'undecided', role: 'warn' },
  risen: { sign: '✗', word: 'TOKENS', name: 'more tokens', role: 'bad' },
  other: { sign: '!', word: 'other', name: 'other verdicts', role: 'warn' },
  improved: { sign: '✓', word: 'up', name: 'improved', role: 'good' },
  fallen: { sign: '✓', word: 'tokens', name: 'fewer tokens', role: 'good' },
} as const satisfies Record<string, Mark>;

type Kind = keyof typeof MARKS;

const LONGEST_DIVERGENCE = 400;

/** How the suite changed, and how many scenarios did, in words. */
export function driftHeadline({ scenarios, added, vanished, rule, overall }: DriftReport): readonly string[] {
  const count = (status: ScenarioDrift['status']): number => scenarios.filter((one) => one.status === status).length;
  const suite = overall.test === null || overall.status === 'unchanged' ? [] : [`the suite ${overall.status}`];
  const parts = [...suite, plural(count('regressed'), 'regression')];
  parts[0] = `Drift (${rule}): ${parts[0]}`;
  const risen = scenarios.filter(({ tokens }) => tokens.status === 'risen').length;
  if (risen > 0) parts.push(`${risen} with more tokens`);
  for (const status of ['undecided', 'improved'] as const) {
    if (count(status) > 0) parts.push(`${count(status)} ${status}`);
  }
  // A rate that moved within chance counts as unchanged, but it is not the same rate.
  const moves = scenarios.filter(({ status }) => status === 'unchanged').map(moveOf);
  const moved = (sign: number): number => moves.filter((move) => move === sign).length;
  if (moved(-1) > 0) parts.push(`${moved(-1)} lower, within chance`);
  if (moved(1) > 0) parts.push(`${moved(1)} higher, within chance`);
  if (moved(0) > 0) parts.push(`${moved(0)} unchanged`);
  if (added.length > 0) parts.push(`${added.length} new`);
  if (vanished.length > 0) parts.push(`${vanished.length} gone`);
  return parts;
}

/** Whether the pass rate is lower (−1), higher (1) or the same: of the trials that both runs have, where they are paired. */
function moveOf({ before, after, pairs }: ScenarioDrift): number {
  if (pairs !== null) return Math.sign(pairs.gained - pairs.lost);
  return Math.sign((after.passRate ?? 0) - (before.passRate ?? 0));
}

function kindsOf({ status, tokens, nondeterministic }: ScenarioDrift): readonly Kind[] {
  const kinds: Kind[] = status === 'unchanged' ? (nondeterministic ? ['other'] : []) : [status];
  if (tokens.status === 'risen' || tokens.status === 'fallen') kinds.push(tokens.status);
  return kinds;
}

/** Scenarios that changed, kind by kind, regressions first. One that changed in two ways has two rows. */
export function driftRows({ scenarios }: DriftReport): readonly (readonly ListingRow[])[] {
  return (Object.keys(MARKS) as Kind[]).map((kind) =>
    scenarios
      .filter((scenario) => kindsOf(scenario).includes(kind))
      .map((scenario) => {
        const isOfTokens = kind === 'risen' || kind === 'fallen';
        const parts = isOfTokens ? tokenParts(scenario.tokens) : rateParts(scenario);
        const lines = isOfTokens ? [] : [...failedLines(scenario), ...divergenceLines(scenario)];
        return { mark: MARKS[kind], name: scenario.name, parts, lines };
      }),
  );
}

/** How all scenarios together changed; a single one has its own row. */
export function suiteRows({ overall, scenarios, margin }: DriftReport): readonly ListingRow[] {
  const { status, test, before, after, difference, interval, p, tokens } = overall;
  const rows: ListingRow[] = [];
  if (test !== null && status !== 'unchanged' && difference !== null) {
    const means = `mean of ${plural(scenarios.length, 'scenario')} ${formatRate(before ?? 0)} → ${formatRate(after ?? 0)}`;
    const parts = [
      means,
      ...(interval === null ? [] : [`95 % of change ${signed(interval[0])} to ${signed(interval[1])}`]),
    ];
    if (margin !== null) parts.push(`margin ${formatRate(margin)}`);
    else if (p !== null) parts.push(`p ${p.toPrecision(2)}`);
    rows.push({ mark: MARKS[status], name: 'the suite', parts, lines: [] });
  }
  const isShown = scenarios.length > 1 && (tokens.status === 'risen' || tokens.status === 'fallen');
  if (isShown) rows.push({ mark: MARKS[tokens.status], name: 'the suite', parts: tokenParts(tokens), lines: [] });
  return rows;
}

function rateParts({ before, after, interval, pairs, q, test, changed }: ScenarioDrift): readonly string[] {
  const rate = (value: number | null): string => (value === null ? 'none' : formatRate(value));
  const parts = [`${rate(before.passRate)} → ${rate(after.passRate)}`];
  if (interval !== null) parts.push(`95 % of change ${signed(interval[0])} to ${signed(interval[1])}`);
  if (pairs !== null) {
    parts.push(`of ${plural(pairs.trials, 'same trial')}, ${pairs.lost} lost and ${pairs.gained} gained`);
  }
  if (q !== null) parts.push(`q ${q.toPrecision(2)}`);
  for (const [run, { spoilt = 0 }] of [
    ['before', before],
    ['now', after],
  ] as const) {
    if (spoilt > 0) parts.push(`${formatCount(spoilt)} spoilt by the user ${run}`);
  }
  if (test === 'exact_repeat') parts.push('same program, same draws');
  if (changed === true) parts.push('scenario changed');
  return parts;
}

/** The first trials of a scenario that failed. */
function failedLines({ failedFirst }: ScenarioDrift): readonly string[] {
  return failedFirst === undefined ? [] : [`failed first: ${trialsText(failedFirst)}`];
}

/** Where a session of this run that failed leaves one of the baseline that passed. */
function divergenceLines({ divergence }: ScenarioDrift): readonly string[] {
  if (divergence === undefined) return [];
  const { trial, baselineTrial, text } = divergence;
  return [`trial ${trial} ${plainText(text, LONGEST_DIVERGENCE)} (trial ${baselineTrial} of the baseline passed)`];
}

function tokenParts({ before, after, change, q }: TokenDrift): readonly string[] {
  const mean = (value: number | null): string => (value === null ? 'none' : formatMean(value));
  const parts = [`${mean(before)} → ${mean(after)} tokens per trial`];
  if (change !== null) parts.push(signedPercent(change));
  if (q !== null) parts.push(`q ${q.toPrecision(2)}`);
  return parts;
}

/** How often a comparison fails where nothing has changed. */
function alarmText(alpha: number, comparisons: number): string {
  const share = `${Number((alpha * 100).toPrecision(3))} %`;
  if (comparisons === 1) return `Where nothing has changed, at most ${share} of comparisons fail.`;
  return `Where nothing has changed, any of ${comparisons} comparisons with this baseline fails with a chance of at most ${share}.`;
}

/** All scenarios together, in sentences. */
export function driftOverall({ overall, rule, alpha, comparisons, scenarios: rows }: DriftReport): readonly string[] {
  const { difference, interval, population, costPerSuccess, noiseFloor, scenarios } = overall;
  const texts: string[] = [];
  if (difference !== null) {
    const range = ([low, high]: readonly [number, number]): string => `${signed(low)} to ${signed(high)}`;
    const ends = [
      // Where chance plays no part, the interval has no width.
      ...(interval === null || interval[0] === interval[1]
        ? []
        : [`more trials of these scenarios would show ${range(interval)}`]),
      ...(population === null ? [] : [`scenarios like these ${range(population.interval)}`]),
    ];
    const bounds = ends.length === 0 ? '' : `; at 95 %, ${ends.join(', ')}`;
    texts.push(`Mean change of the pass rate over ${plural(scenarios, 'scenario')}: ${signed(difference)}${bounds}.`);
  }
  if (costPerSuccess.before !== null && costPerSuccess.after !== null) {
    texts.push(`Tokens per success: ${formatMean(costPerSuccess.before)} → ${formatMean(costPerSuccess.after)}.`);
  }
  const { median, worst, blind, suite } = noiseFloor;
  if (median !== null && worst !== null) {
    const floor = median === worst ? formatRate(worst) : `${formatRate(median)} (median; worst ${formatRate(worst)})`;
    const all = suite === null ? '' : `, and of ${formatRate(suite)} of all of them,`;
    const where = suite === null ? '' : ' of one scenario';
    texts.push(`Noise floor: these trials show a drop of ${floor}${where}${all} with a chance of 80 %.`);
  }
  const isTested = rows.some(({ p, tokens }) => p !== null || tokens.p !== null);
  if (rule === 'evidence' && isTested) texts.push(alarmText(alpha, comparisons));
  if (blind > 0) texts.push(`${plural(blind, 'scenario')} had too few trials to show any drop.`);
  return texts;
}
