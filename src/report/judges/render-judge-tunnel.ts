import { padEnd, widest } from '../../text/display-width.ts';
import type { MeasuredShare } from '../../types/judges/judge-calibration.ts';
import type { AskedJudge, JudgeTunnel, TunnelJudge, TunnelProtocol } from '../../types/judges/judge-tunnel.ts';
import type { RenderOptions } from '../../types/render-options.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import { askedText } from './render-judge-calibration.ts';
import { labelRow, textPage } from '../text-page.ts';
import type { TextStyle } from '../text/text-style.ts';
import { hangText, joinParts, wrapText } from '../text/wrap-text.ts';

/** What protocols recover of the truth, for people: a block for each fake judge, a row for each protocol. */
export function renderJudgeTunnel(tunnel: JudgeTunnel, options: Partial<RenderOptions> = {}): string {
  const { pairs, trials, seed, minCoverage, asked } = tunnel;
  const legend =
    `${plural(trials, 'evaluation')} of ${plural(pairs, 'pair or answer', 'pairs or answers')} each, seed ${seed}. ` +
    `A protocol recovers the truth where at least ${percent(minCoverage)} of its intervals hold it. ` +
    `On the scale from 0 to 1: █ the rate, ─ its interval, │ the truth.`;
  return textPage(options, (style) => [
    ...(asked === undefined ? [] : [...askedLines(asked, style), '']),
    ...tunnel.judges.flatMap((judge) => {
      const protocols = tunnel.protocols.filter((protocol) => protocol.judge === judge.name);
      const rows = protocols.flatMap((protocol) => row(protocol, protocols, style));
      return [...heading(judge, protocols, style), ...rows, ''];
    }),
    ...wrapText(legend, style.columns),
  ]);
}

/** What a real judge makes of answers that passk has made. */
function askedLines(
  { judge, models, repeats, useful, useless, probes, took }: AskedJudge,
  style: TextStyle,
): readonly string[] {
  const fact = (name: string, text: string): readonly string[] =>
    labelRow(name, text, style, { indent: '  ', label: 10 });
  const seen = ({ agreed, items, interval }: MeasuredShare): string =>
    `${formatCount(agreed)} of ${formatCount(items)}${interval === null ? '' : ` ${formatInterval(interval)}`}`;
  const asks = `asks ${models.map((model) => plainText(model, 60)).join(', ')}, ${plural(repeats, 'time')} each`;
  const does = useless === null ? 'preferred to useless ones in both orders' : 'passed';
  return [
    ...hangText('', `${plainText(`Judge "${judge}"`, 80)} ${asks}`, style.columns),
    ...fact('useful', `${seen(useful)} ${does}`),
    ...(useless === null ? [] : fact('useless', `${seen(useless)} failed`)),
    ...probes.flatMap(({ probe, verdict, message }) => fact(probe, `${verdict}: ${message}`)),
    ...fact('asked', askedText(took)),
  ];
}

function heading(
  { name, summary, judges }: TunnelJudge,
  protocols: readonly TunnelProtocol[],
  style: TextStyle,
): readonly string[] {
  const [first] = protocols;
  const truth = first === undefined ? '' : ` The truth is ${formatRate(first.truth)}.`;
  const what = judges === 'pairs' ? 'It compares two answers' : 'It passes or fails single answers';
  const title = plainText(`Judge "${name}"`, 60);
  return [
    style.paint('strong', title),
    ...hangText('  ', `${plainText(summary, 200)}. ${what}.${truth}`, style.columns),
  ];
}

const MARK = 10;
const SCALE = 21;
/** Columns of rate, coverage and scale. */
const FIGURES = 19 + 2 + 12 + 2 + SCALE;
/** Columns that a row has besides the name. */
const FIXED = MARK + 2 + FIGURES;

function row(protocol: TunnelProtocol, all: readonly TunnelProtocol[], style: TextStyle): readonly string[] {
  const word = protocol.winRate === null ? 'undecided' : protocol.recovers ? 'recovers' : 'misses';
  const mark = style.paint(word === 'recovers' ? 'good' : word === 'misses' ? 'bad' : 'warn', padEnd(word, MARK));
  const names = Math.min(32, widest(all.map(({ name }) => plainText(name, 32))));
  const name = padEnd(plainText(protocol.name, 32), names);
  const { winRate, interval } = protocol;
  const rate =
    winRate === null ? 'no rate' : `${formatRate(winRate)} ${interval === null ? '' : formatInterval(interval)}`;
  const covers = `covers ${percent(protocol.coverage)}`;
  const detail = details(protocol);
  if (names + FIXED <= style.columns) {
    const line = `${mark}${name}  ${padEnd(rate, 19)}  ${padEnd(covers, 12)}  ${scaleOf(protocol)}`.trimEnd();
    return [line, ...hangText(' '.repeat(MARK), detail, style.columns)];
  }
  return [
    `${mark}${plainText(protocol.name, style.columns - MARK)}`,
    ...(MARK + FIGURES <= style.columns
      ? [`${' '.repeat(MARK)}${padEnd(rate, 19)}  ${padEnd(covers, 12)}  ${scaleOf(protocol)}`]
      : hangText(' '.repeat(MARK), joinParts([rate, covers]), style.columns)),
    ...hangText(' '.repeat(MARK), detail, style.columns),
  ];
}

function details({ wins, losses, ties, errors, firstShare, consistency, questions }: TunnelProtocol): string {
  const isPairs = firstShare !== null;
  return joinParts([
    `${formatCount(wins)} ${isPairs ? 'won' : 'passed'}`,
    `${formatCount(losses)} ${isPairs ? 'lost' : 'failed'}`,
    ...(ties > 0 ? [`${formatCount(ties)} tied`] : []),
    ...(errors > 0 ? [`${formatCount(errors)} unreadable`] : []),
    ...(firstShare === null ? [] : [`first chosen ${formatRate(firstShare)}`]),
    ...(consistency === null ? [] : [`both orders agree ${formatRate(consistency)}`]),
    ...(questions > 1 ? [`${formatCount(questions)} questions each`] : []),
  ]);
}

/** Rate, interval and truth on a scale from 0 to 1. */
function scaleOf({ winRate, interval, truth }: TunnelProtocol): string {
  const cellOf = (value: number): number => Math.min(SCALE - 1, Math.floor(value * SCALE));
  const cells = Array.from({ length: SCALE }, () => '·');
  if (interval !== null) for (let at = cellOf(interval[0]); at <= cellOf(interval[1]); at++) cells[at] = '─';
  if (winRate !== null) cells[cellOf(winRate)] = '█';
  cells[cellOf(truth)] = winRate !== null && cellOf(winRate) === cellOf(truth) ? '█' : '│';
  return cells.join('');
}

function percent(share: number): string {
  const whole = Math.round(share * 100);
  // Nearly all is not all, and hardly any is not none.
  if (whole === 100 && share < 1) return '>99 %';
  return whole === 0 && share > 0 ? '<1 %' : `${whole} %`;
}
