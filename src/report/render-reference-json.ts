import { CAPABILITIES } from '../types/capability.ts';
import type { Json } from '../types/json.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import { exactOf, failuresOf, isJudged, isSampled, type ScenarioReport } from '../types/reports/scenario-report.ts';
import { visibleJson } from '../text/visible-text.ts';

/** The report in the shape that agentd-conformance writes with `--json` and reads as a baseline, with the same numbers. */
export function renderReferenceJson(report: SuiteReport): string {
  const { summary, scenarios, coverage } = report;
  const strict = scenarios.reduce((sum, scenario) => sum + (isSampled(scenario) ? scenario.strictPassK : 0), 0);
  const passed = scenarios.filter(clearsOwnBar).length;
  const document: Fields = {
    summary: {
      scenarios: summary.scenarios,
      passed,
      failed: summary.scenarios - passed,
      mean_pass_k: float(summary.scenarios === 0 ? 0 : strict / summary.scenarios),
      total_llm_calls: summary.first.llmCalls,
      total_llm_tokens: summary.first.llmTokens,
      cost_per_success_tokens: float(summary.costPerSuccess),
      total_trial_tokens: summary.total.llmTokens,
      total_passed_trials: summary.trials.passed,
      coverage: {
        covered: coverage.byTags.length,
        total: coverage.total,
        fraction: float(coverage.total === 0 ? 0 : coverage.byTags.length / coverage.total),
        uncovered: CAPABILITIES.filter((id) => !coverage.byTags.includes(id)),
        unknown_tags: coverage.unknown,
      },
    },
    scenarios: scenarios.map(referenceScenario),
  };
  return `${visibleJson(write(document, ''))}\n`;
}

function referenceScenario(scenario: ScenarioReport): Fields {
  const { trials } = scenario;
  const sampled = isSampled(scenario) ? scenario : null;
  const first = sampled?.cost.first;
  const loadError = scenario.verdict === 'load_error';
  return {
    name: scenario.name,
    capabilities: scenario.capabilities,
    trials: loadError ? trials.requested : trials.passed + trials.failed + trials.broken,
    passed_trials: trials.passed,
    pass_k: float(sampled?.strictPassK ?? 0),
    pass_rate: float(sampled?.passRate ?? exactOf(scenario)?.passRate ?? 0),
    min_pass_rate: float(loadError ? null : scenario.minPassRate),
    passed: clearsOwnBar(scenario),
    cost: {
      llm_calls: first?.llmCalls ?? 0,
      llm_tokens: first?.llmTokens ?? 0,
      node_executions: first?.nodeExecutions ?? 0,
      policy_denials: first?.policyDenials ?? 0,
    },
    cost_per_success_tokens: float(sampled?.cost.perSuccess ?? null),
    // The mean is a rounded quotient: the small term makes up for the rounding alone.
    total_latency_ms: Math.floor((sampled?.virtualMs.mean ?? 0) * (trials.executed + trials.deduplicated) + 1e-6),
    load_error: loadError ? scenario.loadErrors.map(({ message }) => message).join('; ') : null,
    failures: failuresOf(scenario).flatMap(({ trial, findings, brokenBy }) => {
      const texts = findings
        .filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
        .map((one) => one.message);
      return (brokenBy === null ? texts : [...texts, brokenBy]).map((text) => `trial ${trial}: ${text}`);
    }),
  };
}

/** Whether a scenario reaches its own bar: the reference compares the floor with the whole run alone. */
function clearsOwnBar(scenario: ScenarioReport): boolean {
  return isJudged(scenario) && (scenario.verdict === 'passed' || scenario.belowFloor !== undefined);
}

/** A number that is a float in the reference, which writes 1 as `1.0`. */
class Float {
  readonly text: string;
  constructor(value: number) {
    this.text = Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value);
  }
}

interface Fields {
  readonly [key: string]: Json | Float | Fields | readonly (string | Fields)[];
}

function float(value: number | null): Float | null {
  return value === null ? null : new Float(value);
}

/** Sorted keys, two blanks. The document is a few levels deep, whatever the scenarios hold. */
function write(value: Fields[string], indent: string): string {
  if (value instanceof Float) return value.text;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => `${inner}${write(item, inner)}`)
    : Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, item]) => `${inner}${JSON.stringify(key)}: ${write(item, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.join(',\n')}\n${indent}${close}`;
}
