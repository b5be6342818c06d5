import type { Command } from 'commander';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { forecastOption } from '../forecast-option.ts';
import { openLiveReports } from '../live-reports.ts';
import { followsRun, planReports, reportOptions, requireWritable, writeReports } from '../reports.ts';
import { settingsOf } from '../setting-option.ts';
import { permissionOptions, sameOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';

/** Its own flags. */
interface MergeFlags {
  readonly partial?: true;
}

const EXAMPLES = `
Examples:
  passk run scenarios --shard 1/3 --out 1.shard    on one machine of three
  passk merge *.shard --min-pass-rate 0.95         once all three files are in one place`;

/** Adds `passk merge`: makes the report and verdict of one run from the files of its shards. */
export function addMerge(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('merge')
    .summary('merge the shards of a run into its report')
    .description('Makes the report and verdict of one run from the files of `run --shard`; needs no scenario files.')
    .argument('<files...>', 'the files of all shards, in any order')
    .option('--partial', 'report what is there when shards are missing or stopped early')
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], { partial }: MergeFlags, command: Command) =>
      done(await merge(files, { ...settingsOf(command), partial: partial === true }, terminal)),
    );
}

interface Merge extends CommandSettings {
  readonly partial: boolean;
}

async function merge(files: readonly string[], { partial, ...settings }: Merge, terminal: Terminal): Promise<number> {
  const { exitCode } = await import('../../public/suites.ts');
  const { mergeShards } = await import('../../public/shards.ts');
  const { plugins, ...mergeOptions } = {
    ...sameOptions(settings),
    ...(await forecastOption(settings, async () => false)),
  };
  const targets = await planReports(settings.reporters ?? [], {
    json: settings.json === true,
    ...(plugins !== undefined && { plugins }),
    ...permissionOptions(settings),
  });
  const options = reportOptions(terminal, {
    color: settings.color !== false && terminal.color,
    quiet: settings.quiet === true,
    verbose: settings.verbose === true,
  });
  if (mergeOptions.saveBaseline !== undefined) await requireWritable(mergeOptions.saveBaseline, 'baseline');
  const liveTargets = targets.filter(followsRun);
  const live = await openLiveReports(liveTargets, { terminal, options });
  try {
    const { report, notices } = await mergeShards(files, {
      onProgress: live.show,
      ...mergeOptions,
      ...(plugins !== undefined && { plugins }),
      ...(settings.judges !== undefined && { judges: settings.judges }),
      ...(partial && { partial }),
    });
    for (const notice of notices) terminal.say(notice);
    const place = { terminal, options, ...permissionOptions(settings) };
    const atEnd = targets.filter((target) => !liveTargets.includes(target));
    const failures = [...(await live.close()), ...(await writeReports(report, atEnd, place))];
    for (const failure of failures) terminal.say(failure);
    return exitCode(report, { outputFailed: failures.length > 0 });
  } finally {
    await live.close();
  }
}
