import { closeSync, fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import process from 'node:process';
import { isatty } from 'node:tty';
import { messageOf } from '../values/message-of.ts';
import { thrownAt } from '../values/thrown-at.ts';
import { runCommandLine } from './run-command-line.ts';
import { complainAtOnce } from './terminal.ts';

/** What ends by itself ends within this. */
const LINGERING_MS = 5_000;
/** What the standard streams are, as Node calls it. */
const OUTPUTS: readonly string[] = ['PipeWrap', 'TTYWrap'];

// Node would end with 1, which means here that the gate has failed.
process.on('uncaughtException', (error: unknown) => {
  const place = thrownAt(error, new Error('here'));
  complain(place === null ? internalError(error) : lateError(error, place));
  process.exit(2);
});

process.on('exit', letGoOfClosedTerminal);

// A module of the user that ends the process would end it with the exit code of a verdict.
const onEndedByOthers = (): void =>
  complain('a module that was loaded has called process.exit(): there is no verdict.');
process.on('exit', onEndedByOthers);

// The process has nothing left to do, but the command line has not ended: that is no success.
process.once('beforeExit', onIdle);
function onIdle(): void {
  // Whoever waits for a module that never ends hears of it at the same time, and goes on.
  process.once('beforeExit', onLost);
  setImmediate(() => undefined);
}
function onLost(): void {
  complain('internal error, please report it: the command stopped half-way.');
}

runCommandLine(process.argv.slice(2)).then((exitCode) => {
  for (const listener of [onIdle, onLost]) process.off('beforeExit', listener);
  process.off('exit', onEndedByOthers);
  process.exitCode = exitCode;
  process.once('beforeExit', leave);
  leaveInTime();
});

function internalError(error: unknown): string {
  return `internal error, please report it.\n${error instanceof Error ? error.stack : messageOf(error)}`;
}

/** What a module of the user threw on this thread where nobody called it, as in a timer. */
function lateError(error: unknown, place: string): string {
  return (
    `code of a module failed at ${place}, where nobody waited for it: ${messageOf(error)}\n` +
    'There is no verdict. Catch there what it throws, or await what rejects.'
  );
}

/** Says why the command ends, once, and ends it with an error when it does. */
function complain(why: string): void {
  process.off('exit', onEndedByOthers);
  complainAtOnce(`passk: ${why}\n`);
  process.exitCode = 2;
}

/** Ends the process at once. Node by itself would first free all of its memory, which takes time. */
function leave(): void {
  // Another listener may begin something new.
  if (process.listenerCount('beforeExit') === 0) process.exit();
}

/** A timer or a server that a module has left behind would keep the process for ever. */
function leaveInTime(): void {
  setTimeout(() => {
    if (process.stdout.writableLength + process.stderr.writableLength > 0) {
      leaveInTime();
      return;
    }
    const left = process.getActiveResourcesInfo().filter((kind) => !OUTPUTS.includes(kind));
    const kinds = left.length === 0 ? '' : `: ${[...new Set(left)].join(', ')}`;
    complainAtOnce(`passk: something that a module has started still runs and is ended now${kinds}.\n`);
    process.exit();
  }, LINGERING_MS).unref();
}

/** Node restores terminals at its end, and aborts where one has been closed. It leaves out files that are closed. */
function letGoOfClosedTerminal(): void {
  for (const fd of [0, 1, 2]) {
    try {
      const device = fstatSync(fd);
      // Most commands read from no terminal at all, and `node:tty` takes longer to load than a small run.
      if (!device.isCharacterDevice() || device.rdev === statSync(devNull).rdev) continue;
      if (!isatty(fd)) closeSync(fd);
    } catch {
      // It is closed already.
    }
  }
}
