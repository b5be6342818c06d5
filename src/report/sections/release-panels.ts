import type { GateVerdict } from '../../types/reports/gate.ts';
import type { AxisFigure, ReleaseAxis, ReleaseRegression, ReleaseReport } from '../../types/release/release-report.ts';
import { findingText } from './finding-text.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatBar, formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import type { Chart, FigureRow, Figures, Gauge, ListingRow, Panel } from './panel.ts';
import type { Mark } from './section.ts';

const MARKS: Readonly<Record<GateVerdict, Mark>> = {
  pass: { sign: '✓', word: 'pass', name: 'pass', role: 'good' },
  fail: { sign: '✗', word: 'FAIL', name: 'fail', role: 'bad' },
  insufficient: { sign: '!', word: 'open', name: 'insufficient', role: 'warn' },
};
const LONGEST = 600;

/** A release: its axes, what decided, its costs, and what became worse. There is no score. */
export function releasePanels(release: ReleaseReport): readonly Panel[] {
  return [axesPanel(release), costPanel(release), curvePanel(release), ...regressionPanel(release)];
}

function axesPanel({ candidate, tier, release, verdict, axes, reasons, governance }: ReleaseReport): Panel {
  return {
    title: 'Release',
    isTitled: true,
    mark: MARKS[verdict],
    headline: [`${plural(axes.length, 'axis', 'axes')}, no score`, verdict],
    isTelling: true,
    isTrouble: verdict !== 'pass',
    blocks: [
      {
        type: 'figures',
        corners: ['axis', 'verdict'],
        headers: ['measured', 'value', 'interval', 'at most'],
        rows: axes.map(axisRow),
        chart: { type: 'gauges', gauges: axes.map(({ figure }) => (figure === null ? null : gaugeOf(figure))) },
      },
      {
        type: 'notes',
        tone: 'plain',
        sentences: [
          plainText(`${candidate} for ${tier}, release ${release}`, LONGEST),
          ...(reasons.length === 0
            ? ['Every axis that decides passed.']
            : reasons.map((reason) => `Decided by ${plainText(reason, LONGEST)}`)),
        ],
      },
      {
        type: 'notes',
        tone: 'warning',
        sentences: governance.map((finding) => plainText(findingText(finding), LONGEST)),
      },
      {
        type: 'notes',
        tone: 'aside',
        sentences: axes.flatMap(({ axis, reasons: why, evidence }) =>
          [...why.map(({ message }) => message), ...evidence]
            .map((text) => `${axis}: ${text}`)
            // What decided stands above.
            .filter((text) => !reasons.includes(text))
            .map((text) => plainText(text, LONGEST)),
        ),
      },
    ],
  };
}

function axisRow({ axis, verdict, isAdvisory, figure }: ReleaseAxis): FigureRow {
  const { sign, name } = MARKS[verdict];
  const word = `${sign} ${name}${isAdvisory ? ' (advisory)' : ''}`;
  if (figure === null) return { names: [axis, word], cells: ['nothing', '–', '–', '–'], parts: [word] };
  const { measure, unit, value, interval, most } = figure;
  const text = (amount: number): string => (unit === 'usd' ? dollars(amount) : formatRate(amount));
  const bar = most === null ? '–' : unit === 'usd' ? dollars(most) : formatBar(most);
  const range = interval === null ? '–' : `${text(interval[0])} to ${topText(interval[1], figure, text)}`;
  return {
    names: [axis, word],
    cells: [measure, text(value), range, bar],
    parts: [word, `${measure} ${text(value)}`, range, ...(most === null ? [] : [`at most ${bar}`])],
  };
}

/** The upper end of an interval: one of 0.0116 above a bar of 0.01 is not shown as 0.01. */
function topText(
  high: number | null,
  { unit, most }: Pick<AxisFigure, 'unit' | 'most'>,
  text: (amount: number) => string,
): string {
  if (high === null) return 'any';
  const side = (amount: number): number => Math.sign(amount - (most ?? amount));
  const isApart = unit === 'usd' || most === null || side(Number(formatRate(high))) === side(high);
  return isApart ? text(high) : String(Number(high.toPrecision(3)));
}

/** The figure as shares of its gauge. A gauge of rates ends at 1, one of money a fifth above the largest amount. */
function gaugeOf({ unit, value, interval, most }: AxisFigure): Gauge | null {
  const [low, high] = interval ?? [value, value];
  const top = unit === 'share' ? 1 : 1.2 * Math.max(value, high ?? value, most ?? 0);
  if (!(top > 0)) return null;
  const share = (amount: number): number => Math.min(1, Math.max(0, amount / top));
  return {
    value: share(value),
    low: share(low),
    high: high === null ? 1 : share(high),
    bar: most === null ? null : share(most),
  };
}

/** Kinds of costs of the candidate itself, in the order in which they are shown. */
const SUBJECT_KINDS = ['model', 'tool', 'connector'];

