import type { SuiteReport } from '../../types/reports/report.ts';
import { judgementTexts } from '../words/judgement-texts.ts';
import type { GateText } from '../words/gate-texts.ts';
import { plainText } from '../plain-text.ts';
import { failsGate, type ReportedCase, type ReportedSuite } from './reported-case.ts';

/**
 * Cases about the run as a whole: gate expressions, the drift, and the gate itself where it did not pass although every
 * case passes. A file of passing tests would hide that.
 */
export function gateCases(report: SuiteReport, suites: readonly ReportedSuite[]): ReportedSuite {
  const judgements = judgementTexts(report).map(judgementCase);
  const cases = [...suites.flatMap((suite) => suite.cases), ...judgements];
  const isSilent = report.gate.verdict !== 'pass' && !cases.some(failsGate);
  return {
    kind: 'gate',
    name: 'gate',
    subject: '',
    headline: '',
    notes: [],
    properties: [],
    cases: isSilent ? [...judgements, silentCase(report)] : judgements,
  };
}

const OF_THE_RUN = {
  title: 'passk gate',
  counts: true,
  weight: 0,
  group: 'gate',
  place: null,
  problems: [],
  seconds: null,
  properties: [],
} as const;

function judgementCase({ text, word, reasons, tells }: GateText): ReportedCase {
  const sentences = [...reasons, tells].filter((line) => line !== '');
  const hasPassed = word === 'pass';
  const message = reasons.join(' ');
  return {
    ...OF_THE_RUN,
    name: text,
    fullName: `gate ${text}`,
    outcome: hasPassed ? 'passed' : 'failed',
    summary: text,
    message,
    details: hasPassed ? [] : sentences,
    remarks: hasPassed ? sentences : [],
    diagnostics: { message, ...(!hasPassed && { severity: 'fail' }), ...(tells !== '' && { tells }) },
  };
}

const LONGEST_REASON = 300;

function silentCase({ gate }: SuiteReport): ReportedCase {
  const verdict = gate.verdict === 'fail' ? 'The gate failed.' : 'The gate is undecided: not enough evidence.';
  const message = [verdict, ...gate.reasons.map((reason) => plainText(reason, LONGEST_REASON))].join(' ');
  return {
    ...OF_THE_RUN,
    name: 'gate',
    fullName: 'gate',
    outcome: 'failed',
    summary: '',
    message,
    details: [message],
    remarks: [],
    diagnostics: { message, severity: 'fail' },
  };
}
