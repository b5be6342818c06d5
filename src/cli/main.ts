import { closeSync, fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import process from 'node:process';
import { isatty } from 'node:tty';
import { runCommandLine } from './run-command-line.ts';
import { complainAtOnce } from './terminal.ts';

// Node would end with 1, which means here that the gate has failed.
process.on('uncaughtException', (error) => {
  complainAtOnce(`passk: internal error, please report it.\n${error.stack ?? String(error)}\n`);
  process.exit(2);
});

process.on('exit', letGoOfClosedTerminal);

// The process has nothing left to do, but the command line has not ended: that is no success.
const onLost = (): void => {
  complainAtOnce('passk: internal error, please report it: the command stopped half-way.\n');
  process.exitCode = 2;
};
process.once('beforeExit', onLost);
runCommandLine(process.argv.slice(2)).then((exitCode) => {
  process.off('beforeExit', onLost);
  process.exitCode = exitCode;
  process.once('beforeExit', leave);
});

/** Ends the process at once. Node by itself would first free all of its memory, which takes time. */
function leave(): void {
  // Another listener may begin something new.
  if (process.listenerCount('beforeExit') === 0) process.exit();
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
