import { isSampled, type ScenarioReport } from '../types/scenario-report.ts';

/** Where there are no more scenarios than this, each has a line. */
const MOST_LINES = 40;

export interface FolderCount {
  /** With a `/` at its end. */
  readonly folder: string;
  readonly scenarios: number;
  readonly trials: number;
}

/**
 * Which scenarios get a line. Where there are many, those of which all trials passed are counted by folder instead, in
 * order of first appearance.
 */
export function foldFolders(
  scenarios: readonly ScenarioReport[],
  verbose: boolean,
): { readonly shown: readonly ScenarioReport[]; readonly folded: readonly FolderCount[] } {
  if (verbose || scenarios.length <= MOST_LINES) return { shown: scenarios, folded: [] };
  const counts = new Map<string, { scenarios: number; trials: number }>();
  for (const scenario of scenarios) {
    if (!hasOnlyPasses(scenario)) continue;
    const folder = folderOf(scenario.file);
    const count = counts.get(folder) ?? { scenarios: 0, trials: 0 };
    count.scenarios++;
    count.trials += scenario.trials.passed;
    counts.set(folder, count);
  }
  return {
    shown: scenarios.filter((scenario) => !hasOnlyPasses(scenario)),
    folded: [...counts].map(([folder, count]) => ({ folder, ...count })),
  };
}

function hasOnlyPasses(scenario: ScenarioReport): boolean {
  const { verdict, trials } = scenario;
  return verdict === 'passed' && isSampled(scenario) && trials.failed === 0 && trials.broken === 0;
}

/** The folder of a file, with a `/` at its end; `./` for none. */
export function folderOf(file: string): string {
  const end = file.lastIndexOf('/');
  return end === -1 ? './' : file.slice(0, end + 1);
}
