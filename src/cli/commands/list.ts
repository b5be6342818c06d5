import type { Command } from 'commander';
import { alignColumns } from '../align-columns.ts';
import type { Scenario, SuiteDefinition } from '../../public/types.ts';
import { hasResult } from '../../values/has-result.ts';
import { nounOf } from '../../values/noun-of.ts';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { settingsOf } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';

interface ListRow {
  readonly name: string;
  readonly file: string;
  /** For a contract and its like: the sum over the scenarios that it is run as. */
  readonly trials: number;
  readonly tags: readonly string[];
  readonly description: string | null;
  readonly contract?: { readonly columns: readonly string[]; readonly prompts: readonly string[] };
  /** The kind of suite, if it is no contract. */
  readonly suite?: string;
}

/** Adds `passk list`: names what a run with the same paths and filters would run. */
export function addList(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('list')
    .summary('list scenarios without running them')
    .description('Lists the scenarios that a run with the same paths and filters would run.')
    .argument('[paths...]', 'scenario files, folders or globs (default: the current folder)')
    .action(async (paths: readonly string[], _, command: Command) =>
      done(await list(paths, settingsOf(command), terminal)),
    );
}

async function list(paths: readonly string[], settings: CommandSettings, terminal: Terminal): Promise<number> {
  const { loadSuite, printIssues } = await import('../../public/suites.ts');
  const { scenarios, definitions, issues, files } = await loadSuite(await runOptions(paths, settings, terminal));
  // A contract is one row, though it runs as several scenarios.
  const rows: readonly ListRow[] = [
    ...scenarios
      .filter(({ part }) => part === undefined)
      .map(({ name, file, trials, tags, description = null }) => ({ name, file, trials, tags, description })),
    ...definitions.filter(hasResult).map((definition) => rowOf(definition, scenarios)),
  ];
  const errors = issues.filter((issue) => issue.severity === 'error');
  if (settings.json === true) terminal.printJson(rows);
  else if (rows.length > 0) {
    const head = ['scenario', 'trials', 'file', 'tags'];
    const cells = rows.map((row) => {
      const { contract, suite } = row;
      const tags = contract === undefined ? (suite ?? row.tags.join(', ')) : `contract: ${contract.columns.join(', ')}`;
      return [row.name, String(row.trials), row.file, tags];
    });
    terminal.print(alignColumns([head, ...cells]));
  }
  // As in a run, nothing to run is an error.
  if (rows.length === 0 && errors.length === 0) {
    terminal.say(files.length === 0 ? 'No scenario is there.' : 'No name or tag matches.');
    return 2;
  }
  const color = settings.color !== false && terminal.errorColor;
  if (errors.length > 0) terminal.complain(printIssues(errors, { color }), { color });
  return errors.length > 0 ? 2 : 0;
}

function rowOf(definition: SuiteDefinition, scenarios: readonly Scenario[]): ListRow {
  const { name, file } = definition;
  const description = 'description' in definition ? (definition.description ?? null) : null;
  const parts = scenarios.filter(({ part }) => part?.of === name);
  const trials = parts.reduce((sum, one) => sum + one.trials, 0);
  const row = { name, file, trials, tags: [], description };
  if (!('matrix' in definition)) return { ...row, suite: nounOf(definition) };
  const { matrix, prompts } = definition;
  const chosen = new Set(parts.map(({ part }) => (part?.kind === 'contract' ? part.column : null)));
  const columns = matrix.map((column) => column.name).filter((column) => chosen.has(column));
  return { ...row, contract: { columns, prompts } };
}
