import process from 'node:process';
import type { RunShardOptions } from '../index.ts';
import type { BaselineFlags } from './baseline-flags.ts';
import { withInterrupt } from './interrupt.ts';
import { messageOf } from './message-of.ts';
import { parseShard } from './parse-shard.ts';
import { createProgressDisplay } from './progress-display.ts';
import { requireWritable } from './reports.ts';
import type { Terminal } from './terminal.ts';
import { warnAhead } from './warn-ahead.ts';

/** The flags of `run` that say which part to run, and those that only a whole run can heed. */
export interface ShardFlags extends BaselineFlags {
  readonly shard?: string;
  readonly out?: string;
  readonly queue?: string;
  readonly json?: true;
  readonly reporter?: readonly string[];
  readonly minPassRate?: number;
  readonly minScore?: number;
  readonly gate?: readonly string[];
  readonly quiet?: true;
  readonly verbose?: true;
  readonly color: boolean;
}

/** What only a whole run can heed. */
const WHOLE_RUN = [
  'json',
  'reporter',
  'minPassRate',
  'minScore',
  'gate',
  'baseline',
  'saveBaseline',
  'history',
  'forecastRunsPerDay',
] as const;

/** Runs one part of a run and writes its file; the verdict is left to `merge`. Resolves to the exit code. */
export async function runShardCommand(
  flags: ShardFlags,
  options: Omit<RunShardOptions, 'shard'>,
  terminal: Terminal,
): Promise<number> {
  const { PasskError, renderShard, runShard, writeFileWhole } = await import('../index.ts');
  const { out } = flags;
  if (flags.shard === undefined || out === undefined) {
    const [given, other] = flags.shard === undefined ? ['--out', '--shard i/n'] : ['--shard', '--out FILE'];
    throw new PasskError('USAGE', `${given} needs ${other}.`, {
      hint: 'One part of a run: passk run --shard 1/3 --out 1.shard.',
    });
  }
  if (flags.queue !== undefined) {
    throw new PasskError('USAGE', '--shard and --queue both hand out parts of a run.', { hint: 'Use one of them.' });
  }
  const misplaced = WHOLE_RUN.find((name) => flags[name] !== undefined && flags[name] !== false);
  if (misplaced !== undefined) {
    const name = `--${misplaced.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new PasskError('USAGE', `${name} says something of a whole run; a part has no verdict and no report.`, {
      hint: `Give ${name} to passk merge.`,
    });
  }
  const { shard, from } = await parseShard(flags.shard, process.env);
  await requireWritable(out, 'shard');
  if (from !== null && flags.quiet !== true) {
    terminal.say(`this is shard ${shard.index} of ${shard.count}, say ${from}.`);
  }
  const style = { quiet: flags.quiet === true, verbose: flags.verbose === true };
  const progress = await createProgressDisplay(terminal, { ...style, color: flags.color && terminal.errorColor });
  const onInterrupt = (): void => {
    progress.clear();
    terminal.say('stopping; the shard covers what has run. Ctrl-C again stops at once.');
  };
  try {
    const { value, interrupted } = await withInterrupt(onInterrupt, (signal, begin) =>
      runShard({
        ...options,
        shard,
        onProgress: (event) => {
          if (event.kind === 'planned') {
            begin();
            if (flags.quiet !== true) warnAhead(event.issues, terminal);
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
    const { columns, unicode } = terminal;
    const style = { columns, unicode, color: flags.color && terminal.color };
    if (flags.quiet !== true) {
      terminal.print(renderShard(value.summary, style), style);
      terminal.print(`Written to ${out}; passk merge makes the report of all shards.\n`);
    }
    return interrupted ? 130 : 0;
  } finally {
    progress.clear();
  }
}
