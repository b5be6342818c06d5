import { PasskError } from '../errors.ts';
import type { LoadedScenario } from '../types/scenario.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { SuiteOutline } from '../types/shard.ts';
import type { LoadedSuite, SuiteInput } from './load-suite.ts';
import type { ResolvedRunOptions } from '../settings/options.ts';
import type { RunResult } from './runner.ts';

/** What a report says of the suite besides results, to be carried with a part of them. */
export function outlineOf(
  { suite, notRun }: Pick<SuiteInput, 'suite' | 'notRun'>,
  options: ResolvedRunOptions,
  { agents = {} }: Pick<RunResult, 'agents'>,
): SuiteOutline {
  return {
    seed: options.seed,
    sampler: options.sampler,
    timeoutMs: options.timeoutMs,
    plugins: options.givenPlugins,
    rows: suite.loaded.map((loaded) => (loaded.ok ? null : loaded)),
    issues: suite.issues,
    ...(suite.definitions.length > 0 && { definitions: suite.definitions }),
    ...(notRun.length > 0 && { notRun }),
    ...(Object.keys(agents).length > 0 && { agents }),
  };
}

/** The suite again, as far as a report looks at it. */
export function suiteFrom(
  { rows, issues, definitions = [] }: SuiteOutline,
  scenarios: readonly ScenarioPlan[],
): Pick<LoadedSuite, 'loaded' | 'issues' | 'definitions'> {
  let next = 0;
  const loaded = rows.map((row): LoadedScenario => {
    if (row !== null) return row;
    const scenario = scenarios[next++]?.scenario;
    if (scenario === undefined) throw new PasskError('INTEGRITY', 'A shard names more scenarios than it holds.');
    return { ok: true, file: scenario.file, scenario, issues: [] };
  });
  return { loaded, issues, definitions };
}
