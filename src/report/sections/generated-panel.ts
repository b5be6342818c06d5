import { REJECTIONS, type GeneratedReport, type Rejection } from '../../types/generated/generated-set.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import type { FigureRow, Panel, PanelBlock } from './panel.ts';

/** Characters of a hash that tell two sets apart for a reader. */
const SHOWN_DIGITS = 12;
/** Disagreements that are told one by one. */
const MOST_TOLD = 10;

const WORDS: Readonly<Record<Rejection, string>> = {
  threw: 'threw or did not end',
  impure: 'differ the second time',
  invalid: 'invalid',
  null_passes: 'passed by doing nothing',
  echo_passes: 'passed by repeating',
  gold_fails: 'failed by their gold plan',
  double: 'doubles',
};

/** What generators made and what of it was thrown out, and the pairs that should have come out alike. */
export function generatedPanel(reports: readonly GeneratedReport[]): Panel {
  const warnings = reports.flatMap(warningsOf);
  const stands = reports.reduce((sum, one) => sum + one.stands, 0);
  const drawn = reports.reduce((sum, one) => sum + one.drawn, 0);
  const pairs = pairsOf(reports);
  return {
    title: 'Generated',
    isTitled: true,
    mark: null,
    headline: [
      plural(reports.length, 'set'),
      `${formatCount(stands)} of ${plural(drawn, 'generated scenario')} stand`,
      ...(pairs === 0 ? [] : [`${formatCount(pairs - disagreeing(reports))} of ${plural(pairs, 'pair')} agree`]),
    ],
    isTelling: true,
    isTrouble: warnings.length > 0,
    blocks: [
      {
        type: 'figures',
        corners: ['set', 'hash'],
        headers: ['asked', 'generated', 'thrown out', 'stand', 'pairs', 'disagree'],
        rows: reports.map(rowOf),
      },
      ...rejections(reports),
      ...(warnings.length === 0 ? [] : [{ type: 'notes', tone: 'warning', sentences: warnings } as const]),
    ],
  };
}

function rowOf(report: GeneratedReport): FigureRow {
  const { name, hash, seed, week, asked, drawn, rejected, stands } = report;
  const pairs = pairsOf([report]);
  const apart = disagreeing([report]);
  return {
    names: [name, hash.slice(0, SHOWN_DIGITS)],
    cells: [asked, drawn, rejected.length, stands, pairs, apart].map(formatCount),
    parts: [
      `${formatCount(stands)} of ${formatCount(asked)} wanted`,
      `${formatCount(drawn)} generated`,
      ...(rejected.length === 0 ? [] : [`${formatCount(rejected.length)} thrown out`]),
      ...(pairs === 0 ? [] : [`${formatCount(pairs - apart)} of ${plural(pairs, 'pair')} agree`]),
      `seed ${seed}${week === undefined ? '' : ` of ${week}`}`,
      `hash ${hash.slice(0, SHOWN_DIGITS)}`,
    ],
  };
}

/** How many were thrown out for each reason, set by set. */
function rejections(reports: readonly GeneratedReport[]): readonly PanelBlock[] {
  const sentences = reports.flatMap(({ name, rejected }) => {
    const counts = REJECTIONS.flatMap((reason) => {
      const count = rejected.filter((one) => one.reason === reason).length;
      return count === 0 ? [] : [`${formatCount(count)} ${WORDS[reason]}`];
    });
    return counts.length === 0 ? [] : [`Thrown out of ${name}: ${counts.join(', ')}.`];
  });
  return sentences.length === 0 ? [] : [{ type: 'notes', tone: 'plain', sentences }];
}

function warningsOf({ relations }: GeneratedReport): readonly string[] {
  return relations.flatMap(({ disagreements }) => {
    const sentences = disagreements.slice(0, MOST_TOLD).map(({ original, changed }) => {
      return `"${original.scenario}" passed ${original.passed} of ${plural(original.trials, 'trial')}, "${changed.scenario}" ${changed.passed} of ${changed.trials}: the same should have become of both.`;
    });
    const more = disagreements.length - sentences.length;
    return more > 0 ? [...sentences, `${plural(more, 'more pair')} disagree.`] : sentences;
  });
}

function pairsOf(reports: readonly GeneratedReport[]): number {
  return reports.flatMap((one) => one.relations).reduce((sum, { pairs }) => sum + pairs, 0);
}

function disagreeing(reports: readonly GeneratedReport[]): number {
  return reports.flatMap((one) => one.relations).reduce((sum, { disagreements }) => sum + disagreements.length, 0);
}
