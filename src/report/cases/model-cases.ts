import type { ModelCell, ModelCellState, ModelReport } from '../../types/model-suite.ts';
import { VERDICT_MARKS } from '../words/contract-marks.ts';
import { judgedText, MODEL_MARKS, modelFacts, modelHeadline, modelName, modelSentence } from '../words/model-texts.ts';
import { factLines } from '../sections/text-sections.ts';
import { fileStyle } from '../text/text-style.ts';
import type { CaseContext, ReportedCase, ReportedSuite } from './reported-case.ts';

const OUTCOMES = {
  passed: 'passed',
  flaky: 'passed',
  failed: 'failed',
  timed_out: 'failed',
  error: 'error',
  skipped: 'skipped',
} as const satisfies Readonly<Record<ModelCellState, ReportedCase['outcome']>>;

/** The models of a spec file are a suite, each test of each model a case. */
export function modelCases(result: ModelReport, { options }: CaseContext): ReportedSuite {
  const { name, verdict, reasons, file, cells, plugin, runtime, runner } = result;
  const subject = modelName(name);
  return {
    kind: 'model',
    name: `model ${subject}`,
    subject,
    headline: [VERDICT_MARKS[verdict].name, ...modelHeadline(result)].join(', '),
    notes: reasons.map(modelSentence),
    properties: [
      ['file', modelName(file)],
      ['plugin', modelName(plugin)],
      ['runtime', modelName(runtime)],
      ['runner', modelName(runner)],
      ['verdict', verdict],
    ],
    cases: cells.map((cell) => reportedCase(result, cell, options)),
  };
}

function reportedCase(result: ModelReport, cell: ModelCell, options: CaseContext['options']): ReportedCase {
  const { file, verdict, reasons } = result;
  const name = `${modelName(cell.model)}: ${modelName(cell.test)}`;
  const fullName = `${modelName(result.name)}: ${name}`;
  const mark = MODEL_MARKS[cell.state];
  // With --fail-on-flaky, a flaky test fails.
  const isFlakyFailure = cell.state === 'flaky' && verdict === 'failed' && reasons.some((one) => one.includes('retry'));
  const isMended = cell.expectedToFail === true && OUTCOMES[cell.state] === 'passed';
  const outcome = isFlakyFailure || isMended ? 'failed' : OUTCOMES[cell.state];
  const hasPassed = outcome === 'passed';
  const why = isMended
    ? 'It passed though it is expected to fail.'
    : cell.state === 'skipped'
      ? (reasons[0] ?? 'It was not run.')
      : judgedText(cell);
  const message = why === null ? mark.name : modelSentence(why);
  return {
    name,
    fullName,
    title: fullName,
    outcome,
    counts: cell.state !== 'skipped' && (cell.expectedToFail !== true || isMended),
    weight: 0,
    group: 'model',
    summary: `test ${mark.name}`,
    message,
    details: hasPassed ? [] : factLines(modelFacts(cell), fileStyle(options)),
    remarks: cell.state === 'flaky' && hasPassed ? [mark.name] : [],
    place: { file, ...(cell.at ?? { line: 1, column: 1 }) },
    problems: [],
    seconds: null,
    properties: [
      ['state', cell.state],
      ['retries', String(cell.retries)],
      ['tokens', cell.untold === true ? null : cell.tokens],
    ],
    diagnostics: hasPassed ? {} : { message, severity: outcome === 'failed' ? 'fail' : 'error', file: modelName(file) },
  };
}
