import { existsSync } from 'node:fs';
import { CommanderError } from 'commander';
import { messageOf } from './message-of.ts';
import { unboundList, withBareValues } from './bare-flags.ts';
import { openOutput } from './open-output.ts';
import { printFailure } from './print-failure.ts';
import { createProgram, VERBS } from './program.ts';
import { createTerminal, type Terminal } from './terminal.ts';

const HELP = new Set(['-h', '--help']);
const VERSION_FLAGS = new Set(['-V', '--version']);

/** Carries out one command line; resolves to the exit code once everything printed has been handed over. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const terminal = createTerminal(process, {
    stdout: openOutput(1, () => process.stdout),
    stderr: openOutput(2, () => process.stderr),
  });
  if (VERSION_FLAGS.has(args[0] ?? '')) return printVersion(terminal);
  const unbound = unboundList(args, existsSync);
  if (unbound !== null) return printFailure(terminal, await usage(unbound));
  let exitCode = 0;
  const words = withVerb(withBareValues(args));
  const ended = (code: number): void => {
    exitCode = code;
  };
  try {
    const program = await createProgram(terminal, ended, { verb: onlyVerb(words) });
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) return printFailure(terminal, error);
    exitCode = error.exitCode === 0 ? 0 : 2;
  }
  return flushed(terminal, exitCode);
}

async function usage(message: string): Promise<Error> {
  const { PasskError } = await import('../index.ts');
  return new PasskError('USAGE', message);
}

/** The exit code, unless the last of what was printed could not be written. */
async function flushed(terminal: Terminal, exitCode: number): Promise<number> {
  try {
    await terminal.flush();
    return exitCode;
  } catch (error) {
    terminal.say(`Standard output cannot be written: ${messageOf(error)}.`);
    return exitCode === 130 || exitCode === 4 ? exitCode : 2;
  }
}

/** Bare paths and flags mean `run`; a bare word that is neither a verb nor a path stays one, to be refused as a verb. */
function withVerb(args: readonly string[]): readonly string[] {
  const first = args[0];
  if (first === undefined) return ['run'];
  if (VERBS.has(first) || HELP.has(first)) return args;
  return first.startsWith('-') || looksLikePath(first) ? ['run', ...args] : args;
}

/** The command that is asked for, where no other has to be known: `config` and misspelt variables speak of them all. */
function onlyVerb([verb = '']: readonly string[]): string {
  const needsAll = verb === 'config' || Object.keys(process.env).some((name) => name.startsWith('PASSK_'));
  return needsAll ? '' : verb;
}

function looksLikePath(word: string): boolean {
  return /[/\\.*?[{]/.test(word) || existsSync(word);
}

async function printVersion(terminal: Terminal): Promise<number> {
  const { VERSION } = await import('../index.ts');
  terminal.print(`${VERSION}\n`);
  return flushed(terminal, 0);
}
