import { existsSync } from 'node:fs';
import { CommanderError } from 'commander';
import { messageOf } from './message-of.ts';
import { withWholeGrants } from './permission-flags.ts';
import { withStopRule } from './stop-early-flag.ts';
import { printFailure } from './print-failure.ts';
import { createProgram } from './program.ts';
import { createTerminal, type Terminal } from './terminal.ts';

const HELP = new Set(['-h', '--help']);
const VERSION_FLAGS = new Set(['-V', '--version']);

/** Carries out one command line; resolves to the exit code once everything printed has been handed over. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const terminal = createTerminal(process);
  if (VERSION_FLAGS.has(args[0] ?? '')) return printVersion(terminal);
  let exitCode = 0;
  const program = createProgram(terminal, (code) => {
    exitCode = code;
  });
  const verbs = new Set(['help', ...program.commands.map((command) => command.name())]);
  try {
    await program.parseAsync(withVerb(withStopRule(withWholeGrants(args)), verbs), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) return printFailure(terminal, error);
    exitCode = error.exitCode === 0 ? 0 : 2;
  }
  return flushed(terminal, exitCode);
}

/** The exit code, unless the last of what was printed could not be written. */
async function flushed(terminal: Terminal, exitCode: number): Promise<number> {
  try {
    await terminal.flush();
    return exitCode;
  } catch (error) {
    terminal.complain(`passk: Standard output cannot be written: ${messageOf(error)}.\n`);
    return exitCode === 130 || exitCode === 4 ? exitCode : 2;
  }
}

/** Bare paths and flags mean `run`; a bare word that is neither a verb nor a path stays one, to be refused as a verb. */
function withVerb(args: readonly string[], verbs: ReadonlySet<string>): readonly string[] {
  const first = args[0];
  if (first === undefined) return ['run'];
  if (verbs.has(first) || HELP.has(first)) return args;
  return first.startsWith('-') || looksLikePath(first) ? ['run', ...args] : args;
}

function looksLikePath(word: string): boolean {
  return /[/\\.*?[{]/.test(word) || existsSync(word);
}

async function printVersion(terminal: Terminal): Promise<number> {
  const { VERSION } = await import('../index.ts');
  terminal.print(`${VERSION}\n`);
  return flushed(terminal, 0);
}
