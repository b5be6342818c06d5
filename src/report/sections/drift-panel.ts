import type { DriftName, DriftReport } from '../../types/reports/drift.ts';
import { driftHeadline, driftOverall, driftRows, suiteRows } from '../words/drift-texts.ts';
import { plainText } from '../plain-text.ts';
import type { Names, Panel } from './panel.ts';
import type { Mark } from './section.ts';

const LONGEST_NOTE = 600;

const VERDICTS: Readonly<Record<DriftReport['verdict'], Mark>> = {
  pass: { sign: '✓', word: 'pass', name: 'no regression', role: 'good' },
  fail: { sign: '✗', word: 'FAIL', name: 'worse than the baseline', role: 'bad' },
  insufficient: { sign: '!', word: 'open', name: 'undecided', role: 'warn' },
};

/** How the run differs from its baseline: regressions first, with their first failing trials. Scenarios that did not change are counted. */
export function driftPanel(drift: DriftReport): Panel {
  return {
    title: 'Drift',
    isTitled: false,
    mark: VERDICTS[drift.verdict],
    headline: driftHeadline(drift),
    isTelling: true,
    isTrouble: drift.verdict === 'fail',
    blocks: [
      {
        type: 'listing',
        corner: 'scenario',
        headers: ['Change', 'From and to'],
        groups: [suiteRows(drift), ...driftRows(drift)],
      },
      ...names('new', drift.added),
      ...names('gone', drift.vanished),
      { type: 'notes', tone: 'warning', sentences: drift.notes.map((note) => plainText(note, LONGEST_NOTE)) },
      { type: 'notes', tone: 'aside', sentences: driftOverall(drift) },
    ],
  };
}

function names(word: string, list: readonly DriftName[]): readonly Names[] {
  if (list.length === 0) return [];
  return [{ type: 'names', mark: { sign: '·', word, name: word, role: 'dim' }, names: list.map(({ name }) => name) }];
}
