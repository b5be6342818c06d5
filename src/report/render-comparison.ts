import type { ComparedMean, ComparedSet, ComparisonReport, TaskDifference } from '../types/reports/comparison.ts';
import type { RenderOptions } from '../types/render-options.ts';
import { formatCount, formatMean, plural } from '../text/format-number.ts';
import { formatBar, formatRate } from '../text/format-rate.ts';
import { formatCost } from './words/live-texts.ts';
import { plainText } from './plain-text.ts';
import { meanText } from './mean-text.ts';
import { labelRow, textPage } from './text-page.ts';
import type { TextStyle } from './text/text-style.ts';
import { hangText, wrapText } from './text/wrap-text.ts';

const ROW = { label: 12, role: 'dim' } as const;
const MOST_TASKS = 12;
const LONGEST_NAME = 120;

const VERDICTS = {
  better: { sign: '✓', role: 'good', text: 'The candidate is better' },
  no_worse: { sign: '✓', role: 'good', text: 'The candidate is no worse than the margin allows' },
  worse: { sign: '✗', role: 'bad', text: 'The candidate is worse' },
  undecided: { sign: '!', role: 'warn', text: 'Undecided' },
} as const;

/** Two sets of recorded runs side by side, for people: the verdict last. */
export function renderComparison(report: ComparisonReport, options: Partial<RenderOptions> = {}): string {
  const { sign, role, text } = VERDICTS[report.verdict];
  return textPage(options, (style) => {
    const blocks = [
      [...setLines('baseline', report.baseline, style), ...setLines('candidate', report.candidate, style)],
      [...taskLines(report, style), ...measureLines(report, style)],
      listLines(report, style),
      [
        style.paint(role, `${sign} ${text}`),
        ...report.reasons.flatMap((reason) =>
          wrapText(plainText(reason, 600), style.columns - 2).map((line) => `  ${line}`),
        ),
        ...needLines(report, style),
      ],
    ];
    return blocks.filter((lines) => lines.length > 0).flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
  });
}

function row(label: string, text: string, style: TextStyle): readonly string[] {
  return labelRow(label, text, style, ROW);
}

function setLines(label: string, { name, format, tasks, trials, passed, errors }: ComparedSet, style: TextStyle) {
  const errorText = errors === 0 ? '' : ` · ${plural(errors, 'error')}`;
  const counts = `${format} · ${plural(trials, 'run')} of ${plural(tasks, 'task')} · ${formatCount(passed)} passed${errorText}`;
  return row(label, `${plainText(name, LONGEST_NAME)} · ${counts}`, style);
}

function taskLines({ tasks, protocol, margin, alpha }: ComparisonReport, style: TextStyle): readonly string[] {
  const { both, onlyBaseline, onlyCandidate } = tasks;
  const alone = [
    ...(onlyBaseline.count === 0 ? [] : [`${formatCount(onlyBaseline.count)} only in the baseline`]),
    ...(onlyCandidate.count === 0 ? [] : [`${formatCount(onlyCandidate.count)} only in the candidate`]),
  ];
  const protocolParts =
    protocol === null
      ? margin === null
        ? []
        : [`margin ${formatBar(margin)}, stated with the command`]
      : [
          `${margin === null ? 'no margin' : `margin ${formatBar(margin)}`}, level ${alpha}, stated in ${plainText(protocol.file, LONGEST_NAME)} (SHA-256 ${protocol.sha256.slice(0, 16)}…)`,
        ];
  return [
    ...row('tasks', [`${formatCount(both)} in both`, ...alone].join(' · '), style),
    ...(protocolParts.length === 0 ? [] : row('stated', protocolParts.join(''), style)),
  ];
}

function measureLines({ passRate, passHatK, mcNemar, cost, variance }: ComparisonReport, style: TextStyle) {
  const pairs =
    mcNemar === null
      ? []
      : row(
          'pairs',
          `${formatCount(mcNemar.lost)} lost, ${formatCount(mcNemar.gained)} gained of ${formatCount(mcNemar.pairs)}; McNemar p = ${mcNemar.exact.toPrecision(3)} (mid-p ${mcNemar.midP.toPrecision(3)})`,
          style,
        );
  const [perTrial, { baseline, candidate }] = [cost.perTrial, cost.perSuccess];
  return [
    ...(passRate === null ? [] : row('pass rate', testedText(passRate, formatRate), style)),
    ...passHatK.filter(({ k }) => k > 1).flatMap((one) => row(`pass^${one.k}`, testedText(one, formatRate), style)),
    ...pairs,
    ...(perTrial === null ? [] : row('cost', `${testedText(perTrial, formatCost)} for each run`, style)),
    ...(baseline === null || candidate === null
      ? []
      : row('', `${formatCost(baseline)} → ${formatCost(candidate)} for each success`, style)),
    ...(variance?.luckShare == null
      ? []
      : row('luck', `explains ${Math.round(100 * variance.luckShare)} % of how tasks differ`, style)),
  ];
}

/** A mean with the name of its test. */
function testedText(mean: ComparedMean, format: (value: number) => string): string {
  const text = meanText(mean, format);
  return mean.p === null ? text : `${text} (${TESTS[mean.test ?? 'paired_t']})`;
}

const TESTS = {
  mcnemar: 'McNemar',
  sign_flip: 'sign flip',
  paired_t: 'paired t',
  two_way_t: 't by rows and columns',
} as const;

function listLines({ perTask, alpha }: ComparisonReport, style: TextStyle): readonly string[] {
  if (perTask.length === 0) return [];
  const significant = perTask.filter(({ q }) => q < alpha).length;
  const head =
    significant === 0
      ? 'No task differs by more than chance; most apart:'
      : `${plural(significant, 'task')} by more than chance:`;
  const shown = perTask.slice(0, Math.max(significant, Math.min(5, perTask.length))).slice(0, MOST_TASKS);
  return [
    ...wrapText(head, style.columns).map((line) => style.paint('dim', line)),
    ...shown.flatMap((one) => taskLine(one, style)),
  ];
}

function taskLine({ task, baseline, candidate, q }: TaskDifference, style: TextStyle): readonly string[] {
  const counts = `${share(baseline)} → ${share(candidate)}`;
  return hangText('  ', `${plainText(task, LONGEST_NAME)}  ${counts}  q = ${q.toPrecision(2)}`, style.columns);
}

function share({ passed, trials }: { readonly passed: number; readonly trials: number }): string {
  return `${formatCount(passed)}/${formatCount(trials)}`;
}

function needLines({ needs, margin }: ComparisonReport, style: TextStyle): readonly string[] {
  if (needs === null) return [];
  const what = margin === null ? `a difference of ${formatRate(needs.difference)}` : 'whether the margin holds';
  const ways = [
    ...(needs.trialsPerTask === null ? [] : [`${formatMean(needs.trialsPerTask)} runs of each of these tasks`]),
    ...(needs.tasks === null ? [] : [`${plural(needs.tasks, 'task')} like these`]),
  ];
  if (ways.length === 0) return [];
  const text = `${ways.join(', or ')} would tell ${what} with a chance of 80 %.`;
  return wrapText(text, style.columns - 2).map((line) => `  ${line}`);
}
