import { type Command, Option } from 'commander';
import type { RunWorkerOptions } from '../../index.ts';
import { withInterrupt } from '../interrupt.ts';
import { addPermissionFlags, type PermissionFlags, permissionOptions } from '../permission-flags.ts';
import { isolationOption, pluginOption, queueTimeoutOption, wholeOption } from '../suite-flags.ts';
import type { Terminal } from '../terminal.ts';

interface WorkerFlags extends PermissionFlags {
  readonly queue?: string;
  readonly queueTimeout?: number;
  readonly as?: string;
  readonly once?: true;
  readonly workers?: number;
  readonly isolation?: NonNullable<RunWorkerOptions['isolation']>;
  readonly concurrency?: number;
  readonly plugin?: readonly string[];
  readonly quiet?: true;
}

const EXAMPLES = `
A worker needs no scenario files. Start as many as there are machines, before or after the run:

  PASSK_QUEUE=redis://queue.example:6379 passk worker
  PASSK_QUEUE=redis://queue.example:6379 passk run scenarios

It runs plug-ins and reaches the real world only as its own flags say. Ctrl-C finishes the blocks in work and leaves.
Whoever lists the processes of a machine sees --queue: give an address with a password in PASSK_QUEUE.`;

/** Adds `passk worker`: takes part in the runs of a queue until Ctrl-C. */
export function addWorker(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const command = program
    .command('worker')
    .summary('run trials for passk run --queue')
    .description('Takes part in the runs of a queue, on its own pool of workers, until Ctrl-C.')
    .option('--queue <url>', 'the Redis of the queue, redis:// or rediss://; better as PASSK_QUEUE')
    .addOption(queueTimeoutOption())
    .option('--as <name>', 'what the host calls this worker (default: machine and process number)')
    .option('--once', 'leave when the first run that it took part in has ended')
    .addOption(wholeOption('-j, --workers <n>', 'worker threads; 0 runs inline (default: one per core)', 0))
    .addOption(isolationOption())
    .addOption(
      wholeOption('--concurrency <n>', 'trials in flight that wait for the outside world (default: 16 per worker)', 1),
    )
    .addOption(pluginOption());
  addPermissionFlags(command);
  command
    .addOption(new Option('-q, --quiet', 'say nothing but what keeps it from working'))
    .addHelpText('after', EXAMPLES)
    .action(async (flags: WorkerFlags) => done(await work(flags, terminal)));
}

async function work(flags: WorkerFlags, terminal: Terminal): Promise<number> {
  const { PasskError, runWorker } = await import('../../index.ts');
  const { queue: url, queueTimeout, as: name, once, workers, isolation, concurrency, plugin: plugins, quiet } = flags;
  if (url === undefined) {
    throw new PasskError('USAGE', 'A worker needs the address of its queue.', {
      hint: 'Set PASSK_QUEUE=redis://host:6379, or give --queue.',
    });
  }
  const say = (text: string): void => {
    if (quiet !== true) terminal.say(text);
  };
  say('this worker waits for runs; Ctrl-C leaves.');
  const onInterrupt = (): void => say('leaving once the blocks in work are done. Ctrl-C again stops at once.');
  await withInterrupt(onInterrupt, (signal, begin) => {
    begin();
    return runWorker({
      queue: { url, onNotice: say, ...(queueTimeout !== undefined && { outageMs: queueTimeout * 1000 }) },
      ...(name !== undefined && { name }),
      ...(once === true && { once }),
      ...(workers !== undefined && { workers }),
      ...(isolation !== undefined && { isolation }),
      ...(concurrency !== undefined && { concurrency }),
      ...(plugins !== undefined && { plugins }),
      ...permissionOptions(flags),
      onOutput: terminal.relay,
      signal,
    });
  });
  // Leaving when asked is what a worker is for.
  return 0;
}
