import { describe, expect, test } from 'vitest';
import { explainScenario } from '../../src/suite/explain-scenario.ts';
import { loadSuite } from '../../src/suite/load-suite.ts';
import { runSuite } from '../../src/suite/run-suite.ts';
import { traceFailures } from '../../src/suite/trace-failures.ts';
import { traceTrial } from '../../src/suite/trace-trial.ts';
import { failuresOf } from '../../src/types/reports/scenario-report.ts';
import { inFolder } from './contract-runs.ts';

/** Scenarios of a model that says a word, and sometimes another. */
const WORDS = `
const word = (name, share) => ({
  name,
  trials: 40,
  minPassRate: 0,
  workflow: { path: 'parts/say.toml' },
  intel: { turns: [{ variants: [{ content: name, weight: share }, { content: 'nonsense', weight: 100 - share }] }] },
  expected: { status: 'completed', final: { path: 'rendered', equals: name } },
});
`;

const SAY = `
name = "say"
[[start_nodes]]
name = "main"
source = "manual"
entry_node = "ask"
[[nodes]]
id = "ask"
type = "llm_infer"
backend = "default"
prompt = "Say it."
input_from = "trigger"
[[nodes]]
id = "end"
type = "template_render"
template = "{{content}}"
input_from = "ask"
[[edges]]
from = "ask"
to = "end"
`;

const TWO = {
  'suite/words.mjs': `${WORDS}export default [word('yes', 90), word('no', 80)];`,
  'suite/parts/say.toml': SAY,
};

describe('a module that is named', () => {
  test('gives the scenarios that it exports, with files beside it, and those run as any others do', async () => {
    await inFolder(TWO, async (cwd) => {
      const report = await runSuite({ cwd, paths: ['suite/words.mjs'], workers: 0 });
      expect(report.scenarios.map(({ name, file }) => [name, file])).toEqual([
        ['yes', 'suite/words.mjs'],
        ['no', 'suite/words.mjs'],
      ]);
      const [yes] = report.scenarios;
      if (yes === undefined) throw new Error('There are two scenarios.');
      const [failure] = failuresOf(yes);
      expect(failure?.replay).toBe(`passk trace suite/words.mjs --part yes --trial ${failure?.trial} --seed 0`);
      const trial = failure?.trial ?? 0;
      const traced = await traceTrial({ cwd, file: 'suite/words.mjs', part: 'yes', trial });
      expect(traced.result.findings).toEqual(failure?.findings);
      expect((await traceFailures(report, { cwd })).map((one) => [one.scenario, one.trial])).toEqual(
        report.scenarios.flatMap((one) =>
          failuresOf(one)
            .slice(0, 2)
            .map((failed) => [one.name, failed.trial]),
        ),
      );
      const tree = await explainScenario({ cwd, file: 'suite/words.mjs', part: 'no' });
      expect(tree.passRate).toBeCloseTo(0.8, 9);
    });
  });

  test('is one scenario where it exports one, found without the name of a part', async () => {
    await inFolder({ ...TWO, 'suite/one.mjs': `${WORDS}export default word('yes', 99);` }, async (cwd) => {
      const { scenarios, issues } = await loadSuite({ cwd, paths: ['suite/one.mjs'] });
      expect([issues, scenarios.map(({ case: row }) => row)]).toEqual([[], [undefined]]);
      expect((await traceTrial({ cwd, file: 'suite/one.mjs', trial: 0 })).result.trial).toBe(0);
    });
  });

  test('is found by a pattern that ends like a module, and never by a folder or another pattern', async () => {
    await inFolder({ ...TWO, 'suite/run.mjs': 'globalThis.wasRun = true; export default {};' }, async (cwd) => {
      const filesOf = async (...paths: string[]): Promise<readonly string[]> => (await loadSuite({ cwd, paths })).files;
      expect(await filesOf('suite/w*.mjs')).toEqual(['suite/words.mjs']);
      expect(await filesOf('suite')).toEqual([]);
      expect(await filesOf('suite/**')).toEqual([]);
      expect(globalThis).not.toHaveProperty('wasRun');
    });
  });

  test('that exports no scenario, throws, or says something impossible is told with what is wrong', async () => {
    const modules: readonly (readonly [code: string, problem: string])[] = [
      ['export const scenario = {};', 'The module exports no scenario by default.'],
      ['export default [];', 'The module exports no scenario by default.'],
      ['export default [{}, 3];', 'The list that the module exports by default has no scenario at position 1.'],
      ["throw new Error('no key');", 'The module cannot be loaded: no key'],
      ["import './none.mjs';", 'The module cannot be loaded: Cannot find module'],
      [
        "export default { name: 'a', trails: 3, workflow: { path: 'parts/say.toml' }, intel: { turns: [{ content: 'x' }] }, expected: { status: 'completed' } };",
        'Scenario "a": "trails" is not a known key.',
      ],
    ];
    const files = modules.map(([code], at) => [`suite/${at}.mjs`, code] as const);
    await inFolder({ ...TWO, ...Object.fromEntries(files) }, async (cwd) => {
      const told = await Promise.all(
        files.map(async ([file]) => {
          const { issues } = await loadSuite({ cwd, paths: [file] });
          return issues.filter(({ severity }) => severity === 'error').map(({ message, at }) => [message, at?.file]);
        }),
      );
      expect(told).toEqual(modules.map(([, problem], at) => [[expect.stringContaining(problem), `suite/${at}.mjs`]]));
    });
  });

  test('of a report alone is not run to show its failing trials', async () => {
    await inFolder(TWO, async (cwd) => {
      const report = await runSuite({ cwd, paths: ['suite/words.mjs'], workers: 0 });
      await inFolder({ ...TWO, 'suite/words.mjs': 'globalThis.wasRun = true;' }, async (elsewhere) => {
        expect(await traceFailures(report, { cwd: elsewhere })).toEqual([]);
        expect(globalThis).not.toHaveProperty('wasRun');
      });
    });
  });
});
