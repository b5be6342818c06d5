import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { renderReport, type RunSuiteOptions, runSuite } from '../../src/index.ts';
import { SharedPart } from '../../src/suite/shared-part.ts';
import type { ScenarioDefinition } from '../../src/scenario/define-scenario.ts';
import { aRouter } from './scenarios.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-early-'));
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

async function told(options: RunSuiteOptions): Promise<string> {
  return renderReport(await runSuite({ scenarios, paths: [file], ...options }), { reporter: 'json', timing: false });
}

test.each<RunSuiteOptions>([
  {},
  { trials: 1 },
  { stopEarly: true },
  { stopEarly: 'sprt' },
  { dedupe: true },
  { bail: true },
])('scenarios are told the same while a run goes on and when all is counted: %j', async (options) => {
  const [early, kept, resumed, journaled] = [
    await told({ ...options, workers: 0 }),
    // What is saved is made of all counts, so that none is let go.
    await told({ ...options, workers: 0, saveBaseline: path.join(folder, 'baseline.json') }),
    await told({ ...options, workers: 2 }),
    await told({ ...options, workers: 0, journal: path.join(mkdtempSync(path.join(folder, 'j-')), 'run.journal') }),
  ];
  expect(early).toBe(kept);
  expect(resumed).toBe(kept);
  expect(journaled).toBe(kept);
});

test('what reports have in common is what each would have for itself, whatever becomes of the counts', () => {
  const make = (names: readonly string[], counts: readonly number[], more: number): unknown => ({
    rows: names.map((name, i) => ({ name, count: counts[i] ?? null })),
    more,
  });
  const names = [['a', 'b'], ['a', 'b'], ['c']] as const;
  const asked = fc.record({
    names: fc.constantFrom<readonly string[]>(...names),
    counts: fc.array(fc.nat(2), { maxLength: 2 }),
    more: fc.nat(1),
  });
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 30 }), (all) => {
      const part = new SharedPart(make);
      for (const { names: given, counts, more } of all) {
        const own = [...counts];
        const made = part.inCommon(given, own, more);
        expect(made).toEqual(make(given, counts, more));
        expect(part.inCommon(given, [...counts], more)).toBe(made);
        own.fill(7);
      }
    }),
  );
});
