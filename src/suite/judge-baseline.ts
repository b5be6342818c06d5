import { Buffer } from 'node:buffer';
import { baselineText } from '../baseline/baseline-text.ts';
import type { ComparedRun } from '../baseline/compared-run.ts';
import { forecast } from '../baseline/forecast.ts';
import { runOfBaseline } from '../baseline/read-baseline.ts';
import { PasskError } from '../errors.ts';
import { worstVerdict } from '../gate/worst-verdict.ts';
import { fileProblem } from '../records/file-layer.ts';
import { writeFileWhole } from '../records/write-file-whole.ts';
import { displayName } from '../source/source-file.ts';
import type { Baseline } from '../types/baseline.ts';
import type { SuiteReport } from '../types/report.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';

export interface JudgeBaselineInput {
  /** What to compare with; null: nothing. */
  readonly before: ComparedRun | null;
  /** This run; null: neither compared nor saved. */
  readonly after: Baseline | null;
  readonly options: Pick<
    ResolvedRunOptions,
    'drift' | 'tokenTolerance' | 'driftMargin' | 'driftComparisons' | 'forecast'
  >;
}

/** The report with what its baseline and the forecast say; drift joins the verdict. */
export async function judgeBaseline(
  report: SuiteReport,
  { before, after, options }: JudgeBaselineInput,
): Promise<SuiteReport> {
  const { timing, ...lasting } = report;
  const forecastPart = options.forecast === null ? {} : { forecast: forecast(report.scenarios, options.forecast) };
  if (before === null || after === null || hasNoScenario(report, after)) return { ...lasting, ...forecastPart, timing };
  const { drift: rule, tokenTolerance, driftMargin: margin, driftComparisons: comparisons } = options;
  const settings = { rule, tokenTolerance, margin, comparisons };
  const { compareRuns } = await import('../baseline/compare-runs.ts');
  const drift = compareRuns(before, runOfBaseline(after, 'of this run'), settings);
  const gate = {
    ...report.gate,
    verdict: worstVerdict([report.gate.verdict, drift.verdict]),
    reasons: [...report.gate.reasons, ...drift.reasons],
  };
  return { ...lasting, gate, drift, ...forecastPart, timing };
}

/** True: the run says nothing of any scenario or cell, so there is nothing to compare, and nothing to keep for later runs. */
export function hasNoScenario(
  { scenarios, results }: Pick<SuiteReport, 'scenarios' | 'results'>,
  after: Baseline,
): boolean {
  return scenarios.length === 0 && after.scenarios.length === 0 && results.length > 0;
}

/** Writes a run as a baseline, whole or not at all; a run that was stopped early is none. */
export async function saveBaseline(baseline: Baseline, file: string, cwd: string): Promise<void> {
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
