import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeTally } from '../../src/pool/tally/tally-codec.ts';
import { COUNTERS } from '../../src/types/trial.ts';
import type { Tally } from '../../src/trial/tally/tally.ts';
import type { WorkflowPlan } from '../../src/types/plan.ts';
import { compilePure } from '../support/compile-pure.ts';
import { arbitraryPlan } from './arbitrary-scenario.ts';
import { LAW_RUNS } from '../support/law-runs.ts';

const LONG = 60_000 + LAW_RUNS * 100;
const TRIALS = 4;

/** The same scenario with nothing that answers: no turn, no mock, no file. */
function bare({ scenario, ...plan }: WorkflowPlan): WorkflowPlan {
  const { subject } = scenario;
  const { approvals, env } = subject.world;
  const world = { env, approvals, files: {}, http: [], processes: [], mcp: [] };
  return { ...plan, scenario: { ...scenario, subject: { ...subject, dryRun: true, turns: [], world } } };
}

function run(plan: WorkflowPlan): Tally {
  const program = compilePure(plan);
  const tally = program.newTally();
  program.run(0, TRIALS, tally);
  return tally;
}

test('a dry run of any scenario asks no model, writes nothing, needs no answers, and is the same whatever would answer', {
  timeout: LONG,
}, () => {
  const idle = [
    'llmCalls',
    'llmTokens',
    'promptTokens',
    'completionTokens',
    'toolCalls',
    'writtenBytes',
    'faults',
  ] as const;
  let denials = 0;
  fc.assert(
    fc.property(arbitraryPlan, (plan) => {
      const tally = run(bare(plan));
      expect(tally.broken).toBe(0);
      for (const name of idle) expect([name, tally.counters[COUNTERS.indexOf(name)]]).toEqual([name, 0]);
      denials += tally.counters[COUNTERS.indexOf('policyDenials')] ?? 0;
      const { subject } = plan.scenario;
      const { turns } = subject;
      const answered = run({ ...plan, scenario: { ...plan.scenario, subject: { ...subject, dryRun: true } } });
      expect([...answered.served].every((served) => served === 0)).toBe(true);
      const { expected } = bare(plan).scenario;
      // Files that the world declares can be looked at afterwards.
      if (expected.files.exist.length + expected.files.absent.length + Object.keys(expected.files.contain).length > 0)
        return;
      if (turns.length > 0) return;
      expect(Buffer.from(encodeTally(answered)).equals(Buffer.from(encodeTally(tally)))).toBe(true);
    }),
    { numRuns: LAW_RUNS },
  );
  // The law is not empty: policies judge dry runs too.
  expect(denials).toBeGreaterThan(0);
});
