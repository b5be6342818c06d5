import { expect, test } from 'vitest';
import { ChaosState } from '../../../src/faults/chaos/chaos-state.ts';
import { compileChaos } from '../../../src/faults/chaos/compile-chaos.ts';
import { faultLabels } from '../../../src/faults/chaos/fault-labels.ts';
import { builtinProfiles } from '../../../src/faults/chaos/profiles.ts';

/** Figures that are not what a fault has without any. */
function figures({ probability, ...fault }: { readonly probability: number | null }): unknown {
  const { afterCalls, delayMs, maxTokens, errorCode } = fault as Readonly<Record<string, number>>;
  return { probability, afterCalls, delayMs, maxTokens, errorCode };
}

test('there are seven profiles, each with these faults', () => {
  expect(Object.fromEntries(builtinProfiles.map(({ name, chaos }) => [name, faultLabels(chaos)]))).toEqual({
    api_outage: ['tool *: error', 'llm: timeout'],
    degraded_llm: ['llm: truncated_response', 'llm: rate_limit'],
    hostile_tools: ['tool *: malicious_response'],
    high_latency: ['tool *: slow', 'llm: timeout'],
    cascading_failure: ['tool *: error', 'llm: truncated_response'],
    indirect_injection: ['context: indirect_injection'],
    model_version_drift: ['llm: response_drift json_field_rename', 'llm: response_drift format_change'],
  });
});

test('profiles strike as often, as late and as long as their summaries say', () => {
  const shown = builtinProfiles.flatMap(({ name, chaos: { toolFaults, llmFaults, contextAttacks } }) => [
    ...toolFaults.map((fault) => [name, figures(fault)]),
    ...llmFaults.map((fault) => [name, figures(fault)]),
    ...contextAttacks.map(({ probability, payloads }) => [name, { probability, payloads: payloads.length }]),
  ]);
  expect(shown).toMatchObject([
    ['api_outage', { probability: null, afterCalls: 0, errorCode: 503 }],
    ['api_outage', { probability: 0.5, delayMs: 300_000 }],
    ['degraded_llm', { probability: 0.3, maxTokens: 20 }],
    ['degraded_llm', { probability: null, afterCalls: 4 }],
    ['hostile_tools', { probability: 0.5 }],
    ['high_latency', { probability: null, delayMs: 20_000 }],
    ['high_latency', { probability: 0.3, delayMs: 15_000 }],
    ['cascading_failure', { afterCalls: 1, errorCode: 503 }],
    ['cascading_failure', { afterCalls: 2, maxTokens: 5 }],
    ['indirect_injection', { probability: 0.5, payloads: 3 }],
    ['model_version_drift', { probability: 0.3 }],
    ['model_version_drift', { probability: 0.2 }],
  ]);
});

test('every fault of every profile fires where there are calls enough', () => {
  for (const { name, chaos } of builtinProfiles) {
    const state = new ChaosState(compileChaos(chaos, [1, 2, 3, 4]));
    const fired = new Set<string>();
    for (let trial = 0; trial < 50; trial++) {
      state.begin(trial);
      for (let call = 0; call < 6; call++) {
        state.onTool({ names: ['t'], url: null });
        state.onResult('tool');
        for (const { at } of state.onModel().changes) state.fire(at);
      }
      for (const label of state.firedLabels()) fired.add(label);
    }
    expect([name, [...fired].sort()]).toEqual([name, [...faultLabels(chaos)].sort()]);
  }
});
