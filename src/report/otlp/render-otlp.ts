import type { RenderOptions } from '../../types/render-options.ts';
import type { ReleaseAxis } from '../../types/release/release-report.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { failuresOf, isSampled, type ScenarioReport } from '../../types/reports/scenario-report.ts';
import {
  PASSK_ADVISORY,
  PASSK_CASE_ID,
  PASSK_RUN_ID,
  TRIAL_OUTCOMES,
  trialCountKey,
} from '../../values/passk-attributes.ts';
import type { ReportedCase } from '../cases/reported-case.ts';
import {
  type Attributes,
  idOf,
  type RecordToWrite,
  recordJson,
  recordsRequest,
  type SpanToWrite,
  spanJson,
  spansRequest,
} from './otlp-json.ts';
import { trialTrace } from './trial-spans.ts';
import { reportedSuites } from '../result-kinds.ts';

/**
 * OTLP/JSON as a collector's file exporter writes it: a line with the spans, and a line with the log records where there are
 * any. One trace has a span for the run and one for each test case; each trial that the report shows in full is a trace.
 */
export function renderOtlp(report: SuiteReport, options: RenderOptions): string {
  const { spans, records } = otlpOf(report, options);
  const lines = [
    spansRequest(spans.map(spanJson), report.passk),
    ...(records.length > 0 ? [recordsRequest(records.map(recordJson), report.passk)] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

export interface Otlp {
  readonly spans: readonly SpanToWrite[];
  readonly records: readonly RecordToWrite[];
}

/** The spans and log records of a report, each span before its parts. */
export function otlpOf(report: SuiteReport, options: RenderOptions): Otlp {
  const { timing, seed, gate, partial } = report;
  // Without clocks times count from 1970.
  const start = options.timing ? BigInt(Date.parse(timing.startedAt)) * 1_000_000n : 0n;
  const end = start + (options.timing ? nanoseconds(timing.durationMs / 1000) : 0n);
  const suites = reportedSuites({ report, options });
  const trace = idOf(32, 'run', seed, ...report.scenarios.map(({ file, name }) => `${file} ${name}`));
  const run: SpanToWrite = {
    trace,
    id: idOf(16, trace, 'run'),
    name: 'passk',
    kind: 1,
    start,
    end,
    attributes: {
      [PASSK_RUN_ID]: trace,
      'test.suite.name': 'passk',
      'test.suite.run.status': partial ? 'aborted' : gate.verdict === 'pass' ? 'success' : 'failure',
      'passk.seed': seed,
      'passk.gate': gate.verdict,
      'passk.gate.reasons': gate.reasons.length === 0 ? null : gate.reasons,
      ...(report.release !== undefined && {
        'passk.release.candidate': report.release.candidate,
        'passk.release.tier': report.release.tier,
        'passk.release.id': report.release.release,
      }),
    },
  };
  const spans: SpanToWrite[] = [run];
  const records: RecordToWrite[] = (report.release?.axes ?? []).map((axis) => axisRecord(axis, run));
  const scenarios = [...report.scenarios];
  // Cases may share a name.
  const occurrences = new Map<string, number>();
  for (const suite of suites) {
    for (const one of suite.cases) {
      // Each scenario is a suite of one case, in the order of the report, before all other kinds.
      const scenario = suite.kind === 'scenario' ? scenarios.shift() : undefined;
      const key = JSON.stringify([suite.kind, suite.name, scenario?.file ?? '', scenario?.name ?? one.name]);
      const number = occurrences.get(key) ?? 0;
      occurrences.set(key, number + 1);
      const caseId = idOf(16, 'case', seed, key, number);
      const span: SpanToWrite = {
        trace,
        id: caseId,
        parent: run.id,
        name: one.fullName,
        kind: 1,
        start,
        end: start + nanoseconds(one.seconds ?? 0),
        attributes: { [PASSK_CASE_ID]: caseId, ...caseAttributes(one, suite.name), ...countsOf(scenario) },
        ...(one.outcome === 'error' && { error: one.message === '' ? 'It is broken.' : one.message }),
      };
      spans.push(span);
      if (scenario === undefined) continue;
      const testCase = { id: caseId, seed: scenario.seed, name: one.name, suite: suite.name, span, start };
      for (const failure of failuresOf(scenario)) {
        const trial = trialTrace(failure, testCase);
        spans.push(...trial.spans);
        records.push(...trial.records);
      }
    }
  }
  return { spans, records };
}

/** An axis of a release, as an evaluation of the run. */
function axisRecord({ axis, verdict, isAdvisory, figure, reasons }: ReleaseAxis, run: SpanToWrite): RecordToWrite {
  return {
    trace: run.trace,
    span: run.id,
    event: 'gen_ai.evaluation.result',
    time: run.end,
    attributes: {
      'gen_ai.evaluation.name': `release.${axis}`,
      'gen_ai.evaluation.score.label': verdict,
      'gen_ai.evaluation.score.value': figure?.value,
      'gen_ai.evaluation.explanation': reasons.map(({ message }) => message).join(' ') || null,
      [PASSK_ADVISORY]: isAdvisory,
    },
  };
}

const STATUSES: Readonly<Record<ReportedCase['outcome'], string | null>> = {
  passed: 'pass',
  failed: 'fail',
  // The conventions have no word for these.
  error: null,
  undecided: null,
  skipped: null,
};

function caseAttributes({ name, outcome, message, place }: ReportedCase, suite: string): Attributes {
  return {
    'test.suite.name': suite,
    'test.case.name': name,
    'test.case.result.status': STATUSES[outcome],
    'passk.case.outcome': outcome,
    'passk.case.message': message === '' ? null : message,
    'code.file.path': place?.file,
  };
}

function countsOf(scenario: ScenarioReport | undefined): Attributes {
  if (scenario === undefined) return {};
  const counts = Object.fromEntries(
    TRIAL_OUTCOMES.map((outcome) => [trialCountKey(outcome), scenario.trials[outcome]]),
  );
  return {
    'passk.scenario.seed': scenario.seed,
    'passk.trials.requested': scenario.trials.requested,
    ...counts,
    ...(isSampled(scenario) && {
      'passk.pass_rate': scenario.passRate,
      'passk.pass_hat_k': scenario.passHatK.map(({ k, value }) => `${k}: ${value}`),
      'passk.tokens': scenario.cost.total.llmTokens,
    }),
  };
}

function nanoseconds(seconds: number): bigint {
  return BigInt(Math.round(seconds * 1e9));
}
