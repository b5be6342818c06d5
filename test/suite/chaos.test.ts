import { describe, expect, test } from 'vitest';
import { scenarioText } from '../../src/records/plan-digest.ts';
import { foldScenario } from '../../src/suite/fold/fold.ts';
import { loadFor } from '../../src/suite/load-suite.ts';
import { type RunSuiteOptions, resolveRunOptions } from '../../src/settings/options.ts';
import { planRun } from '../../src/suite/plan/plan.ts';
import { renderReport } from '../../src/suite/render-report.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import type { Chaos } from '../../src/types/chaos.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import { aChaos, anLlmFault, aToolFault } from '../faults/chaos/a-chaos.ts';
import { inFolder, onlyContract } from './contract-runs.ts';
import { aRouter } from './scenarios.ts';
import { SHOP_WORKFLOW } from './shop-contract.ts';
import { compilePure } from '../support/compile-pure.ts';
import { asWorkflow } from '../support/as-workflow.ts';
import { judged } from '../support/sampled.ts';
import { exactOf, type JudgedScenario } from '../../src/types/reports/scenario-report.ts';

const drawn = aChaos({ llmFaults: [anLlmFault({ mode: 'rate_limit', probability: 0.5 })] });
const certain = aChaos({ llmFaults: [anLlmFault({ mode: 'garbage' })], toolFaults: [aToolFault({ mode: 'error' })] });

/** A scenario of 64 trials that is planned with this chaos around it. */
async function planned(chaos: Chaos | undefined, options: RunSuiteOptions = {}): Promise<WorkflowPlan> {
  const resolved = resolveRunOptions({ scenarios: [aRouter({ trials: 64 })], ...options });
  const input = await loadFor(resolved);
  const scenarios = input.suite.scenarios.map((scenario) =>
    chaos === undefined ? scenario : { ...scenario, faults: { ...scenario.faults, chaos } },
  );
  return asWorkflow(planRun({ ...input, scenarios }, resolved).scenarios[0]);
}

function reportOf(plan: WorkflowPlan): JudgedScenario {
  const program = compilePure(plan);
  const tally = program.newTally();
  program.run(0, plan.trials, tally);
  return judged(foldScenario({ plan, info: program.info, tally, failures: [], requested: plan.trials, seed: 0 }));
}

describe('chaos in a plan', () => {
  test('is part of what the plan is told apart by', async () => {
    const texts = await Promise.all(
      [undefined, drawn, certain].map(async (chaos) => scenarioText(await planned(chaos))),
    );
    expect(new Set(texts).size).toBe(3);
  });

  test('that is drawn is not enumerated; what is certain may be', async () => {
    await expect(planned(drawn, { sampler: 'exhaustive' })).rejects.toMatchObject({
      code: 'PLAN',
      issues: [{ code: 'not_exhaustive', message: expect.stringContaining('is drawn for each call') }],
    });
    expect((await planned(certain, { sampler: 'exhaustive' })).sampler).toBe('exhaustive');
  });

  test('that is drawn is not deduplicated; what is certain is, with the same counts', async () => {
    expect((await planned(drawn, { dedupe: true })).dedupe).toBe(undefined);
    const each = reportOf(await planned(certain));
    const once = reportOf(await planned(certain, { dedupe: true }));
    expect(once.trials.deduplicated).toBeGreaterThan(0);
    expect({ ...once, trials: each.trials }).toEqual(each);
  });
});

describe('a report of a scenario', () => {
  test('counts each declared fault, also those that never fired', async () => {
    expect(reportOf(await planned(certain)).chaos).toEqual([
      { fault: 'tool *: error', kind: 'tool', fired: 0, trials: 0 },
      { fault: 'llm: garbage', kind: 'llm', fired: 64, trials: 64 },
    ]);
    const { chaos = [] } = reportOf(await planned(drawn));
    expect(chaos.map(({ fault }) => fault)).toEqual(['llm: rate_limit']);
    expect(chaos[0]?.fired).toBeGreaterThan(0);
  });

  test('counts over sequences of answers where these are enumerated', async () => {
    const report = reportOf(await planned(certain, { sampler: 'exhaustive' }));
    expect(exactOf(report)?.leaves).toBe(2);
    expect(report.chaos?.map(({ fired }) => fired)).toEqual([0, 2]);
  });

  test('says nothing of chaos where none is declared', async () => {
    expect(reportOf(await planned(undefined))).not.toHaveProperty('chaos');
  });
});

const EVERYTHING = `
[contract]
name = "Everything"
prompts = ["How much is it?", "Is it in stock?"]
trials = 5000
min_pass_rate = 0
[[contract.invariants]]
id = "answers"
type = "completes"
[[contract.chaos_matrix]]
name = "storm"
tool_faults = [
  { tool = "search", mode = "error", probability = 0.2 },
  { tool = "*", mode = "slow", probability = 0.5 },
  { tool = "*", mode = "timeout", probability = 0.1 },
  { tool = "*", mode = "malformed", probability = 0.1 },
  { tool = "*", mode = "malicious_response", probability = 0.1 },
]
llm_faults = [
  { mode = "timeout", probability = 0.05 },
  { mode = "rate_limit", probability = 0.1 },
  { mode = "truncated_response", max_tokens = 3, probability = 0.3 },
  { mode = "empty", probability = 0.1 },
  { mode = "garbage", probability = 0.1, after_calls = 1 },
  { mode = "response_drift", drift_type = "verbosity_shift", probability = 0.3 },
]
context_attacks = [
  { type = "memory_poisoning", trigger_probability = 0.5, payloads = ["a", "b"] },
  { type = "indirect_injection" },
  { type = "overflow", inject_tokens = 50, trigger_probability = 0.2 },
  { type = "conflicting_context", inject_at = 1 },
  { type = "injection_via_context", trigger_probability = 0.5 },
]
${SHOP_WORKFLOW}`;

test('every fault at once fires as often for 0, 1 and 2 workers, to the byte', { timeout: 120_000 }, async () => {
  const reports = await inFolder({ 'storm.toml': EVERYTHING }, async (cwd) => [
    await runSuite({ cwd, workers: 0 }),
    await runSuite({ cwd, workers: 1 }),
    await runSuite({ cwd, workers: 2 }),
  ]);
  const [inline, ...others] = reports.map((report) => renderReport(report, { reporter: 'json', timing: false }));
  expect(others).toEqual([inline, inline]);
  const { columns } = onlyContract(reports[0] as (typeof reports)[number]);
  expect(columns.flatMap(({ faults }) => faults.filter(({ fired }) => fired === 0))).toEqual([]);
  expect(columns[0]?.faults).toHaveLength(16);
});
