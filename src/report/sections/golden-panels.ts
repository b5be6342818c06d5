import type { TrialRecord } from '../../types/record.ts';
import type { GoldenChange, GoldenRegression, GoldenReport } from '../../types/golden/golden-report.ts';
import type { ComparedMean } from '../../types/reports/comparison.ts';
import { formatCount, formatShort, plural } from '../../text/format-number.ts';
import { formatRate } from '../../text/format-rate.ts';
import { GATE_MARKS } from '../words/gate-texts.ts';
import { plainText } from '../plain-text.ts';
import { recordRows } from '../record-rows.ts';
import { signed } from '../signed.ts';
import { noiseText, preferenceTexts, unshownText } from './golden-texts.ts';
import type { Beside, BesideRow, FigureRow, Figures, ListingRow, Panel } from './panel.ts';
import type { Mark } from './section.ts';

const LONGEST = 600;
/** Characters of a row of a trial, rows of each trial, and of them those before the first difference. */
const LONGEST_ROW = 300;
const MOST_ROWS = 40;
const MOST_BEFORE = 6;
/** Regressions whose trials are shown. */
const MOST_BESIDE = 20;

const VERDICTS = { pass: 'no worse', fail: 'worse', insufficient: 'not enough evidence' } as const;
const CHANGES: Readonly<Record<GoldenChange['became'], Mark>> = {
  regressed: { sign: '✗', word: 'worse', name: 'regressed', role: 'bad' },
  worse: { sign: '!', word: 'lower', name: 'worse, perhaps by chance', role: 'warn' },
  flaky: { sign: '!', word: 'flaky', name: 'worse, as the baseline is now and then', role: 'warn' },
  better: { sign: '✓', word: 'better', name: 'better', role: 'good' },
};

/** A golden set before and after: what was compared, which tasks changed, and each regression side by side. */
export function goldenPanels(golden: GoldenReport): readonly Panel[] {
  return [setPanel(golden), ...changesPanel(golden), ...regressionsPanel(golden)];
}

function setPanel(golden: GoldenReport): Panel {
  const { verdict, set, paired, preference, noise, agents, issues, sink } = golden;
  const { sign, word, role } = GATE_MARKS[verdict];
  const unshown = unshownText(golden);
  const filed = sink === null ? 'nothing was filed' : `${sink.filed} filed now`;
  return {
    title: 'Golden set',
    isTitled: true,
    mark: { sign, word, name: VERDICTS[verdict], role },
    headline: [VERDICTS[verdict], `${formatCount(paired)} of ${plural(set.tasks, 'task')} compared`],
    isTelling: true,
    isTrouble: verdict !== 'pass',
    blocks: [
      comparedFigures(golden),
      {
        type: 'notes',
        tone: 'plain',
        sentences: [
          ...(preference === undefined ? [] : preferenceTexts(preference)),
          ...(unshown === null ? [] : [`Not shown: ${unshown}`]),
          `Noise floor ${noiseText(noise)}`,
          ...(issues.length === 0 ? [] : [`${plural(issues.length, 'issue')}, ${filed}`]),
          plainText(`${set.file}, ${set.hash.slice(0, 16)}${agents === null ? '' : `; candidate: ${agents}`}`, LONGEST),
        ],
      },
    ],
  };
}

/** What was measured of both; what cannot be is left out. */
function comparedFigures({ tasks, passHatK, cost, trajectory, preference, paired }: GoldenReport): Figures {
  const over = plural(paired, 'task');
  const perSuccess = cost.perSuccess;
  return {
    type: 'figures',
    corners: ['compared', 'over'],
    headers: ['before', 'now', 'difference', 'interval', 'p'],
    rows: [
      ...(tasks === null
        ? []
        : [
            figureRow(['tasks', over], {
              sides: [`${formatCount(tasks.lost)} lost`, `${formatCount(tasks.gained)} gained`],
              difference: tasks.difference,
              interval: tasks.interval,
              p: tasks.exact,
            }),
          ]),
      ...passHatK.map(({ k, ...mean }) => meanRow([`pass^${k}`, over], mean, formatRate)),
      ...(cost.usd === null ? [] : [meanRow(['dollars a trial', over], cost.usd, formatShort)]),
      ...(cost.tokens === null ? [] : [meanRow(['tokens a trial', over], cost.tokens, formatShort)]),
      ...(perSuccess === null
        ? []
        : [
            figureRow(['cost per success', over], {
              sides: ['1.00', formatRate(1 + perSuccess)],
              difference: perSuccess,
            }),
          ]),
      ...(trajectory === null
        ? []
        : [
            figureRow(['trials with other calls', over], {
              sides: [trajectory.floor === null ? '–' : formatRate(trajectory.floor), formatRate(trajectory.diverged)],
              difference: trajectory.floor === null ? null : trajectory.diverged - trajectory.floor,
              interval: trajectory.beyondFloor,
            }),
          ]),
      ...(preference === undefined
        ? []
        : [
            figureRow([`judge ${preference.judge.judge}`, plural(preference.pairs, 'pair')], {
              sides: [`${formatCount(preference.worse)} better`, `${formatCount(preference.better)} better`],
              ...(preference.corrected ?? { difference: preference.difference, interval: preference.interval }),
              p: preference.p,
            }),
          ]),
    ],
  };
}

interface Compared {
  readonly sides: readonly [before: string, now: string];
  readonly difference: number | null;
  readonly interval?: readonly [number, number] | null;
  readonly p?: number | null;
}

