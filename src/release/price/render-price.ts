import { firstNames } from '../../text/first-names.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { codeCell } from '../../report/markdown-text.ts';
import { plainText } from '../../report/plain-text.ts';
import { labelRow, textPage } from '../../report/text-page.ts';
import type { TextStyle } from '../../report/text/text-style.ts';
import { hangText } from '../../report/text/wrap-text.ts';
import { padEnd } from '../../text/display-width.ts';
import type { PricedCosts, PriceQuestion, PriceReport, TornadoBar } from '../../types/release/price-report.ts';
import type { RenderOptions } from '../../types/render-options.ts';
import { percent } from '../release-texts.ts';
import { amountText, INPUT_WORDS, rangeText, tornadoBar } from './tornado-bar.ts';

const ROW = { label: 16 };
/** Names of what has no price. */
const MOST_NAMES = 5;

/** Prices for people: what a success costs, and what moves it. */
export function renderPrice(report: PriceReport, options: Partial<RenderOptions> = {}): string {
  const { gate, notes } = report;
  return textPage(options, (style) => {
    const row = (name: string, text: string): readonly string[] => labelRow(name, text, style, ROW);
    return [
      ...rowsOf(report).flatMap(([name, text]) => row(name, text)),
      ...plotLines(report, style),
      ...(notes.length === 0 ? [] : ['', ...notes.flatMap((note) => row('note', note))]),
      ...(gate === null ? [] : ['', ...row('verdict', gateText(gate))]),
    ];
  });
}

/** The same as Markdown. */
export function renderPriceMarkdown(report: PriceReport): string {
  const { tornado, gate, notes, priced } = report;
  const facts = rowsOf(report).map(([name, text]) => `| ${name} | ${codeCell(text)} |`);
  const bars = tornado.map((bar) => {
    const { low, high } = bar;
    const plot = tornadoBar(bar, { bars: tornado, costUsd: priced.perSuccessExactUsd ?? 0, width: PLOT_WIDTH });
    return `| ${INPUT_WORDS[bar.input]}, ${rangeText(bar)} | ${codeCell(plot)} | ${amountText(low.perSuccessUsd)} | ${amountText(high.perSuccessUsd)} |`;
  });
  const plot = ['', `| input, from low to high | ${LEGEND} | low | high |`, '|---|---|--:|--:|', ...bars];
  return [
    '| | |',
    '|---|---|',
    ...facts,
    ...(bars.length === 0 ? [] : plot),
    ...notes.map((note) => `\n${plainText(note)}`),
    ...(gate === null ? [] : [`\n**${gate.verdict}** ${gate.reason}`]),
    '',
  ].join('\n');
}

const PLOT_WIDTH = 32;
const LEGEND = '▒ at the low value, █ at the high one';

/** Of what cannot be told there is no lower bound either. */
function boundText(usd: number | null, isLowerBound: boolean): string {
  return usd === null || !isLowerBound ? amountText(usd, 'none') : `at least ${amountText(usd)}`;
}

function rowsOf({
  source,
  rateCard,
  asked,
  measured,
  priced,
  unpriced,
}: PriceReport): readonly (readonly [string, string])[] {
  const { cases, trials, passed, kind } = source;
  const what = kind === 'recordings' ? 'task' : 'scenario';
  const question = askedText(asked);
  const costs: readonly PricedCosts[] = question === '' ? [measured] : [measured, priced];
  const both = (pick: (one: PricedCosts) => number | null): string =>
    costs.map((one) => boundText(pick(one), one.isLowerBound)).join(' → ');
  const { perSuccessInterval: interval, gap, perReliableTask } = priced;
  return [
    [
      kind,
      `${plainText(source.name)}: ${plural(cases, what)}, ${plural(trials, 'trial')}, ${formatCount(passed)} passed`,
    ],
    ['rates', `${plainText(rateCard.id)} of ${rateCard.effective}`],
    ...(question === '' ? [] : [['asked', question] as const]),
    ['spent', both(({ totalUsd }) => totalUsd)],
    ['for a success', `${both(({ perSuccessUsd }) => perSuccessUsd)} with retries amortised`],
    ['', `${both(({ perSuccessExactUsd }) => perSuccessExactUsd)} exactly${intervalText(interval)}${gapText(gap)}`],
    ...perReliableTask.flatMap(({ k, usd }) =>
      usd === null || k === 1
        ? []
        : [[`for pass^${k}`, `${priced.isLowerBound ? 'at least ' : ''}${amountText(usd)}`] as const],
    ),
    ...(priced.evaluationUsd === 0 ? [] : [['trying it', `${amountText(priced.evaluationUsd)} besides`] as const]),
    ...(unpriced.length === 0 ? [] : [['no price', unpricedText(unpriced)] as const]),
  ];
}

function intervalText(interval: PricedCosts['perSuccessInterval']): string {
  return interval === null ? '' : `, 95 %: ${amountText(interval[0])} to ${amountText(interval[1])}`;
}

function gapText(gap: number | null): string {
  return gap === null || gap === 0 ? '' : `; the two are ${percent(Math.abs(gap))} apart`;
}

function unpricedText(unpriced: PriceReport['unpriced']): string {
  const names = unpriced.map(
    ({ kind, name, trials }) => `the ${kind} "${plainText(name)}" in ${plural(trials, 'trial')}`,
  );
  return `${firstNames(names, MOST_NAMES)}: every sum is a lower bound`;
}

function askedText({ cacheShare, batchShare, reservedShare, utilisation, retries, attempts }: PriceQuestion): string {
  return [
    ...(cacheShare === null ? [] : [`${percent(cacheShare)} of input from the cache`]),
    ...(batchShare === null ? [] : [`${percent(batchShare)} of requests in a batch`]),
    ...(reservedShare === null ? [] : [`${percent(reservedShare)} of tokens by reservation`]),
    ...(utilisation === null ? [] : [`${percent(utilisation)} of the reservation used`]),
    ...(retries === null ? [] : [`${retries} retries per run`]),
    ...(attempts === 1 ? [] : [`${attempts} attempts at a task`]),
  ].join(', ');
}

function plotLines({ tornado, priced }: PriceReport, style: TextStyle): readonly string[] {
  if (tornado.length === 0) return [];
  const texts = tornado.map((bar) => `${rangeText(bar)}: ${endsText(bar)}`);
  const room = style.columns - NAME - 2 - Math.max(...texts.map((text) => text.length));
  // Where both would stand beside a bar of no width, the text goes below.
  const isNarrow = room < LEAST_BAR;
  const width = isNarrow ? style.columns - NAME : room;
  const scale = { bars: tornado, costUsd: priced.perSuccessExactUsd ?? 0, width };
  return [
    '',
    ...hangText('', `what moves the cost of a success: ${LEGEND}`, style.columns).map((line) =>
      style.paint('dim', line),
    ),
    ...tornado.flatMap((bar, at) => {
      const line = `${padEnd(INPUT_WORDS[bar.input], NAME)}${tornadoBar(bar, scale)}`;
      const text = texts[at] ?? '';
      return isNarrow ? [line.trimEnd(), ...hangText('  ', text, style.columns)] : [`${line}  ${text}`];
    }),
  ];
}

function endsText({ low, high }: TornadoBar): string {
  return `${amountText(low.perSuccessUsd)} → ${amountText(high.perSuccessUsd)}`;
}

/** Columns of the name of an input. */
const NAME = 14;
const LEAST_BAR = 12;

function gateText({ verdict, ceilingUsd, reason }: NonNullable<PriceReport['gate']>): string {
  return `${verdict}: ${reason} Ceiling: ${amountText(ceilingUsd)}.`;
}