/** What a success costs, step by step, and apart from it what the evaluation cost. */
function costPanel({ cost }: ReleaseReport): Panel {
  const { byKind, totalNanoUsd, firstNanoUsd, evaluationNanoUsd, successes, runs, perSuccessExactUsd, unpriced } = cost;
  const total = usd(totalNanoUsd);
  const kinds = SUBJECT_KINDS.filter((kind) => byKind[kind] !== undefined);
  let sum = 0;
  const steps = kinds.map((kind): Step => {
    const from = sum;
    sum += usd(byKind[kind] ?? '0');
    return { name: kind, from, to: sum };
  });
  const retries = total - usd(firstNanoUsd);
  const all: readonly Step[] = [
    ...steps,
    { name: 'all of it', from: 0, to: total },
    ...(retries > 0 ? [{ name: 'of that, later attempts', from: total - retries, to: total }] : []),
    { name: 'trying it, apart', from: 0, to: usd(evaluationNanoUsd) },
  ];
  const top = all.reduce((most, { to }) => Math.max(most, to), 0);
  // What a model costs that nobody prices is not in the sums: `$0` would read as free.
  const least = unpriced.length > 0 ? 'at least ' : '';
  const each = (amount: number): string => (successes === 0 ? '–' : `${least}${dollars(amount / successes)}`);
  const figures: Figures = {
    type: 'figures',
    corners: ['spent on', 'over'],
    headers: ['sum', 'a success'],
    rows: all.map(({ name, from, to }) => ({
      names: [name, plural(runs, 'run')],
      cells: [`${least}${dollars(to - from)}`, each(to - from)],
      parts: [`${least}${dollars(to - from)}`, `${each(to - from)} a success`],
    })),
    ...(top > 0 && {
      chart: {
        type: 'waterfall',
        steps: all.map(({ name, from, to }) => [name, from / top, to / top] as const),
      } satisfies Chart,
    }),
  };
  return {
    title: 'Cost of a success',
    isTitled: true,
    mark: null,
    headline: [
      perSuccessExactUsd === null ? 'not known' : dollars(perSuccessExactUsd),
      `${formatCount(successes)} of ${plural(runs, 'run')} succeeded`,
    ],
    isTelling: runs > 0,
    isTrouble: false,
    blocks: [
      figures,
      {
        type: 'notes',
        tone: 'warning',
        sentences: unpriced.map(({ kind, name }) =>
          plainText(`Nobody prices the ${kind} "${name}", so sums are lower bounds.`, LONGEST),
        ),
      },
    ],
  };
}

interface Step {
  readonly name: string;
  /** Both in USD. */
  readonly from: number;
  readonly to: number;
}

function curvePanel({ curve, prior, candidate }: ReleaseReport): Panel {
  const points = curve.filter((point) => point.candidate !== null);
  const line = (of: 'candidate' | 'prior'): readonly (readonly [number, number])[] =>
    curve.flatMap((point) => {
      const value = point[of];
      return value === null ? [] : [[point.k, value] as const];
    });
  return {
    title: 'Trials in a row',
    isTitled: true,
    mark: null,
    headline: [
      points.length === 0 ? 'too few trials' : `pass^k up to ${points.at(-1)?.k}`,
      prior === null ? 'no release before' : 'beside the release before',
    ],
    isTelling: points.length > 0,
    isTrouble: false,
    blocks: [
      {
        type: 'figures',
        corners: ['chance', 'of'],
        headers: ['candidate', 'before'],
        rows: curve.map((point) => ({
          names: [`pass^${point.k}`, `${point.k} in a row`],
          cells: [rate(point.candidate), rate(point.prior)],
          parts: [rate(point.candidate), ...(point.prior === null ? [] : [`before ${rate(point.prior)}`])],
        })),
        ...(points.length > 1 && {
          chart: {
            type: 'curves',
            axes: {
              x: { name: 'in a row', ticks: points.map(({ k }) => [k, String(k)] as const) },
              y: {
                name: 'all pass',
                ticks: [
                  [0, '0'],
                  [1, '1'],
                ],
              },
              mark: null,
            },
            lines: [
              { name: plainText(candidate, LONGEST), points: line('candidate') },
              ...(prior === null ? [] : [{ name: plainText(prior, LONGEST), points: line('prior') }]),
            ],
          } satisfies Chart,
        }),
      },
    ],
  };
}

function regressionPanel({ prior, regressions }: ReleaseReport): readonly Panel[] {
  if (prior === null) return [];
  return [
    {
      title: 'Regressions',
      isTitled: true,
      mark: regressions.length === 0 ? MARKS.pass : MARKS.fail,
      headline: [
        regressions.length === 0
          ? 'no scenario passes less often than before by more than chance'
          : `${plural(regressions.length, 'scenario')} less often than before`,
        plainText(`before: ${prior}`, LONGEST),
      ],
      isTelling: regressions.length > 0,
      isTrouble: regressions.length > 0,
      blocks: [
        {
          type: 'listing',
          corner: 'scenario',
          headers: ['Change', 'From and to'],
          groups: [regressions.map(regressionRow)],
        },
        ...(regressions.length === 0
          ? []
          : [
              {
                type: 'notes',
                tone: 'aside',
                sentences: ['Each by Fisher’s exact test at 5 %, one-sided, for itself.'],
              } as const,
            ]),
      ],
    },
  ];
}

function regressionRow({ name, before, now, firstFailure }: ReleaseRegression): ListingRow {
  return {
    mark: MARKS.fail,
    name,
    parts: [
      `${rate(before.passed / before.trials)} to ${rate(now.passed / now.trials)}`,
      `${formatCount(now.passed)} of ${plural(now.trials, 'trial')}`,
      ...(firstFailure === null ? [] : [`trial ${firstFailure} fails first`]),
    ],
    lines: [],
    ...(firstFailure !== null && { trial: firstFailure }),
  };
}

function rate(value: number | null): string {
  return value === null ? '–' : formatRate(value);
}

function usd(nanoUsd: string): number {
  return Number(nanoUsd) / 1e9;
}

function dollars(amount: number): string {
  return `$${Number(amount.toPrecision(4))}`;
}
