import { type Command, InvalidArgumentError, Option } from 'commander';
import { oneOf, share, wholeNumber } from '../../settings/kinds.ts';
import { RECORDINGS } from '../../settings/rows/recordings.ts';
import { settingsOf, KindOption } from '../setting-option.ts';
import { permissionOptions, runOptions, sameOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';
import { type CommandContext, printDocument } from '../print-document.ts';

/** Flags of `audit table` alone. */
interface TableFlags {
  readonly tasks?: TaskCounts;
  readonly trials?: number;
  readonly scale?: 'percent' | 'fraction';
  readonly decimals?: number;
}

interface TaskCounts {
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

/** Adds `passk audit`: checks published results, and sets of scenarios. */
export function addAudit(program: Command, terminal: Terminal, done: Done): void {
  const audit = program
    .command('audit')
    .summary('check published results, and sets of scenarios')
    .description('Checks whether published results can be right, and whether sets of scenarios tell anything.');
  addSet(audit, terminal, done);
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
        wholeNumber(1),
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
        wholeNumber(0),
      ),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: TableFlags, command: Command) =>
      done(await auditTables(paths, flags, { settings: settingsOf(command), terminal })),
    );
}

const SET_EXAMPLES = `
Trivial subjects stand in place of an agent, or of the models of a workflow; tasks of recorded runs are judged by
their gold calls. Nobody is asked.

Exit codes: 0 trivial subjects pass little and no gold answer fails, 1 they do not, 2 usage or input error,
3 not enough evidence: no trivial subject could be tried.

Examples:
  passk audit set scenarios                      scenarios and contracts of a folder
  passk audit set results.json                   tasks behind recorded runs
  passk audit set runs.json --reads 'get_*' --reads think --max-trivial 0.1`;

/** Flags of `audit set` alone. */
interface SetFlags {
  readonly maxTrivial?: number;
  readonly reads?: readonly string[];
}

function addSet(audit: Command, terminal: Terminal, done: Done): void {
  audit
    .command('set')
    .summary('check what trivial subjects pass, and gold answers fail')
    .description('Tries subjects that can do nothing, and answers held to be right, on a set of scenarios.')
    .argument('<paths...>', 'scenarios, contracts, recorded runs, or folders of them')
    .addOption(new KindOption('--max-trivial <share>', 'what a trivial subject may pass (default: 0.05)', share))
    .addOption(
      new Option('--reads <glob>', 'tools that only read, in place of the usual names; repeatable').argParser(
        (glob: string, before: readonly string[] = []) => [...before, glob],
      ),
    )
    .addHelpText('after', SET_EXAMPLES)
    .action(async (paths: readonly string[], flags: SetFlags, command: Command) =>
      done(await auditSets(paths, flags, { settings: settingsOf(command), terminal })),
    );
}

async function auditSets(
  paths: readonly string[],
  { maxTrivial, reads }: SetFlags,
  { settings, terminal }: CommandContext,
): Promise<number> {
  const { auditSet, renderSetAudit, setAuditExitCode } = await import('../../public/audits.ts');
  const { plugins, seed } = await runOptions([], settings, terminal);
  const audit = await auditSet({
    ...sameOptions(settings, RECORDINGS),
    ...permissionOptions(settings),
    ...(plugins !== undefined && { plugins }),
    ...(seed !== undefined && { seed }),
    ...(maxTrivial !== undefined && { maxTrivial }),
    ...(reads !== undefined && { reads }),
    paths,
    onOutput: terminal.relay,
  });
  await printDocument(audit, (style) => renderSetAudit(audit, style), { settings, terminal });
  return setAuditExitCode(audit);
}

async function auditTables(
  paths: readonly string[],
  { tasks: counts, ...flags }: TableFlags,
  context: CommandContext,
): Promise<number> {
  const { auditExitCode, auditTable, renderTableAudit } = await import('../../public/audits.ts');
  const audit = await auditTable({ paths, ...flags, ...counts });
  await printDocument(audit, (style) => renderTableAudit(audit, style), context);
  return auditExitCode(audit);
}

function parseTasks(word: string, before: TaskCounts = { domainTasks: {} }): TaskCounts {
  const [, domain, count = ''] = /^(?:(.+)=)?(\d{1,9})$/s.exec(word) ?? [];
  if (Number(count) < 1)
    throw new InvalidArgumentError('Expected a whole number from 1, or a domain with one: retail=114.');
  if (domain === undefined) return { ...before, tasks: Number(count) };
  // No prototype: a domain may be called anything.
  const domainTasks = Object.assign(Object.create(null), before.domainTasks, { [domain]: Number(count) });
  return { ...before, domainTasks };
}
