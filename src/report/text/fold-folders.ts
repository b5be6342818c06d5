import { isSampled, type ScenarioReport } from '../../types/reports/scenario-report.ts';

/** Where there are no more scenarios than this, each has a line. */
const MOST_LINES = 40;
/** Of more, so many that passed although trials failed have a line: those whose trials pass the least. */
const MOST_TOLERANT = 3;
const MOST_FOLDERS = 12;

export interface FolderCount {
  /** With a `/` at its end. */
  readonly folder: string;
  readonly scenarios: number;
  readonly trials: number;
  /** Trials that failed and that the bars of their scenarios let pass. */
  readonly tolerated: number;
}

/** True: too many scenarios for a line each, of several folders, so that no number about some of them is what was asked for. */
export function isOverview(scenarios: readonly ScenarioReport[], verbose: boolean): boolean {
  return isFolded(scenarios, verbose) && new Set(scenarios.map(({ file }) => folderOf(file))).size > 1;
}

function isFolded(scenarios: readonly ScenarioReport[], verbose: boolean): boolean {
  return !verbose && scenarios.length > MOST_LINES;
}

/**
 * Which scenarios get a line. Where there are many, those that passed are counted by folder instead, in order of first
 * appearance, but for the weakest of them, which follow all that did not pass.
 */
export function foldFolders(
  scenarios: readonly ScenarioReport[],
  verbose: boolean,
): { readonly shown: readonly ScenarioReport[]; readonly folded: readonly FolderCount[] } {
  if (!isFolded(scenarios, verbose)) return { shown: scenarios, folded: [] };
  const troubles = scenarios.filter((scenario) => !isFine(scenario));
  const weakest = scenarios
    .filter((scenario) => isFine(scenario) && passRateOf(scenario) < 1)
    .sort((a, b) => passRateOf(a) - passRateOf(b))
    .slice(0, MOST_TOLERANT);
  const shown = [...troubles, ...weakest];
  const listed = new Set(shown);
  const counts = new Map<string, Omit<FolderCount, 'folder'>>();
  for (const scenario of scenarios) {
    if (listed.has(scenario)) continue;
    const folder = folderOf(scenario.file);
    const count = counts.get(folder) ?? { scenarios: 0, trials: 0, tolerated: 0 };
    const { passed, failed } = scenario.trials;
    counts.set(folder, {
      scenarios: count.scenarios + 1,
      trials: count.trials + passed + failed,
      tolerated: count.tolerated + failed,
    });
  }
  return { shown, folded: asFew([...counts].map(([folder, count]) => ({ folder, ...count }))) };
}

/** As many folders as a reader looks over: of more, the deepest are counted with the folder that they are in. */
function asFew(folders: readonly FolderCount[]): readonly FolderCount[] {
  const deepest = folders.reduce((most, { folder }) => Math.max(most, depthOf(folder)), 0);
  if (folders.length <= MOST_FOLDERS || deepest < 2) return folders;
  const counts = new Map<string, FolderCount>();
  for (const one of folders) {
    const folder = depthOf(one.folder) === deepest ? folderOf(one.folder.slice(0, -1)) : one.folder;
    const { scenarios = 0, trials = 0, tolerated = 0 } = counts.get(folder) ?? {};
    counts.set(folder, {
      folder,
      scenarios: scenarios + one.scenarios,
      trials: trials + one.trials,
      tolerated: tolerated + one.tolerated,
    });
  }
  return asFew([...counts.values()]);
}

function depthOf(folder: string): number {
  return folder.split('/').length - 1;
}

/** Whether it passed and nothing broke. */
function isFine({ verdict, trials }: ScenarioReport): boolean {
  return verdict === 'passed' && trials.broken === 0;
}

function passRateOf(scenario: ScenarioReport): number {
  return isSampled(scenario) ? scenario.passRate : 1;
}

/** The folder of a file, with a `/` at its end; `./` for none. */
export function folderOf(file: string): string {
  const end = file.lastIndexOf('/');
  return end === -1 ? './' : file.slice(0, end + 1);
}
