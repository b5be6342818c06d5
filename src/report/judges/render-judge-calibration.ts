import type { JudgeAsking, JudgeCalibration, MeasuredShare } from '../../types/judges/judge-calibration.ts';
import type { RenderOptions } from '../../types/render-options.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import { reliabilityLines } from './reliability-lines.ts';
import { labelRow, textPage } from '../text-page.ts';
import type { Role } from '../text/text-style.ts';
import { hangText } from '../text/wrap-text.ts';

const ROLES: Readonly<Record<JudgeCalibration['verdict'], Role>> = {
  calibrated: 'good',
  advisory: 'bad',
  insufficient: 'warn',
};

const FACT = { indent: '  ', label: 13 };

/** What a judge gets right, for people. */
export function renderJudgeCalibration(calibration: JudgeCalibration, options: Partial<RenderOptions> = {}): string {
  const { verdict, reasons, pins, labels, sensitivity, specificity, kappa, sample, probes, asked, unlabelled } =
    calibration;
  return textPage(options, (style) => {
    const fact = (name: string, text: string): readonly string[] =>
      labelRow(name, text, style, { ...FACT, label: Math.max(FACT.label, name.length + 1) });
    return [
      ...hangText('', `${verdict}  ${plainText(pins.judge.name, 200)}`, style.columns).map((line, at) =>
        at === 0 ? `${style.paint(ROLES[verdict], verdict)}${line.slice(verdict.length)}` : line,
      ),
      ...reasons.flatMap(({ code, message }) => (code === 'BIASED' ? [] : fact(code, message))),
      ...fact('sensitivity', shareText(sensitivity, 'passed')),
      ...fact('specificity', shareText(specificity, 'failed')),
      ...fact('kappa', kappa === null ? 'unknown' : `${kappa.value.toFixed(2)} ${boundsText(kappa.interval)}`),
      ...reliabilityLines({ sensitivity, specificity }).flatMap((line) => fact('reliability', line)),
      ...(sample === null
        ? []
        : fact('sample of', `the trials of ${plainText(sample.scenario, 200)}, by which its rates are corrected`)),
      ...probes.flatMap(({ probe, verdict: reached, message }) => fact(probe, `${reached}: ${message}`)),
      ...(asked === undefined ? [] : fact('asked', askedText(asked))),
      ...(unlabelled === null ? [] : fact('unlabelled', unlabelledText(unlabelled))),
      ...fact('pinned to', pinsText(pins)),
      ...(labels.errors > 0
        ? fact('errors', `${plural(labels.errors, 'labelled item')} without a verdict that can be read`)
        : []),
      ...(labels.hasIds ? [] : fact('note', 'Rows have no id: nobody can tell which stand twice.')),
    ];
  });
}

function shareText({ items, agreed, share, interval }: MeasuredShare, word: string): string {
  if (share === null || interval === null) return `unknown: people ${word} nothing that has a verdict`;
  const counts = `${formatCount(agreed)} of ${plural(items, 'item')} that people ${word}`;
  return `${formatRate(share)} ${formatInterval(interval)}, ${counts}`;
}

/** Kappa may be below 0. */
function boundsText([low, high]: readonly [number, number]): string {
  return `[${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

function unlabelledText({ items, passed, errors, corrected }: NonNullable<JudgeCalibration['unlabelled']>): string {
  const found = `the judge passed ${formatCount(passed)} of ${plural(items, 'item')}`;
  const lost = errors === 0 ? '' : `, and ${formatCount(errors)} have no verdict`;
  if (corrected === null) return `${found}${lost}; nobody can tell what people would find`;
  return `${found}${lost}; people would pass ${formatRate(corrected.rate)} ${formatInterval(corrected.interval)}`;
}

/** What asking took, in words. */
export function askedText(asked: JudgeAsking): string {
  const { items, unread, problem, isPartial, promptTokens, completionTokens, nanoUsd } = asked;
  const why = problem === undefined ? '' : ` (${plainText(problem, 300)})`;
  const lost = unread === 0 ? '' : `, ${formatCount(unread)} of them without a verdict${why}`;
  const tokens =
    promptTokens === null || completionTokens === null
      ? 'tokens unknown'
      : `${formatCount(promptTokens)} + ${formatCount(completionTokens)} tokens`;
  const price = nanoUsd === null ? 'no price known' : `$${(nanoUsd / 1e9).toFixed(4)}`;
  const end = isPartial === true ? '; it was ended early, as its budget was spent or somebody stopped it' : '';
  return `about ${plural(items, 'answer')}${lost}; ${tokens}, ${price}${end}`;
}

function pinsText({ prompt, rubric }: JudgeCalibration['pins']): string {
  const parts = Object.entries({ prompt, rubric }).map(([part, pin]) =>
    pin === null ? `no ${part}` : `${part} ${plainText(pin.name, 80)} (${pin.sha256.slice(0, 12)})`,
  );
  return ['the name of the judge', ...parts].join(', ');
}
