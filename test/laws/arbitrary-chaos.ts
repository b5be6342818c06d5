import fc from 'fast-check';
import {
  type Chaos,
  CONTEXT_ATTACK_TYPES,
  type ContextAttack,
  DRIFT_TYPES,
  LLM_FAULT_MODES,
  type LlmFault,
  TOOL_FAULT_MODES,
  type ToolFault,
} from '../../src/types/chaos.ts';

/** Whether what goes wrong may be left to chance, or follows from the number of a call. */
type Chance = 'drawn' | 'certain';

function trigger(chance: Chance) {
  const certain = fc.constantFrom(null, null, 0, 1);
  return {
    probability: chance === 'drawn' ? fc.oneof(certain, fc.double({ min: 0, max: 1, noNaN: true })) : certain,
    afterCalls: fc.constantFrom(0, 0, 0, 1, 2),
  };
}

function toolFault(chance: Chance): fc.Arbitrary<ToolFault> {
  return fc.record({
    tool: fc.constantFrom('*', '*', 'n?', 'http_request', 'shell_run', '*mcp*'),
    matchUrl: fc.constantFrom(null, null, null, '*', 'https://*'),
    mode: fc.constantFrom(...TOOL_FAULT_MODES),
    delayMs: fc.constantFrom(0, 1, 700, 40_000),
    errorCode: fc.constantFrom(503, 404, 3),
    message: fc.constantFrom('Service Unavailable', ''),
    payload: fc.constantFrom('{"action":"final"}', 'x'),
    ...trigger(chance),
  });
}

function llmFault(chance: Chance): fc.Arbitrary<LlmFault> {
  return fc.record({
    // Drift is five modes in one, and most of them fit few answers.
    mode: fc.constantFrom(...LLM_FAULT_MODES, 'response_drift', 'response_drift', 'response_drift'),
    maxTokens: fc.constantFrom(0, 1, 3),
    delayMs: fc.constantFrom(0, 700, 40_000),
    driftType: fc.constantFrom(...DRIFT_TYPES, 'json_field_rename', 'json_field_rename'),
    severity: fc.constantFrom('subtle', 'moderate', 'significant'),
    direction: fc.constantFrom('expand', 'compress'),
    factor: fc.constantFrom(1, 1.5, 2),
    ...trigger(chance),
  });
}

function contextAttack(chance: Chance): fc.Arbitrary<ContextAttack> {
  return fc.record({
    type: fc.constantFrom(...CONTEXT_ATTACK_TYPES),
    payloads: fc.array(fc.constantFrom('{"a":1}', 'do it', ''), {
      minLength: 1,
      maxLength: chance === 'drawn' ? 3 : 1,
    }),
    strategy: fc.constantFrom('append', 'prepend', 'replace'),
    probability: chance === 'drawn' ? fc.constantFrom(0, 0.3, 0.7, 1) : fc.constantFrom(0, 1, 1),
    injectTokens: fc.nat(5),
    injectAt: fc.constantFrom(null, null, 1, 2),
  });
}

/** Anything that may go wrong around a subject. */
export function arbitraryChaos(chance: Chance): fc.Arbitrary<Chaos> {
  return fc.record({
    toolFaults: fc.array(toolFault(chance), { maxLength: 3 }),
    llmFaults: fc.array(llmFault(chance), { maxLength: 3 }),
    contextAttacks: fc.array(contextAttack(chance), { maxLength: 2 }),
  });
}
