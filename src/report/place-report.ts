import type { Issue } from '../types/issue.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { SuiteReport } from '../types/reports/report.ts';
import type { ScenarioReport } from '../types/reports/scenario-report.ts';
import type { TimingReport } from '../types/reports/timing-report.ts';
import { nameFromRoot } from '../values/name-from-root.ts';
import { fileWord } from '../values/shell-word.ts';
import type { Reporter } from './reporter.ts';
import { type Placing, placedResults } from './result-kinds.ts';

/** The same reporter, which gets files and commands as a reader in the folder of the run types them. */
export function withPlaces(reporter: Reporter): Reporter {
  const { files } = reporter;
  return {
    ...reporter,
    render: (report, options) => reporter.render(placeReport(report), placeOptions(options, report.timing.root)),
    ...(files !== undefined && {
      files: (report, options) => files(placeReport(report), placeOptions(options, report.timing.root)),
    }),
  };
}

/**
 * The report with files and commands as a reader in the folder of the run types them. In the report itself, names of files
 * start from the suite root, so that they are the same in every clone, and commands do not depend on where trials ran.
 */
export function placeReport(report: SuiteReport): SuiteReport {
  const { root, isolation } = report.timing;
  if (root === undefined && isolation === undefined) return report;
  const placing: Placing = {
    file: (name) => nameFromRoot(root, name),
    command: (command, file) => placeCommand(command, file, report.timing),
  };
  return {
    ...report,
    scenarios: report.scenarios.map((scenario) => placeScenario(scenario, report.timing)),
    notices: placeIssues(report.notices, root),
    results: placedResults(report, placing),
  };
}

/** The same issues with places as a reader in that folder types them. */
export function placeIssues(issues: readonly Issue[], root: string | undefined): readonly Issue[] {
  if (root === undefined) return issues;
  return issues.map((issue) =>
    issue.at === undefined ? issue : { ...issue, at: { ...issue.at, file: nameFromRoot(root, issue.at.file) } },
  );
}

function placeScenario(scenario: ScenarioReport, timing: TimingReport): ScenarioReport {
  const { root } = timing;
  const file = nameFromRoot(root, scenario.file);
  if (scenario.verdict === 'load_error')
    return { ...scenario, file, loadErrors: placeIssues(scenario.loadErrors, root) };
  if (scenario.verdict === 'not_run') return { ...scenario, file };
  const { at, failures } = scenario;
  return {
    ...scenario,
    file,
    ...(at !== undefined && { at: { ...at, file: nameFromRoot(root, at.file) } }),
    failures: failures.map((failure) => ({ ...failure, replay: placeCommand(failure.replay, scenario.file, timing) })),
  };
}

/** The command with its file as a reader types it: every command names its file first. */
function placeCommand(command: string | null, file: string, { root, isolation }: TimingReport): string | null {
  const first = `passk trace ${fileWord(file)}`;
  if (command === null || !command.startsWith(first)) return command;
  const others = isolation === undefined ? '' : ` --isolation ${isolation}`;
  return `passk trace ${fileWord(nameFromRoot(root, file))}${command.slice(first.length)}${others}`;
}

/** Trends and traces name files as the report does, so they change in the same way. */
function placeOptions(options: RenderOptions, root: string | undefined): RenderOptions {
  const { trends, traces } = options;
  if (root === undefined) return options;
  const place = <T extends { readonly file: string }>(one: T): T => ({ ...one, file: nameFromRoot(root, one.file) });
  return {
    ...options,
    ...(trends !== undefined && { trends: trends.map(place) }),
    ...(traces !== undefined && { traces: traces.map(place) }),
  };
}
