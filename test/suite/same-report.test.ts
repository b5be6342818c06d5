import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { renderReport, type RunSuiteOptions, runSuite } from '../../src/index.ts';
import type { ScenarioDefinition } from '../../src/scenario/objects/define-scenario.ts';
import { aRouter } from './scenarios.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-same-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Scenarios that pass always, sometimes and never, with what sets some of them apart. */
const scenarios: readonly ScenarioDefinition[] = [
  ...Array.from({ length: 12 }, (_, at) => aRouter({ name: `single ${at}`, trials: 1, seed: at })),
  ...Array.from({ length: 4 }, (_, at) => aRouter({ name: `sound ${at}`, trials: 1 + at, seed: at, expected: {} })),
  aRouter({ name: 'broken', trials: 2, expected: { lastNode: 'ask' } }),
  aRouter({ name: 'enumerated', sampler: 'exhaustive', expected: {} }),
  aRouter({ name: 'seldom', trials: 40, minPassRate: 0.1 }),
  aRouter({ name: 'all', trials: 40, expected: { maxLlmCalls: 1 } }),
];

// Of what fails in a file, the report says where.
const file = path.join(folder, 'fails.toml');
writeFileSync(
  file,
  `name = "fails"
trials = 3
[workflow]
inline = '''
name = "one"
start_nodes = [{ name = "main", source = "manual" }]
nodes = [{ id = "end", type = "terminate" }]
'''
[expected]
status = "failed"
`,
);

async function reportOf(options: RunSuiteOptions): Promise<string> {
  return renderReport(await runSuite({ scenarios, paths: [file], ...options }), { reporter: 'json', timing: false });
}

test.each<RunSuiteOptions>([
  {},
  { trials: 1 },
  { stopEarly: true },
  { stopEarly: 'sprt' },
  { dedupe: true },
  { bail: true },
  { ledger: true },
])('a report is the same inline, on workers, with a journal and beside a saved baseline: %j', async (options) => {
  const inline = await reportOf({ ...options, workers: 0 });
  const others: readonly RunSuiteOptions[] = [
    { workers: 2 },
    { workers: 0, saveBaseline: path.join(folder, 'baseline.json') },
    { workers: 0, journal: path.join(mkdtempSync(path.join(folder, 'j-')), 'run.journal') },
  ];
  for (const other of others) expect(await reportOf({ ...options, ...other })).toBe(inline);
});
