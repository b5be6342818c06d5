import process from 'node:process';
import type { RunShardOptions, ShardResult } from '../public/shards.ts';
import type { Setting } from '../settings/setting.ts';
import { flagName } from '../settings/setting-names.ts';
import type { CommandSettings } from '../settings/setting-types.ts';
import { SETTINGS } from '../settings/table.ts';
import { withInterrupt } from './interrupt.ts';
import { messageOf } from './message-of.ts';
import { parseShard } from './parse-shard.ts';
import { createProgressDisplay } from './progress-display.ts';
import { requireWritable } from './reports.ts';
import { styleOf } from './style-of.ts';
import type { Terminal } from './terminal.ts';
import { type Planned, warnAhead } from './warn-ahead.ts';

export interface ShardCommand {
  readonly terminal: Terminal;
  /** As for a whole run. */
  readonly admit?: ((planned: Planned) => void) | undefined;
  /** Absent: a part of a run of the suite. */
  readonly run?: (options: RunShardOptions) => Promise<ShardResult>;
  /** What is done with all parts, in words. */
  readonly next?: string;
}

/** Runs one shard and writes its file; `merge` gives the verdict. Resolves to the exit code. */
export async function runShardCommand(
  settings: CommandSettings,
  options: Omit<RunShardOptions, 'shard'>,
  { terminal, admit, run, next = 'passk merge makes the report of all shards' }: ShardCommand,
): Promise<number> {
  const { renderShard, runShard } = await import('../public/shards.ts');
  const { PasskError, writeFileWhole } = await import('../public/suites.ts');
  const { out } = settings;
  if (settings.shard === undefined || out === undefined) {
    const [flag, missing] = settings.shard === undefined ? ['--out', '--shard i/n'] : ['--shard', '--out FILE'];
    throw new PasskError('USAGE', `${flag} needs ${missing}.`, {
      hint: 'One part of a run: passk run --shard 1/3 --out 1.shard.',
    });
  }
  if (settings.queue !== undefined) {
    throw new PasskError('USAGE', '--shard and --queue both hand out parts of a run.', { hint: 'Use one of them.' });
  }
  if (settings.open !== undefined) {
    throw new PasskError('USAGE', '--open shows the report of a whole run; a part has none.', {
      hint: 'passk merge with --reporter json:report.json makes the report, and passk open shows it as a page.',
    });
  }
  const misplaced = Object.entries<Setting>(SETTINGS).find(([name, { flag }]) => {
    const value = settings[name as keyof CommandSettings];
    return flag?.ofWholeRun === true && value !== undefined && value !== false;
  });
  if (misplaced !== undefined) {
    const name = `--${flagName(...misplaced)}`;
    throw new PasskError('USAGE', `${name} says something of a whole run; a part has no verdict and no report.`, {
      hint: `Give ${name} to passk merge.`,
    });
  }
  const { shard, from } = await parseShard(settings.shard, process.env);
  await requireWritable(out, 'shard');
  if (from !== null && settings.quiet !== true) {
    terminal.say(`this is shard ${shard.index} of ${shard.count}, say ${from}.`);
  }
  const style = { quiet: settings.quiet === true, verbose: settings.verbose === true };
  const progress = await createProgressDisplay(terminal, {
    ...style,
    color: settings.color !== false && terminal.errorColor,
  });
  const onInterrupt = (): void => {
    progress.clear();
    terminal.say('stopping; the shard covers what has run. Ctrl-C again stops at once.');
  };
  try {
    const { value, interrupted } = await withInterrupt(onInterrupt, (signal, begin) =>
      (run ?? runShard)({
        ...options,
        shard,
        onProgress: (event) => {
          if (event.kind === 'planned') {
            admit?.(event);
            begin();
            if (settings.quiet !== true) warnAhead(event.issues, terminal);
          }
          progress.show(event);
        },
        onOutput: (text) => {
          progress.clear();
          terminal.relay(text);
        },
        signal,
      }),
    );
    progress.clear();
    try {
      await writeFileWhole(out, value.bytes);
    } catch (cause) {
      throw new PasskError('OUTPUT', `The shard could not be written to ${out}: ${messageOf(cause)}.`, {
        hint: 'Run it again with another --out.',
        cause,
      });
    }
    const style = styleOf(settings, terminal);
    if (settings.quiet !== true) {
      terminal.print(renderShard(value.summary, style), style);
      terminal.print(`Written to ${out}; ${next}.\n`);
    }
    return interrupted ? 130 : 0;
  } finally {
    progress.clear();
  }
}
