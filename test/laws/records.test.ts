import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileChecks } from '../../src/checks/compile-checks.ts';
import { compileJsonSchema } from '../../src/engine/compile-json-schema.ts';
import { RecordView } from '../../src/trial/record/record-view.ts';
import type { TrialRecord } from '../../src/types/record.ts';
import { exactJsonText, readExactJson } from '../../src/values/exact-json.ts';
import { compilePure } from '../support/compile-pure.ts';
import { arbitraryPlan } from './arbitrary-scenario.ts';
import { LAW_RUNS } from '../support/law-runs.ts';

const LONG = 60_000 + LAW_RUNS * 100;
const TRIALS = 4;

test('a check says of a record what it says of the trial', { timeout: LONG }, async () => {
  let judged = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryPlan, async (plan) => {
      const nodeIds = plan.scenario.subject.workflow.nodes.map(({ id }) => id);
      const checks = compileChecks(plan.scenario.expected, { nodeIds, compileSchema: compileJsonSchema });
      const program = compilePure(plan);
      for (let trial = 0; trial < TRIALS; trial++) {
        const { result, record } = await program.inspect(trial);
        // As it is written and read again: nothing but data may matter.
        const read = readExactJson(exactJsonText(record)) as TrialRecord;
        expect(read).toEqual(record);
        if (result.verdict === 'broken') {
          expect(record.ending).toEqual({ status: 'broken', reason: result.brokenBy });
          continue;
        }
        if (record.cuts.length > 0) continue;
        const view = new RecordView(read, nodeIds);
        const missed = checks.filter((check) => !check.holds(view));
        // As reports write them: a JSON text has no -0, and neither has a record.
        const asWritten = (findings: unknown): unknown => readExactJson(exactJsonText(findings));
        expect(asWritten(missed.map((check) => check.explain(view)))).toEqual(asWritten(result.findings));
        judged += checks.length;
      }
    }),
    { numRuns: LAW_RUNS },
  );
  expect(judged).toBeGreaterThan(LAW_RUNS);
});
