import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { HistoryContents } from '../../public/evidence.ts';
import { DEFAULT_HISTORY } from '../../settings/rows/comparison.ts';
import { wholeNumber } from '../../settings/kinds.ts';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { settingsOf, KindOption } from '../setting-option.ts';
import { momentOf } from '../../text/moment.ts';
import type { Terminal } from '../terminal.ts';
import { printDocument } from '../print-document.ts';

/** Its own flags. */
interface TrendFlags {
  readonly limit?: number;
  readonly since?: string;
}

type Done = (exitCode: number) => void;

/** Points of a trend that fit beside the other columns. */
const MOST_POINTS = 20;
const MS_OF = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

const EXAMPLES = `
Runs are kept where you ask for it: passk run --history .passk/history, or \`history = ".passk/history"\`
in passk.toml. Under a trend, a line stands where scenario, seed, sampler or passk changed.

Examples:
  passk history                        every scenario of the newest runs
  passk history refund --since 30d     scenarios with "refund" in their name, of the last 30 days
  passk history show latest            the newest run in full
  passk history prune --keep 100       all but the newest 100 runs are deleted`;

/** Adds `passk history`: shows how each scenario fared over earlier runs. */
export function addHistory(program: Command, terminal: Terminal, done: Done): void {
  const command = program
    .command('history')
    .summary('show how scenarios fared over the runs that were kept')
    // Flags after `show` and `prune` are those of the subcommand.
    .enablePositionalOptions()
    .description('Shows the trend of each scenario over the runs that `run --history` kept.')
    .argument('[names...]', 'only scenarios whose name contains one of these, or matches /this/')
    .addOption(
      new KindOption(
        '--limit <n>',
        `the newest runs of each scenario that are shown (default: ${MOST_POINTS})`,
        wholeNumber(1),
      ),
    )
    .addOption(
      new Option('--since <time>', 'only runs since then: a date, a time with its zone, or 12h, 30d, 8w').argParser(
        parseSince,
      ),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (names: readonly string[], flags: TrendFlags, command: Command) =>
      done(await showTrends(names, { ...flags, ...settingsOf(command) }, terminal)),
    );
  command
    .command('show')
    .summary('show one run that was kept')
    .argument('<run>', 'the id of a run or its first digits, or `latest`')
    .action(async (id: string, _, command: Command) => done(await showRun(id, settingsOf(command), terminal)));
  command
    .command('prune')
    .summary('delete all but the newest runs')
    .addOption(new KindOption('--keep <n>', 'how many runs are kept', wholeNumber(0)).makeOptionMandatory())
    .action(async ({ keep }: { readonly keep: number }, command: Command) =>
      done(await prune(keep, settingsOf(command), terminal)),
    );
}

async function showTrends(
  names: readonly string[],
  flags: TrendFlags & CommandSettings,
  terminal: Terminal,
): Promise<number> {
  const { nameFilter } = await import('../../public/suites.ts');
  const { historyTrends, renderHistory } = await import('../../public/evidence.ts');
  const matches = nameFilter(names);
  const { runs } = await readRuns(flags, terminal);
  if (runs.length === 0) sayFolders(names, terminal);
  const isUnknown = runs.length > 0 && !runs.some(({ run }) => run.scenarios.some(({ name }) => matches(name)));
  const trends = historyTrends(runs, {
    limit: flags.limit ?? MOST_POINTS,
    ...(flags.since !== undefined && { since: flags.since }),
  }).filter(({ name }) => matches(name));
  if (flags.json === true || (runs.length > 0 && !isUnknown)) {
    await printDocument(trends, (style) => renderHistory(trends, style), { settings: flags, terminal });
  }
  if (!isUnknown) return 0;
  // As in `list`, a name that nothing has is an error.
  terminal.say(`No scenario of the runs in ${folderOf(flags)} has such a name.`);
  return 2;
}

async function showRun(id: string, flags: CommandSettings, terminal: Terminal): Promise<number> {
  const { PasskError } = await import('../../public/suites.ts');
  const { renderKeptRun } = await import('../../public/evidence.ts');
  const { runs } = await readRuns(flags, terminal);
  const matches = id === 'latest' ? runs.slice(-1) : runs.filter((entry) => entry.id.startsWith(id));
  const [entry, other] = matches;
  if (entry === undefined || other !== undefined) {
    const newest = runs.slice(-5).map((one) => `${one.id} of ${one.run.startedAt}`);
    throw new PasskError('USAGE', `${entry === undefined ? 'No' : 'More than one'} run is called "${id}".`, {
      hint: newest.length === 0 ? 'No run is kept there.' : `The newest runs: ${newest.join(', ')}.`,
    });
  }
  const document = { id: entry.id, ...entry.run };
  await printDocument(document, (style) => renderKeptRun(entry, style), { settings: flags, terminal });
  return 0;
}

async function prune(keep: number, settings: CommandSettings, terminal: Terminal): Promise<number> {
  const { openHistory } = await import('../../public/evidence.ts');
  const { removed, notices } = await openHistory(folderOf(settings)).prune(keep);
  complain(notices, terminal);
  terminal.print(`${removed.length} ${removed.length === 1 ? 'run' : 'runs'} deleted.\n`);
  return 0;
}

async function readRuns(settings: CommandSettings, terminal: Terminal): Promise<HistoryContents> {
  const { readHistory } = await import('../../public/evidence.ts');
  const folder = folderOf(settings);
  const contents = await readHistory(folder);
  complain(contents.notices, terminal);
  if (contents.runs.length === 0) {
    terminal.say(`${folder} holds no run; passk run --history ${folder} keeps one.`);
  }
  return contents;
}

/** A folder after `history` is meant as the one to read, and not as a part of a scenario's name. */
function sayFolders(names: readonly string[], terminal: Terminal): void {
  const folder = names.find((name) => statSync(name, { throwIfNoEntry: false })?.isDirectory() === true);
  if (folder !== undefined)
    terminal.say(`"${folder}" was taken for a part of a name; a folder is --history ${folder}.`);
}

function folderOf({ history }: CommandSettings): string {
  return typeof history === 'string' ? history : DEFAULT_HISTORY;
}

function complain(notices: readonly string[], terminal: Terminal): void {
  for (const notice of notices) terminal.say(notice);
}

/** ISO 8601 of what people write. */
function parseSince(text: string): string {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  if (count !== undefined && (unit === 'h' || unit === 'd' || unit === 'w')) {
    return new Date(Date.now() - Number(count) * MS_OF[unit]).toISOString();
  }
  const time = momentOf(/^\d{4}-\d\d$/.test(text) ? `${text}-01` : text);
  if (time === null) {
    throw new InvalidArgumentError('Expected a date such as 2026-01-31, a time with its zone, or 12h, 30d, 8w.');
  }
  return new Date(time).toISOString();
}
