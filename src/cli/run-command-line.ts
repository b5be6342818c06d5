import { existsSync } from 'node:fs';
import { CommanderError } from 'commander';
import { claimStdout } from './claim-stdout.ts';
import { messageOf } from './message-of.ts';
import { unboundValue, withBareValues } from './bare-flags.ts';
import { openOutput } from './open-output.ts';
import { printFailure } from './print-failure.ts';
import { createProgram, VERBS } from './program.ts';
import { createTerminal, type Terminal } from './terminal.ts';

const HELP = new Set(['-h', '--help']);
const VERSION_FLAGS = new Set(['-V', '--version']);

/** Runs one command line of this process. Resolves to the exit code once everything printed is written. */
export function runCommandLine(args: readonly string[]): Promise<number> {
  const openStdout = claimStdout((piece) => terminal.relay(piece));
  const terminal: Terminal = createTerminal(process, {
    stdout: openOutput(1, openStdout),
    stderr: openOutput(2, () => process.stderr),
  });
  return runOnTerminal(args, terminal);
}

/** Runs one command line and prints on this terminal. Resolves as above. */
export async function runOnTerminal(args: readonly string[], terminal: Terminal): Promise<number> {
  if (VERSION_FLAGS.has(args[0] ?? '')) return printVersion(terminal);
  const complaint = unboundValue(args, existsSync);
  if (complaint !== null) return printFailure(terminal, await usage(complaint));
  if (isStray(args[0])) return printFailure(terminal, await strayWord(args[0]));
  const [verb, topic] = args;
  if (verb === 'help' && topic !== undefined && !topic.startsWith('-') && !VERBS.has(topic))
    return printFailure(terminal, await unknownCommand(topic));
  let exitCode = 0;
  const words = withVerb(withBareValues(ofTopic(args)));
  const setExitCode = (code: number): void => {
    exitCode = code;
  };
  try {
    const program = await createProgram(terminal, setExitCode, { verb: onlyVerb(words) });
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      // The run has no page yet that could tell it.
      if (words.includes('--watched')) await tellWatcher(error);
      return printFailure(terminal, error);
    }
    exitCode = error.exitCode === 0 ? 0 : 2;
  }
  return flushed(terminal, exitCode);
}

/** The page of a watcher says why its run has no report. */
async function tellWatcher(error: unknown): Promise<void> {
  const [{ pageOfWatcher }, { printError }] = await Promise.all([
    import('./run-page.ts'),
    import('../public/suites.ts'),
  ]);
  await pageOfWatcher().fail(printError(error, { color: false }));
}

async function usage(message: string): Promise<Error> {
  const { PasskError } = await import('../public/suites.ts');
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

/** True for a first word that is neither a command nor a path. */
function isStray(word: string | undefined): word is string {
  return word !== undefined && !word.startsWith('-') && !VERBS.has(word) && !looksLikePath(word);
}

/** What to say of such a word. Most command lines have none, and never load what looks for the word that was meant. */
async function strayWord(word: string): Promise<Error> {
  const [{ PasskError }, { meantBy }] = await Promise.all([import('../public/suites.ts'), import('./meant-by.ts')]);
  return new PasskError('USAGE', `"${word}" is neither a command nor a file or folder.`, {
    hint: meantBy(word, [...VERBS]) ?? 'passk --help lists the commands.',
  });
}

async function unknownCommand(word: string): Promise<Error> {
  const [{ PasskError }, { didYouMean }] = await Promise.all([
    import('../public/suites.ts'),
    import('../text/did-you-mean.ts'),
  ]);
  const meant = didYouMean(word, [...VERBS]);
  return new PasskError('USAGE', `There is no command "${word}".`, {
    hint: meant === null ? 'passk --help lists the commands.' : `Did you mean "passk help ${meant}"?`,
  });
}

/** `help contract run` is about the command of the group, which Commander's help does not look for. */
function ofTopic(args: readonly string[]): readonly string[] {
  const [verb, topic, inGroup] = args;
  if (verb !== 'help' || topic === undefined || inGroup === undefined || inGroup.startsWith('-')) return args;
  return [topic, inGroup, '--help'];
}

/** Adds `run` before bare paths and flags. */
function withVerb(args: readonly string[]): readonly string[] {
  const first = args[0];
  if (first === undefined) return ['run'];
  if (VERBS.has(first) || HELP.has(first)) return args;
  return ['run', ...args];
}

/** The only command to make; '': all, because `config` and the check of `PASSK_*` variables need them all. */
function onlyVerb([verb = '']: readonly string[]): string {
  const needsAll = verb === 'config' || Object.keys(process.env).some((name) => name.startsWith('PASSK_'));
  return needsAll ? '' : verb;
}

function looksLikePath(word: string): boolean {
  return /[/\\.*?[{]/.test(word) || existsSync(word);
}

async function printVersion(terminal: Terminal): Promise<number> {
  const { VERSION } = await import('../public/suites.ts');
  terminal.print(`${VERSION}\n`);
  return flushed(terminal, 0);
}
