import { type Command, Option } from 'commander';
import { addBaselineFlags, type BaselineFlags, baselineOptions } from '../baseline-flags.ts';
import { openLiveReports } from '../live-reports.ts';
import { parseRate } from '../parse-number.ts';
import { planReports, reportOptions, writeReports } from '../reports.ts';
import { gateOption, minScoreOption, pluginOption, repeatableOption } from '../suite-flags.ts';
import type { Terminal } from '../terminal.ts';

interface MergeFlags extends BaselineFlags {
  readonly minPassRate?: number;
  readonly minScore?: number;
  readonly gate?: readonly string[];
  readonly json?: true;
  readonly reporter?: readonly string[];
  readonly plugin?: readonly string[];
  readonly partial?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  readonly color: boolean;
}

const EXAMPLES = `
Examples:
  passk run scenarios --shard 1/3 --out 1.shard    on one machine of three
  passk merge *.shard --min-pass-rate 0.95         once all three files are in one place`;

/** Adds `passk merge`: the files of all shards in, the report and verdict of one run out. */
export function addMerge(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const command = program
    .command('merge')
    .summary('merge the shards of a run into its report')
    .description('Makes the report and verdict of one run from the files of `run --shard`; needs no scenario files.')
    .argument('<files...>', 'the files of all shards, in any order')
    .addOption(
      new Option('--min-pass-rate <rate>', 'the pass rate from 0 to 1 that every scenario must reach').argParser(
        parseRate,
      ),
    )
    .addOption(minScoreOption())
    .addOption(gateOption())
    .option('--partial', 'report what is there when shards are missing or stopped early')
    .option('--json', 'print the report as JSON; short for --reporter json')
    .addOption(repeatableOption('-r, --reporter <name[:path]>', 'a report to make, on stdout or in a file'))
    .addOption(pluginOption())
    .option('-q, --quiet', 'only failures and the verdict')
    .option('-v, --verbose', 'every scenario, failure and notice')
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], flags: MergeFlags) => done(await merge(files, flags, terminal)));
  addBaselineFlags(command);
}

async function merge(files: readonly string[], flags: MergeFlags, terminal: Terminal): Promise<number> {
  const { exitCode, mergeShards } = await import('../../index.ts');
  const targets = await planReports(flags.reporter ?? [], {
    json: flags.json === true,
    ...(flags.plugin !== undefined && { plugins: flags.plugin }),
  });
  const options = reportOptions(terminal, {
    color: flags.color && terminal.color,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
  });
  const compared = await baselineOptions(flags, async () => false);
  const following = targets.filter(({ reporter }) => reporter.event !== undefined);
  const live = await openLiveReports(following, { terminal, options });
  try {
    const { report, notices } = await mergeShards(files, {
      onProgress: live.show,
      ...compared,
      ...(flags.minPassRate !== undefined && { minPassRate: flags.minPassRate }),
      ...(flags.minScore !== undefined && { minScore: flags.minScore }),
      ...(flags.gate !== undefined && { gates: flags.gate }),
      ...(flags.partial === true && { partial: true }),
    });
    for (const notice of notices) terminal.say(notice);
    const atEnd = targets.filter((target) => !following.includes(target));
    const failures = [...(await live.close()), ...(await writeReports(report, atEnd, { terminal, options }))];
    for (const failure of failures) terminal.say(failure);
    return exitCode(report, { outputFailed: failures.length > 0 });
  } finally {
    await live.close();
  }
}
