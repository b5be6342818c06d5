import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../src/engine/compile-json-schema.ts';
import { encodeTally } from '../../src/pool/tally/tally-codec.ts';
import { compileTrial } from '../../src/trial/compile-trial.ts';
import { builtinRegistry } from '../../src/trial/registry.ts';
import type { InvariantRule } from '../../src/types/invariant.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import { arbitraryPlan } from './arbitrary-scenario.ts';
import { LAW_RUNS } from '../support/law-runs.ts';

const TRIALS = 100;

const RULES: readonly InvariantRule[] = [
  { type: 'contains', value: 'a' },
  { type: 'regex', pattern: '[{"]' },
  { type: 'excludes_pattern', patterns: ['true', '\\d\\d'] },
  { type: 'valid_json' },
  { type: 'output_not_empty' },
  { type: 'completes' },
  { type: 'excludes_pii' },
  { type: 'similarity', expected: '{"a": 1}', threshold: 0.1 },
  { type: 'max_tokens', max: 40 },
  { type: 'latency', maxMs: 1 },
  { type: 'tool_called', tool: '*', atLeast: 1 },
  { type: 'policy_denied' },
  { type: 'stopped_by', stop: 'terminate' },
];

const arbitraryInvariants = fc.uniqueArray(fc.record({ at: fc.nat(RULES.length - 1), negate: fc.boolean() }), {
  minLength: 1,
  maxLength: 5,
  selector: ({ at, negate }) => `${at} ${negate}`,
});

function countsOf(plan: WorkflowPlan, useTables: boolean): string {
  const program = compileTrial(plan, {
    registry: builtinRegistry,
    compileSchema: compileJsonSchema,
    callHost: null,
    startClock: () => {
      throw new Error('a pure program reads no clock');
    },
    useTables,
  });
  const tally = program.newTally();
  program.run(0, TRIALS, tally);
  return Buffer.from(encodeTally(tally)).toString('hex');
}

test('invariants judge trials over tables as they judge walked ones', { timeout: 60_000 + LAW_RUNS * 100 }, () => {
  fc.assert(
    fc.property(arbitraryPlan, arbitraryInvariants, (plan, drawn) => {
      const list = drawn.map(({ at, negate }) => ({
        id: `${RULES[at]?.type} ${negate}`,
        severity: 'low' as const,
        when: 'always' as const,
        negate,
        probes: [],
        rule: RULES[at] as InvariantRule,
      }));
      const expected = {
        ...plan.scenario.expected,
        prompts: [],
        branches: [],
        invariants: { of: 'outcome' as const, list },
      };
      const judged = { ...plan, scenario: { ...plan.scenario, expected } };
      expect(countsOf(judged, true)).toBe(countsOf(judged, false));
    }),
    { numRuns: LAW_RUNS },
  );
});