function meanRow(names: FigureRow['names'], mean: ComparedMean, format: (value: number) => string): FigureRow {
  const { baseline, candidate, ...others } = mean;
  return figureRow(names, { ...others, sides: [format(baseline), format(candidate)] }, format);
}

function figureRow(
  names: FigureRow['names'],
  { sides: [before, now], difference, interval = null, p = null }: Compared,
  format: (value: number) => string = formatRate,
): FigureRow {
  const change = difference === null ? '–' : signed(difference, format);
  const range = interval === null ? '–' : `${signed(interval[0], format)} to ${signed(interval[1], format)}`;
  const chance = p === null ? '–' : p.toPrecision(2);
  return {
    names,
    cells: [before, now, change, range, chance],
    parts: [`${before} → ${now}`, ...(change === '–' ? [] : [change]), ...(range === '–' ? [] : [range])],
  };
}

function changesPanel({ changes, worse: lower, flaky }: GoldenReport): readonly Panel[] {
  if (changes.length === 0) return [];
  const worse = changes.filter(({ became }) => became === 'regressed');
  return [
    {
      title: 'Tasks that changed',
      isTitled: true,
      mark: null,
      headline: [
        plural(changes.length, 'task'),
        `${formatCount(worse.length)} regressed`,
        `${formatCount(lower.length)} worse, perhaps by chance`,
        `${formatCount(flaky.length)} flaky`,
      ],
      isTelling: true,
      isTrouble: worse.length > 0,
      blocks: [
        {
          type: 'listing',
          corner: 'task',
          headers: ['Became', 'Trials that pass, before and now'],
          groups: [changes.map(changeRow)],
        },
      ],
    },
  ];
}

function changeRow({ task, baseline, candidate, became }: GoldenChange): ListingRow {
  return { mark: CHANGES[became], name: task, parts: [`${share(baseline)} → ${share(candidate)}`], lines: [] };
}

function share({ passed, trials }: GoldenChange['baseline']): string {
  return `${formatCount(passed)} of ${formatCount(trials)}`;
}

function regressionsPanel({ regressions }: GoldenReport): readonly Panel[] {
  if (regressions.length === 0) return [];
  const shown = regressions
    .flatMap((one) => (one.trialsBeside === undefined ? [] : [{ one, trials: one.trialsBeside }]))
    .slice(0, MOST_BESIDE);
  const others = regressions.filter((regression) => !shown.some(({ one }) => one === regression));
  return [
    {
      title: 'Regressions',
      isTitled: true,
      mark: CHANGES.regressed,
      headline: [plural(regressions.length, 'task'), 'each beside a trial of the baseline'],
      isTelling: true,
      isTrouble: true,
      blocks: [
        ...shown.map(({ one, trials }) => besideBlock(regressionRow(one), trials)),
        { type: 'listing', corner: 'task', headers: ['Became', 'Trials'], groups: [others.map(regressionRow)] },
      ],
    },
  ];
}

function regressionRow(regression: GoldenRegression): ListingRow {
  const { task, baseline, candidate, check, divergence, trials, traceIds, replay } = regression;
  const [first] = trials;
  return {
    mark: CHANGES.regressed,
    name: task,
    parts: [
      `${share(baseline)} → ${formatCount(candidate.passed)} of ${plural(candidate.trials, 'trial')}`,
      ...(check === null ? [] : [`failed: ${plainText(check)}`]),
      ...(first === undefined ? [] : [`trial ${first} fails first`]),
    ],
    lines: [
      ...(divergence === null ? [] : [plainText(divergence, LONGEST)]),
      ...(traceIds.length === 0 ? [] : [`recorded in ${traceIds.map((id) => plainText(id)).join(', ')}`]),
      ...(replay === null ? [] : [plainText(replay, LONGEST)]),
    ],
    ...(first !== undefined && { trial: first }),
  };
}

/** Two trials row by row. What they cost and took, and what either thought, is no part of what they did. */
function besideBlock(about: ListingRow, { baseline, candidate }: TrialsBeside): Beside {
  const [before, now] = [rowsOf(baseline), rowsOf(candidate)];
  let same = 0;
  while (same < before.length && same < now.length && isSame(before[same], now[same])) same++;
  const from = Math.max(0, same - MOST_BEFORE);
  const rows = Math.max(before.length, now.length);
  const to = Math.min(rows, from + MOST_ROWS);
  return {
    type: 'beside',
    about,
    titles: [`before, trial ${baseline.trial}`, `now, trial ${candidate.trial}`],
    rows: Array.from({ length: to - from }, (_, at): BesideRow => {
      const place = from + at;
      return {
        before: before[place] ?? null,
        now: now[place] ?? null,
        isFirst: place === same,
        differs: place >= same,
      };
    }),
    earlier: from,
    later: rows - to,
  };
}

type TrialsBeside = NonNullable<GoldenRegression['trialsBeside']>;
type Row = readonly [label: string, text: string];

function rowsOf(record: TrialRecord): readonly Row[] {
  return recordRows(record)
    .filter(({ label }) => label !== 'took' && label !== 'thinks')
    .map(({ label, text }) => [label, plainText(text, LONGEST_ROW)] as const);
}

function isSame(one: Row | undefined, other: Row | undefined): boolean {
  return one?.[0] === other?.[0] && one?.[1] === other?.[1];
}
