import type { CounterName } from '../types/trial.ts';

/** How a metric comes out of a report. */
export type MetricSource =
  | { readonly from: 'passes' }
  | { readonly from: 'trials'; readonly count: 'failed' | 'broken' | 'dead_ends' }
  | { readonly from: 'counter'; readonly counter: CounterName; readonly per: 'total' | 'trial' }
  | { readonly from: 'cost_per_success' }
  | { readonly from: 'coverage'; readonly by: 'observed' | 'tags' }
  | { readonly from: 'attacks'; readonly count: 'succeeded' | 'utility' }
  | { readonly from: 'cells'; readonly count: 'failed' | 'flaky' }
  | { readonly from: 'exact'; readonly of: ExactNumber };

/** What enumerated answers give without sampling. */
export type ExactNumber = 'pass_rate' | 'pass^' | 'cost_per_success' | CounterName;

/** One metric that a gate may name. */
export interface GateMetric {
  /** `pass^` and `pass@` are followed by a number. */
  readonly name: string;
  readonly source: MetricSource;
  /** Rates lie in [0, 1], the others in [0, ∞). */
  readonly isRate: boolean;
  /** Where it has a confidence interval. */
  readonly intervals: 'everywhere' | 'suite' | 'nowhere';
  /** True: there is none of a single scenario. */
  readonly suiteOnly: boolean;
  /** True: there is none of the suite. */
  readonly scenarioOnly: boolean;
}

const passes = (name: string): GateMetric => ({
  name,
  source: { from: 'passes' },
  isRate: true,
  intervals: name === 'strict_pass_k' ? 'suite' : 'everywhere',
  suiteOnly: false,
  scenarioOnly: false,
});

const plain = (name: string, source: MetricSource): GateMetric => ({
  name,
  source,
  isRate: source.from === 'coverage',
  intervals: source.from === 'cost_per_success' ? 'suite' : 'nowhere',
  suiteOnly: source.from === 'coverage' || source.from === 'cells',
  scenarioOnly: false,
});

/** Of scenarios under attack, as a whole: a single one is a few attempts. */
const attacks = (name: string, count: 'succeeded' | 'utility'): GateMetric => ({
  name,
  source: { from: 'attacks', count },
  isRate: true,
  intervals: 'everywhere',
  suiteOnly: true,
  scenarioOnly: false,
});

/** Of scenarios whose answers are enumerated. What has no sample has no interval. */
const exact = (name: string, of: ExactNumber): GateMetric => ({
  name: `exact.${name}`,
  source: { from: 'exact', of },
  isRate: of === 'pass_rate' || of === 'pass^',
  intervals: 'nowhere',
  suiteOnly: false,
  scenarioOnly: of !== 'pass_rate' && of !== 'pass^',
});

const total = (name: string, counter: CounterName): GateMetric =>
  plain(name, { from: 'counter', counter, per: 'total' });
const perTrial = (name: string, counter: CounterName): GateMetric =>
  plain(name, { from: 'counter', counter, per: 'trial' });

/** Every metric, in the order in which hints list them. */
export const GATE_METRICS: readonly GateMetric[] = [
  passes('pass_rate'),
  passes('pass^'),
  passes('pass@'),
  passes('strict_pass_k'),
  plain('cost_per_success', { from: 'cost_per_success' }),
  perTrial('tokens_per_trial', 'llmTokens'),
  total('tokens', 'llmTokens'),
  perTrial('model_calls_per_trial', 'llmCalls'),
  total('model_calls', 'llmCalls'),
  total('policy_denials', 'policyDenials'),
  plain('coverage', { from: 'coverage', by: 'observed' }),
  plain('tag_coverage', { from: 'coverage', by: 'tags' }),
  attacks('attack_success', 'succeeded'),
  attacks('utility_under_attack', 'utility'),
  plain('failed_cells', { from: 'cells', count: 'failed' }),
  plain('flaky_cells', { from: 'cells', count: 'flaky' }),
  plain('failed', { from: 'trials', count: 'failed' }),
  plain('broken', { from: 'trials', count: 'broken' }),
  plain('dead_ends', { from: 'trials', count: 'dead_ends' }),
  total('retries', 'retries'),
  total('repairs', 'repairs'),
  total('tool_calls', 'toolCalls'),
  total('node_executions', 'nodeExecutions'),
  total('node_failures', 'nodeFailures'),
  exact('pass_rate', 'pass_rate'),
  exact('pass^', 'pass^'),
  exact('cost_per_success', 'cost_per_success'),
  exact('tokens_per_trial', 'llmTokens'),
  exact('model_calls_per_trial', 'llmCalls'),
];

/** The names as users write them: with an example for k. */
export const METRIC_NAMES: readonly string[] = metricNames('8');

/** The same with this k. */
export function metricNames(k: string): readonly string[] {
  return GATE_METRICS.map(({ name }) => (/[\^@]$/.test(name) ? `${name}${k}` : name));
}

/** The metric of that name; undefined when there is none. */
export function metricNamed(name: string): GateMetric | undefined {
  return GATE_METRICS.find((metric) => metric.name === name);
}
