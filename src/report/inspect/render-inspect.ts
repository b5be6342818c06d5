import type { JsonObject } from '../../types/json.ts';
import type { RenderOptions } from '../../types/render-options.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { isSampled, type SampledScenario } from '../../types/reports/scenario-report.ts';
import { mapTexts } from '../../values/map-texts.ts';
import { visibleJson } from '../../text/visible-text.ts';
import { inspectSamples } from './inspect-samples.ts';

/** Most samples of a log: Inspect holds all of them in memory. */
const MOST_SAMPLES = 100_000;
/** The time in logs without clocks, so that equal runs give equal bytes. */
const NO_TIME = '1970-01-01T00:00:00+00:00';

/**
 * A log of Inspect with a sample for each trial, and passk's own numbers as its results. Throws for a report of more trials
 * than a log can hold, or that does not list all of its tasks.
 */
export function renderInspect(report: SuiteReport, { timing }: Pick<RenderOptions, 'timing'>): string {
  const scenarios = report.scenarios.filter(isSampled);
  const { passed, failed, broken } = countsOf(scenarios);
  const trials = passed + failed + broken;
  if (trials > MOST_SAMPLES) {
    throw new Error(`The report has ${trials} trials, and a log of Inspect at most ${MOST_SAMPLES} samples.`);
  }
  const incomplete = scenarios.find(({ recording }) => (recording?.omitted ?? 0) > 0);
  if (incomplete !== undefined) {
    throw new Error(
      `The report does not list all tasks of "${incomplete.name}", so that their trials cannot be samples.`,
    );
  }
  const samples = scenarios.flatMap((scenario) => inspectSamples(scenario, scenarios.length === 1));
  const created = timing ? report.timing.startedAt : NO_TIME;
  const log: JsonObject = {
    version: 2,
    status: report.partial ? 'cancelled' : 'success',
    eval: evalOf(report, samples, created),
    plan: { name: 'plan', steps: [], config: {} },
    results: resultsOf(report, scenarios, trials),
    stats: { started_at: created, completed_at: created, model_usage: {} },
    samples: inOrder(samples),
  };
  return `${visibleJson(
    JSON.stringify(
      mapTexts(log, (text) => text.toWellFormed()),
      null,
      1,
    ),
  )}\n`;
}

function countsOf(scenarios: readonly SampledScenario[]): Readonly<Record<'passed' | 'failed' | 'broken', number>> {
  const sum = (key: 'passed' | 'failed' | 'broken'): number =>
    scenarios.reduce((all, { trials }) => all + trials[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), broken: sum('broken') };
}

function evalOf(report: SuiteReport, samples: readonly JsonObject[], created: string): JsonObject {
  const { seed, gate, results, scenarios } = report;
  const [only] = scenarios;
  const ids = [...new Set(samples.map(({ id }) => String(id)))];
  const epochs = samples.reduce((most, { epoch }) => Math.max(most, Number(epoch)), 1);
  // Where some tasks have fewer attempts, ids times epochs would count samples that do not exist.
  const isEven = ids.length * epochs === samples.length;
  const leftOut = [...scenarios.filter((one) => !isSampled(one)), ...results].map(({ name }) => name);
  return {
    eval_id: `passk-${seed}`,
    run_id: `passk-${seed}`,
    created,
    task: scenarios.length === 1 && only !== undefined ? only.name : 'passk',
    task_id: `passk-${seed}`,
    dataset: {
      name: 'passk',
      samples: ids.length,
      ...(isEven && ids.length > 0 && { sample_ids: ids }),
      shuffled: false,
    },
    model: 'none/none',
    config: { epochs, epochs_reducer: ['mean'] },
    packages: {},
    scorers: [{ name: 'passk' }],
    metadata: { passk: { version: report.passk, seed, gate: gate.verdict, left_out: leftOut } },
  };
}

/** The numbers of the report. It counts broken trials, which Inspect leaves out where it scores the log again. */
function resultsOf(report: SuiteReport, scenarios: readonly SampledScenario[], trials: number): JsonObject {
  const { passed, failed, broken } = countsOf(scenarios);
  const [only] = scenarios;
  const recording = scenarios.length === 1 ? only?.recording : undefined;
  const rate = recording?.passRate.rate ?? report.summary.meanPassRate;
  const error = recording?.passRate.error ?? null;
  const levels = recording?.passHatK ?? report.summary.passHatK;
  const metrics = [
    ...(rate === null ? [] : [['accuracy', rate] as const]),
    ...(error === null ? [] : [['stderr', error] as const]),
    ...levels.map(({ k, value }) => [`pass^${k}`, value] as const),
  ];
  return {
    total_samples: trials,
    completed_samples: passed + failed,
    scores: [
      {
        name: 'passk',
        scorer: 'passk',
        scored_samples: passed + failed,
        unscored_samples: broken,
        params: {},
        metrics: Object.fromEntries(metrics.map(([name, value]) => [name, { name, value, params: {} }])),
      },
    ],
  };
}

/** Samples by epoch, as Inspect orders them. */
function inOrder(samples: readonly JsonObject[]): readonly JsonObject[] {
  return [...samples].sort((a, b) => Number(a['epoch']) - Number(b['epoch']));
}
