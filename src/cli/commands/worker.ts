import type { Command } from 'commander';
import type { CommandSettings } from '../../settings/setting-types.ts';
import { withInterrupt } from '../interrupt.ts';
import { settingsOf } from '../setting-option.ts';
import { permissionOptions, queueOptions, sameOptions } from '../setting-options.ts';
import type { Terminal } from '../terminal.ts';

/** Its own flags. */
interface WorkerFlags {
  readonly as?: string;
  readonly once?: true;
}

const EXAMPLES = `
A worker needs no scenario files. Start as many as there are machines, before or after the run:

  PASSK_QUEUE=redis://queue.example:6379 passk worker
  PASSK_QUEUE=redis://queue.example:6379 passk run scenarios

It runs plug-ins and reaches the real world only as its own flags say. Ctrl-C finishes the blocks in work and leaves.
Whoever lists the processes of a machine sees --queue: give an address with a password in PASSK_QUEUE.`;

/** Adds `passk worker`: takes part in the runs of a queue until Ctrl-C. */
export function addWorker(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('worker')
    .summary('run trials for passk run --queue')
    .description('Takes part in the runs of a queue, on its own pool of workers, until Ctrl-C.')
    .option('--as <name>', 'what the host calls this worker (default: machine and process number)')
    .option('--once', 'leave when the first run that it took part in has ended')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: WorkerFlags, command: Command) => done(await work(flags, settingsOf(command), terminal)));
}

async function work({ as: name, once }: WorkerFlags, settings: CommandSettings, terminal: Terminal): Promise<number> {
  const { PasskError } = await import('../../public/suites.ts');
  const { runWorker } = await import('../../public/engines.ts');
  const say = (text: string): void => {
    if (settings.quiet !== true) terminal.say(text);
  };
  const { queue } = queueOptions(settings, { say });
  if (queue === undefined) {
    throw new PasskError('USAGE', 'A worker needs the address of its queue.', {
      hint: 'Set PASSK_QUEUE=redis://host:6379, or give --queue.',
    });
  }
  const onInterrupt = (): void => say('leaving once the blocks in work are done. Ctrl-C again stops at once.');
  await withInterrupt(onInterrupt, (signal, begin) => {
    begin();
    say('this worker waits for runs; Ctrl-C leaves.');
    return runWorker({
      ...sameOptions(settings),
      ...permissionOptions(settings),
      queue,
      ...(name !== undefined && { name }),
      ...(once === true && { once }),
      onOutput: terminal.relay,
      signal,
    });
  });
  // A worker that leaves when it is told to has succeeded.
  return 0;
}
