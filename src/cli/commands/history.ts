import { type Command, InvalidArgumentError, Option } from 'commander';
import type { HistoryContents, RenderOptions } from '../../index.ts';
import { DEFAULT_HISTORY } from '../baseline-flags.ts';
import { wholeOption } from '../suite-flags.ts';
import type { Terminal } from '../terminal.ts';

interface FolderFlags {
  readonly history?: string;
  readonly color: boolean;
}

interface TrendFlags extends FolderFlags {
  readonly limit?: number;
  readonly since?: string;
  readonly json?: true;
}

type Done = (exitCode: number) => void;

/** Points of a trend that fit beside the other columns. */
const MOST_POINTS = 20;
const MS_OF = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

const EXAMPLES = `
A run is kept when it is told to be: passk run --history .passk/history, or \`history = ".passk/history"\`
in passk.toml. Under a trend, a line stands where scenario, seed, sampler or passk changed.

Examples:
  passk history                        every scenario of the newest runs
  passk history refund --since 30d     scenarios with "refund" in their name, of the last 30 days
  passk history show latest            the newest run in full
  passk history prune --keep 100       all but the newest 100 runs are deleted`;

/** Adds `passk history`: how each scenario fared over the runs that were kept. */
export function addHistory(program: Command, terminal: Terminal, done: Done): void {
  const command = program
    .command('history')
    .summary('show how scenarios fared over the runs that were kept')
    // What follows `show` and `prune` is theirs.
    .enablePositionalOptions()
    .description('Shows the trend of each scenario over the runs that `run --history` kept.')
    .argument('[names...]', 'only scenarios whose name contains one of these, or matches /this/')
    .addOption(folderOption())
    .addOption(
      wholeOption('--limit <n>', `the newest runs of each scenario that are shown (default: ${MOST_POINTS})`, 1),
    )
    .addOption(
      new Option('--since <time>', 'only runs since then: a date, a time in ISO 8601, or 12h, 30d, 8w').argParser(
        parseSince,
      ),
    )
    .option('--json', 'print the trends as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (names: readonly string[], flags: TrendFlags) => done(await showTrends(names, flags, terminal)));
  command
    .command('show')
    .summary('show one run that was kept')
    .argument('<run>', 'the id of a run or its first digits, or `latest`')
    .addOption(folderOption())
    .option('--json', 'print the run as JSON')
    .action(async (id: string, flags: TrendFlags) => done(await showRun(id, flags, terminal)));
  command
    .command('prune')
    .summary('delete all but the newest runs')
    .addOption(folderOption())
    .addOption(wholeOption('--keep <n>', 'how many runs are kept', 0).makeOptionMandatory())
    .action(async (flags: FolderFlags & { readonly keep: number }) => done(await prune(flags, terminal)));
}

function folderOption(): Option {
  return new Option('--history <dir>', `the folder that keeps the runs (default: ${DEFAULT_HISTORY})`);
}

async function showTrends(names: readonly string[], flags: TrendFlags, terminal: Terminal): Promise<number> {
  const { historyTrends, nameFilter, renderHistory } = await import('../../index.ts');
  const matches = nameFilter(names);
  const { runs } = await readRuns(flags, terminal);
  const trends = historyTrends(runs, {
    limit: flags.limit ?? MOST_POINTS,
    ...(flags.since !== undefined && { since: flags.since }),
  }).filter(({ name }) => matches(name));
  if (flags.json === true) terminal.printJson(trends);
  else if (runs.length > 0) {
    const style = styleOf(flags, terminal);
    terminal.print(renderHistory(trends, style), style);
  }
  return 0;
}

async function showRun(id: string, flags: TrendFlags, terminal: Terminal): Promise<number> {
  const { PasskError, renderKeptRun } = await import('../../index.ts');
  const { runs } = await readRuns(flags, terminal);
  const found = id === 'latest' ? runs.slice(-1) : runs.filter((kept) => kept.id.startsWith(id));
  const [kept, other] = found;
  if (kept === undefined || other !== undefined) {
    const newest = runs.slice(-5).map((one) => `${one.id} of ${one.run.startedAt}`);
    throw new PasskError('USAGE', `${kept === undefined ? 'No' : 'More than one'} run is called "${id}".`, {
      hint: newest.length === 0 ? 'No run is kept there.' : `The newest runs: ${newest.join(', ')}.`,
    });
  }
  const style = styleOf(flags, terminal);
  if (flags.json === true) terminal.printJson({ id: kept.id, ...kept.run });
  else terminal.print(renderKeptRun(kept, style), style);
  return 0;
}

async function prune(flags: FolderFlags & { readonly keep: number }, terminal: Terminal): Promise<number> {
  const { openHistory } = await import('../../index.ts');
  const { removed, notices } = await openHistory(flags.history ?? DEFAULT_HISTORY).prune(flags.keep);
  complain(notices, terminal);
  terminal.print(`${removed.length} ${removed.length === 1 ? 'run' : 'runs'} deleted.\n`);
  return 0;
}

async function readRuns({ history: folder }: FolderFlags, terminal: Terminal): Promise<HistoryContents> {
  const { readHistory } = await import('../../index.ts');
  const contents = await readHistory(folder ?? DEFAULT_HISTORY);
  complain(contents.notices, terminal);
  if (contents.runs.length === 0) {
    terminal.say(
      `${folder ?? DEFAULT_HISTORY} holds no run; passk run --history ${folder ?? DEFAULT_HISTORY} keeps one.`,
    );
  }
  return contents;
}

function complain(notices: readonly string[], terminal: Terminal): void {
  for (const notice of notices) terminal.say(notice);
}

function styleOf({ color }: FolderFlags, terminal: Terminal): Partial<RenderOptions> {
  const { columns, unicode } = terminal;
  return { columns, unicode, color: color && terminal.color };
}

/** ISO 8601 of what people write. */
function parseSince(text: string): string {
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  if (count !== undefined && (unit === 'h' || unit === 'd' || unit === 'w')) {
    return new Date(Date.now() - Number(count) * MS_OF[unit]).toISOString();
  }
  const time = /^\d{4}-\d\d(-\d\d|$)/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Expected a date such as 2026-01-31, or 12h, 30d, 8w.');
  return new Date(time).toISOString();
}
