import { closeSync, fstatSync } from 'node:fs';
import process from 'node:process';
import { isatty } from 'node:tty';
import { runCommandLine } from './run-command-line.ts';
import { complainAtOnce } from './terminal.ts';

// Node would end with 1, which here says that the gate has failed.
process.on('uncaughtException', (error) => {
  complainAtOnce(`passk: internal error, please report it.\n${error.stack ?? String(error)}\n`);
  process.exit(2);
});

process.on('exit', letGoOfClosedTerminal);

// A command line that nothing carries on any more has not succeeded.
const lost = (): void => {
  complainAtOnce('passk: internal error, please report it: the command stopped half-way.\n');
  process.exitCode = 2;
};
process.once('beforeExit', lost);
runCommandLine(process.argv.slice(2)).then((exitCode) => {
  process.off('beforeExit', lost);
  process.exitCode = exitCode;
  process.once('beforeExit', leave);
});

/** Nothing is left to do: by itself Node would now take apart, piece by piece, all that it has in memory. */
function leave(): void {
  // Whoever else waits for this moment may begin something new.
  if (process.listenerCount('beforeExit') === 0) process.exit();
}

/** Node aborts where it cannot give a terminal back as it was, which a closed one refuses. It passes over closed files. */
function letGoOfClosedTerminal(): void {
  for (const fd of [0, 1, 2]) {
    try {
      if (fstatSync(fd).isCharacterDevice() && !isatty(fd)) closeSync(fd);
    } catch {
      // It is closed already.
    }
  }
}
