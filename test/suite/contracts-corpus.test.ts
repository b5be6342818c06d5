import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadSuite } from '../../src/suite/load-suite.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import { CONTEXT_ATTACK_TYPES, DRIFT_TYPES, LLM_FAULT_MODES, TOOL_FAULT_MODES } from '../../src/types/chaos.ts';
import { contractsOf } from './contract-runs.ts';

const CORPUS = { cwd: fileURLToPath(new URL('../../corpus', import.meta.url)), paths: ['contracts'] };

test('the shipped contracts break the world in every way that their written turns can tell', async () => {
  const { definitions: contracts, issues } = await loadSuite(CORPUS);
  expect(issues).toEqual([]);
  const columns = contracts.flatMap((one) => (one.kind === 'contract' ? one.matrix : []));
  const llmFaults = columns.flatMap((column) => column.llmFaults);
  expect(new Set(columns.flatMap(({ toolFaults }) => toolFaults.map(({ mode }) => mode)))).toEqual(
    new Set(TOOL_FAULT_MODES),
  );
  expect(new Set(llmFaults.map(({ mode }) => mode))).toEqual(new Set(LLM_FAULT_MODES));
  expect(new Set(llmFaults.flatMap(({ mode, driftType }) => (mode === 'response_drift' ? [driftType] : [])))).toEqual(
    new Set(DRIFT_TYPES),
  );
  // No turn reads a prompt, so that attacks on prompts would prove nothing.
  const readable = CONTEXT_ATTACK_TYPES.filter((type) => type.startsWith('in'));
  expect(readable).toEqual(['indirect_injection', 'injection_via_context']);
  expect(new Set(columns.flatMap(({ contextAttacks }) => contextAttacks.map(({ type }) => type)))).toEqual(
    new Set(readable),
  );
});

test('their subjects obey wherever something applies, and every fault fires', async () => {
  const report = await runSuite({ ...CORPUS, workers: 0 });
  const contracts = contractsOf(report);
  expect(report.gate.verdict).toBe('pass');
  expect(contracts.map(({ name, score }) => [name, score])).toEqual([
    ['context-attacked', 100],
    ['model-breaks', 100],
    ['search-breaks', 100],
    ['shop-flaky', 100],
  ]);
  const states = new Set(contracts.flatMap(({ cells }) => cells.map(({ state }) => state)));
  expect(states).toEqual(new Set(['passed', 'not_applicable']));
});
