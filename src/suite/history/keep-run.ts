import { Buffer } from 'node:buffer';
import { baselineText } from '../../baseline/baseline-text.ts';
import { PasskError } from '../../errors.ts';
import { fileProblem } from '../../values/file-problem.ts';
import { writeFileWhole } from '../../records/write-file-whole.ts';
import { displayName } from '../../source/source-file.ts';
import type { Baseline } from '../../types/baseline.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import type { FoldedRun } from '../fold/fold-results.ts';
import { isCutShort, saysNothing } from '../gate-run.ts';
import { makeHistoryRun } from './make-history-run.ts';
import type { History } from './open-history.ts';

export interface KeepRunInput {
  readonly report: SuiteReport;
  readonly cells: FoldedRun['cells'];
  readonly baseline: Baseline;
}

export interface KeepRunOptions {
  /** Where the baseline goes; null: nowhere. */
  readonly saveBaseline: string | null;
  /** Null: none is kept. */
  readonly history: History | null;
  readonly cwd: string;
}

/**
 * Keeps a run for later ones, as their baseline and in a history. A run that was cut short, or says nothing, is not kept:
 * resolves to a sentence that says so, or null.
 */
export async function keepRun(
  { report, cells, baseline }: KeepRunInput,
  { saveBaseline, history, cwd }: KeepRunOptions,
): Promise<string | null> {
  const places = [...(saveBaseline === null ? [] : ['baseline']), ...(history === null ? [] : ['history'])];
  const why = isCutShort(report, baseline)
    ? 'it ended before its last trial'
    : saysNothing(report, baseline)
      ? 'nothing of it can be compared'
      : null;
  if (why !== null) return places.length === 0 ? null : `The run is kept as no ${places.join(' and in no ')}: ${why}.`;
  if (saveBaseline !== null) await writeBaseline(baseline, saveBaseline, cwd);
  await history?.append(makeHistoryRun({ report, cells: cells.map((cell) => cell.report), baseline }));
  return null;
}

/** Writes a run as a baseline, whole or not at all. */
async function writeBaseline(baseline: Baseline, file: string, cwd: string): Promise<void> {
  try {
    await writeFileWhole(file, Buffer.from(baselineText(baseline)));
  } catch (cause) {
    throw new PasskError(
      'OUTPUT',
      `The baseline could not be written to ${displayName(file, cwd)}: ${fileProblem(cause)}.`,
      {
        hint: 'Run it again with another --save-baseline.',
        cause,
      },
    );
  }
}
