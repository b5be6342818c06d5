import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderReport, runSuite } from '../../src/index.ts';
import { sampled } from '../support/sampled.ts';

/** Real scenario files of agentd 1.3.0, which lie beside the repository where they are at hand. */
const FILES = path.resolve(fileURLToPath(new URL('../../..', import.meta.url)), 'shared/reference/agentd');
const withFiles = test.skipIf(!existsSync(FILES));
const paths = ['conformance', 'faults', 'security'].map((folder) => path.join(FILES, folder));

/** Nodes, model calls, tokens and denials of one trial, as the reference counts them. */
const COUNTERS = {
  'compose-map': [5, 0, 0, 0],
  'control-condition': [2, 0, 0, 0],
  'control-respond': [2, 0, 0, 0],
  'data-pipeline': [4, 0, 0, 0],
  'fault-malformed-llm-output': [1, 1, 72, 0],
  'llm-route': [3, 1, 128, 0],
  'security-injection-path-escape': [2, 1, 250, 1],
};

withFiles('scenario files of the reference pass unmodified, with its counters', async () => {
  const report = await runSuite({ paths, workers: 0 });
  const counters = report.scenarios
    .map(sampled)
    .map(({ name, cost: { total } }) => [
      name,
      [total.nodeExecutions, total.llmCalls, total.llmTokens, total.policyDenials],
    ]);
  expect(Object.fromEntries(counters)).toEqual(COUNTERS);
  expect(report.scenarios.map(({ verdict }) => verdict)).toEqual(Object.keys(COUNTERS).map(() => 'passed'));
});

withFiles("the reference's own report shape counts only first trials in its summary", async () => {
  const report = await runSuite({ paths, workers: 0, trials: 3 });
  const shape = JSON.parse(renderReport(report, { reporter: 'reference-json' })) as { readonly summary: object };
  expect(shape.summary).toMatchObject({
    scenarios: 7,
    passed: 7,
    failed: 0,
    mean_pass_k: 1,
    total_llm_calls: 3,
    total_llm_tokens: 450,
    total_trial_tokens: 1350,
    total_passed_trials: 21,
  });
});
