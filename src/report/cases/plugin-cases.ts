import type { PluginCase, PluginReport } from '../../types/reports/report.ts';
import { VERDICT_MARKS } from '../words/contract-marks.ts';
import {
  caseFacts,
  caseMark,
  caseShare,
  caseState,
  pluginHeadline,
  pluginName,
  pluginSentence,
} from '../words/plugin-texts.ts';
import { factLines } from '../sections/text-sections.ts';
import { fileStyle } from '../text/text-style.ts';
import type { CaseContext, ReportedCase, ReportedSuite } from './reported-case.ts';

const OUTCOMES = { passed: 'passed', failed: 'failed', broken: 'error', inconclusive: 'undecided' } as const;

/** A plug-in's result for a file is a suite, each of its cases a case. */
export function pluginCases(result: PluginReport, { options }: CaseContext): ReportedSuite {
  const { type, name, verdict, reasons, file, cases } = result;
  const subject = pluginName(name);
  return {
    kind: type,
    name: `${type} ${subject}`,
    subject,
    headline: [VERDICT_MARKS[verdict].name, ...pluginHeadline(result)].join(', '),
    notes: reasons.map(pluginSentence),
    properties: [
      ['file', pluginSentence(file)],
      ['verdict', verdict],
    ],
    cases: cases.map((one) => reportedCase(result, one, options)),
  };
}

function reportedCase(result: PluginReport, one: PluginCase, options: CaseContext['options']): ReportedCase {
  const { file, verdict, type } = result;
  const name = pluginName(one.name);
  const fullName = `${pluginName(result.name)}: ${name}`;
  const outcome = OUTCOMES[caseState(one)];
  const hasPassed = outcome === 'passed';
  const message = one.message === null ? caseShare(one) : pluginSentence(one.message);
  return {
    name,
    fullName,
    title: fullName,
    outcome,
    // The plug-in gives the verdict on its cases.
    counts: verdict !== 'passed',
    weight: 0,
    group: type,
    summary: `case ${caseMark(one).name}`,
    message,
    details: hasPassed ? [] : factLines(caseFacts(one), fileStyle(options)),
    remarks: [],
    place: { file, line: 1, column: 1 },
    problems: [],
    seconds: null,
    properties: [['trials', caseShare(one)]],
    diagnostics: hasPassed
      ? {}
      : { message, severity: outcome === 'failed' ? 'fail' : 'error', file: pluginSentence(file) },
  };
}
