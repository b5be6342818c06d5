import { HISTORY_CHANGES, type HistoryPoint, type HistoryTrend, type KeptRun } from '../types/reports/history.ts';
import type { RenderOptions } from '../types/render-options.ts';
import { trialsText } from '../text/trials-text.ts';
import { padEnd, padStart, shortenMiddle, widest } from '../text/display-width.ts';
import { formatCount, formatDuration, formatMean, plural } from '../text/format-number.ts';
import { formatInterval, formatRate } from '../text/format-rate.ts';
import { plainText } from './plain-text.ts';
import { signedPercent } from './signed.ts';
import { sparkline } from './text/sparkline.ts';
import { textPage } from './text-page.ts';
import type { TextStyle } from './text/text-style.ts';
import { hangText, joinParts, wrapText } from './text/wrap-text.ts';

const LEAST_NAME = 16;
const MOST_NAME = 44;
/** Fewest bars of a trend, which is as wide as its header, and bars that names leave room for. */
const LEAST_SPARK = 9;
const USUAL_SPARK = 24;
const MARKS = {
  passed: { sign: '✓', role: 'good' },
  failed: { sign: '✗', role: 'bad' },
  insufficient: { sign: '?', role: 'warn' },
  load_error: { sign: '!', role: 'bad' },
  not_run: { sign: '·', role: 'warn' },
} as const;

/** How every scenario fared over the runs of a history, for people. */
export function renderHistory(trends: readonly HistoryTrend[], options: Partial<RenderOptions> = {}): string {
  if (trends.length === 0) return 'No run that is kept matches.\n';
  return textPage(options, (style) => trendTable(trends, style));
}

function trendTable(trends: readonly HistoryTrend[], style: TextStyle): readonly string[] {
  const cells = trends.map(({ points }) => lastCells(points.at(-1)));
  const [rateWidth, tokensWidth] = (['rate', 'tokens'] as const).map((key) =>
    widest([key, ...cells.map((cell) => cell[key])]),
  ) as [number, number];
  const room = style.columns - 2 - rateWidth - tokensWidth - 6;
  const longest = widest(['scenario', ...trends.map(({ name }) => plainText(name))]);
  const most = trends.reduce((count, { points }) => Math.max(count, points.length), LEAST_SPARK);
  const nameWidth = Math.min(longest, Math.max(LEAST_NAME, Math.min(MOST_NAME, room - Math.min(most, USUAL_SPARK))));
  const sparkWidth = Math.max(LEAST_SPARK, Math.min(40, room - nameWidth));
  const header = `  ${padEnd('scenario', nameWidth)}  ${padEnd('pass rate', sparkWidth)}  ${padEnd('last', rateWidth)}  ${padStart('tokens', tokensWidth)}`;
  const lines = trends.flatMap((trend, place) => {
    const last = trend.points.at(-1);
    const cell = cells[place];
    if (last === undefined || cell === undefined) return [];
    const { sign, role } = MARKS[last.verdict];
    const name = shortenMiddle(plainText(trend.name), nameWidth);
    const row = `${style.paint(role, sign)} ${padEnd(name, nameWidth)}  ${padEnd(sparkline(trend.points, sparkWidth), sparkWidth)}  ${padEnd(cell.rate, rateWidth)}  ${padStart(cell.tokens, tokensWidth)}`;
    const facts = hangText('    ', joinParts(factsOf(trend)), style.columns);
    return [row.trimEnd(), ...facts.map((line) => style.paint('dim', line))];
  });
  return [style.paint('dim', header.trimEnd()), ...lines];
}

/** One run of a history in full. */
export function renderKeptRun(run: KeptRun, options: Partial<RenderOptions> = {}): string {
  return textPage(options, (style) => runLines(run, style));
}

function runLines({ id, run }: KeptRun, style: TextStyle): readonly string[] {
  const { startedAt, durationMs, passk, seed, verdict, scenarios, generated = [] } = run;
  const word = { pass: 'gate passed', fail: 'gate failed', insufficient: 'gate undecided' }[verdict];
  const head = [`Run ${id}`, timeText(startedAt), formatDuration(durationMs), word, `seed ${seed}`, `passk ${passk}`];
  const longest = widest(scenarios.map(({ name }) => plainText(name)));
  const nameWidth = Math.min(longest, Math.max(LEAST_NAME, style.columns - 48));
  const lines = scenarios.map((scenario) => {
    const { sign, role } = MARKS[scenario.verdict];
    const { rate, tokens } = lastCells(scenario);
    const name = padEnd(shortenMiddle(plainText(scenario.name), nameWidth), nameWidth);
    const { failedFirst } = scenario;
    const failed = failedFirst === undefined ? [] : [`failed first: ${trialsText(failedFirst)}`];
    const trials = [plural(scenario.trials, 'trial'), ...failed, ...spoiltText(scenario)];
    return `${style.paint(role, sign)} ${name}  ${joinParts([rate, ...trials, `${tokens} tokens`])}`.replaceAll(
      '\u00a0',
      ' ',
    );
  });
  const sets = generated.flatMap(({ name, hash }) =>
    hangText('  ', `Generated ${plainText(name)}: set ${hash}`, style.columns),
  );
  return [...wrapText(joinParts(head), style.columns), ...lines, ...sets];
}

/** Trials that are in no rate, because their users broke their rules. */
function spoiltText({ spoilt = 0 }: Pick<HistoryPoint, 'spoilt'>): readonly string[] {
  return spoilt === 0 ? [] : [`${formatCount(spoilt)} spoilt by the user`];
}

function lastCells(point: Pick<HistoryPoint, 'verdict' | 'passRate' | 'interval' | 'tokens'> | undefined): {
  readonly rate: string;
  readonly tokens: string;
} {
  const { verdict = 'load_error', passRate = null, interval = null, tokens = null } = point ?? {};
  const none = verdict === 'load_error' ? 'did not load' : 'did not run';
  const rate = passRate === null ? none : formatRate(passRate);
  return {
    rate: interval === null ? rate : `${rate} ${formatInterval(interval)}`,
    tokens: tokens === null ? '-' : formatMean(tokens),
  };
}

function factsOf({ points, runs, firstSeen, flips }: HistoryTrend): readonly string[] {
  const facts = [
    runs === points.length ? plural(runs, 'run') : `${points.length} of ${plural(runs, 'run')}`,
    `first ${timeText(firstSeen).slice(0, 10)}`,
  ];
  const change = tokenChange(points);
  if (change !== null) facts.push(`tokens ${signedPercent(change)}`);
  const failed = points.at(-1)?.failedFirst;
  if (failed !== undefined) facts.push(`failed first: ${trialsText(failed)}`);
  if (flips.total > 0) {
    facts.push(
      `${plural(flips.total, 'flip')}${flips.unchanged > 0 ? `, ${flips.unchanged} with nothing changed` : ''}`,
    );
  }
  for (const what of HISTORY_CHANGES) {
    const count = points.filter(({ changed }, place) => place > 0 && changed.includes(what)).length;
    if (count > 0) facts.push(`${what} changed ${plural(count, 'time')}`);
  }
  return facts;
}

/** From the first listed point to the last; null where either has none, or nothing changed. */
function tokenChange(points: readonly HistoryPoint[]): number | null {
  const [before, after] = [points[0]?.tokens ?? null, points.at(-1)?.tokens ?? null];
  return before === null || after === null || before === 0 || before === after ? null : after / before - 1;
}

function timeText(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
