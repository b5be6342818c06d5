import { type Command, InvalidArgumentError, Option } from 'commander';
import { oneOf, whole } from '../../settings/kinds.ts';
import type { Given } from '../../settings/setting-types.ts';
import { givenSettings, KindOption } from '../setting-option.ts';
import type { Terminal } from '../terminal.ts';

/** Its own flags. */
interface TableFlags {
  readonly tasks?: StatedTasks;
  readonly trials?: number;
  readonly scale?: 'percent' | 'fraction';
  readonly decimals?: number;
}

interface StatedTasks {
  readonly tasks?: number;
  readonly domainTasks: Readonly<Record<string, number>>;
}

const EXAMPLES = `
Rows are in JSON or CSV, with columns pass^1, pass^2, … (or pass_1, …) and optionally name, domain, tasks
and trials, or in submissions to the leaderboard of tau2-bench.

Exit codes: 0 every complete row is possible, 1 a row is impossible, 2 usage or input error,
3 not enough evidence: a complete row could not be decided, or no row is complete.

Examples:
  passk audit table submissions               every table in a folder
  passk audit table results.csv --tasks 100   a table that does not say how many tasks there were
  passk audit table s.json --tasks telecom=2285`;

type Done = (exitCode: number) => void;

/** Adds `passk audit`: whether what others published, or will be judged by, can be right. */
export function addAudit(program: Command, terminal: Terminal, done: Done): void {
  const audit = program
    .command('audit')
    .summary('check published results')
    .description('Checks whether published results can be right.');
  audit
    .command('table')
    .summary('check whether pass^1 … pass^n of tables can be true')
    .description(
      'Finds how many tasks had 0 to n successes from pass^1 … pass^n alone, or that no tasks and trials give these values.',
    )
    .argument('<files...>', 'files with tables, or folders of them')
    .addOption(
      new Option(
        '--tasks <n|domain=n>',
        'the tasks of rows that do not say how many, of all or of one domain; repeatable',
      ).argParser(parseTasks),
    )
    .addOption(
      new KindOption(
        '--trials <n>',
        'the trials of each task, where rows do not say (default: the last column)',
        whole(1),
      ),
    )
    .addOption(
      new KindOption(
        '--scale <scale>',
        'what values are: percent or fraction (default: percent where one is above 1)',
        oneOf(['percent', 'fraction']),
      ),
    )
    .addOption(
      new KindOption(
        '--decimals <n>',
        'values were rounded to so many decimals, though zeros at the end are not printed',
        whole(0),
      ),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: TableFlags, command: Command) =>
      done(await auditTables(paths, flags, { given: givenSettings(command), terminal })),
    );
}

async function auditTables(
  paths: readonly string[],
  { tasks: stated, ...flags }: TableFlags,
  { given, terminal }: { readonly given: Given; readonly terminal: Terminal },
): Promise<number> {
  const { auditExitCode, auditTable, renderTableAudit } = await import('../../index.ts');
  const audit = await auditTable({ paths, ...flags, ...stated });
  const { columns, unicode } = terminal;
  const style = { columns, unicode, color: given.color !== false && terminal.color };
  if (given.json === true) terminal.printJson(audit);
  else terminal.print(renderTableAudit(audit, style), style);
  return auditExitCode(audit);
}

function parseTasks(word: string, before: StatedTasks = { domainTasks: {} }): StatedTasks {
  const [, domain, count = ''] = /^(?:(.+)=)?(\d{1,9})$/s.exec(word) ?? [];
  if (Number(count) < 1)
    throw new InvalidArgumentError('Expected a whole number from 1, or a domain with one: retail=114.');
  if (domain === undefined) return { ...before, tasks: Number(count) };
  // No prototype: a domain may be called anything.
  const domainTasks = Object.assign(Object.create(null), before.domainTasks, { [domain]: Number(count) });
  return { ...before, domainTasks };
}
