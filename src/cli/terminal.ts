import { codeOf } from '../values/file-problem.ts';
import process from 'node:process';
import { LONGEST_MESSAGE, visibleJson, visibleLines, visibleText } from '../text/visible-text.ts';
import { jsonPieces, writeJson } from '../values/exact-json.ts';
import type { Output } from './open-output.ts';

/** The parts of `process` that the command line reads and writes. */
export type ProcessLike = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env' | 'platform'>;

/** What is printed to in place of the process's own streams. */
export interface Outputs {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** How a text is printed. */
export interface PrintOptions {
  /** Whether the text may hold passk's own colours, which are then printed; default false. */
  readonly color?: boolean;
}

/**
 * Where the command line prints: the report to stdout, everything else to stderr. No other code writes there. The sanitiser
 * makes every text harmless: names, answers of models and messages of plug-ins may hold what a terminal or a CI runner
 * would obey.
 */
export interface Terminal {
  /** Width of stdout; 80 where it has none. */
  readonly columns: number;
  /** Whether reports may be coloured, before `--no-color` is considered. */
  readonly color: boolean;
  /** The same for stderr. */
  readonly errorColor: boolean;
  /** False where the environment says that the terminal does not speak UTF-8. */
  readonly unicode: boolean;
  /** Whether stderr is a terminal on which lines can be redrawn. */
  readonly live: boolean;
  readonly stderr: NodeJS.WriteStream;
  /** Prints text for people. */
  print(text: string, options?: PrintOptions): void;
  /** Prints a value as indented JSON. */
  printJson(value: unknown): void;
  /** The same for a value of any size, piece by piece: it waits for the reader and holds one piece at a time. */
  printLargeJson(value: unknown): Promise<void>;
  /** Prints any number of lines in the same way. */
  printLines(lines: Iterable<string>, options?: PrintOptions): Promise<void>;
  /** Prints a report for programs as it is: its format has escaped it already. */
  printData(data: string | Uint8Array): void;
  /** Prints text of any number of lines on stderr. */
  complain(text: string, options?: PrintOptions): void;
  /** Says a sentence on stderr, in one line. */
  say(sentence: string): void;
  /** Prints on stderr what code of the user prints, in pieces of any size: a line is shown once it is complete. */
  relay(piece: string): void;
  /** Resolves when everything printed has left the process, or its reader has gone; rejects when it cannot be written. */
  flush(): Promise<void>;
}

/** Characters that are written at once where a text comes in pieces. */
const BATCH = 64 * 1024;

/** Characters of an incomplete line that are held back. */
const LONGEST_LINE = 64 * 1024;

/** A terminal over this process. A reader that closes its pipe early ends the printing, not the process. */
export function createTerminal(process: ProcessLike, { stdout, stderr }: Outputs = process): Terminal {
  const { env } = process;
  let lastWrite = Promise.resolve();
  let closed = false;
  let failure: unknown = null;
  const onError = (error: unknown): void => {
    closed = true;
    // `passk … | head`: the rest of the report has no reader, which is no failure.
    if (codeOf(error) !== 'EPIPE') failure ??= error;
  };
  stdout.on('error', onError);
  // What stderr does not take has no other place to go to.
  stderr.on('error', () => undefined);
  const write = (data: string | Uint8Array): void => {
    if (closed) return;
    const written = new Promise<void>((resolve) => {
      // A file is written to at once, and throws at once.
      try {
        stdout.write(data, () => resolve());
      } catch (error) {
        onError(error);
        resolve();
      }
    });
    lastWrite = lastWrite.then(() => written);
  };
  const writeAll = async (pieces: Iterable<string>, visible: (piece: string) => string): Promise<void> => {
    let batch = '';
    for (const piece of pieces) {
      batch += visible(piece);
      if (batch.length < BATCH) continue;
      write(batch);
      batch = '';
      await lastWrite;
      if (closed) return;
    }
    write(batch);
  };
  let openLine = '';
  const writeError = (text: string, { color = false }: PrintOptions = {}): void => {
    try {
      stderr.write(visibleLines(text, { styled: color }));
    } catch {
      // As above: there is no other place to say it.
    }
  };
  const finishLine = (): void => {
    if (openLine !== '') writeError(`${openLine}\n`);
    openLine = '';
  };
  const complain = (text: string, options?: PrintOptions): void => {
    finishLine();
    writeError(text, options);
  };
  return {
    // A terminal may have another width at the end of a run.
    get columns() {
      return widthOf(stdout, env);
    },
    color: allowsColor(stdout, env),
    errorColor: allowsColor(stderr, env),
    unicode: speaksUnicode(env),
    // A terminal without a size (some containers) has nothing to draw on.
    live: stderr.isTTY === true && (stderr.columns ?? 0) > 0 && !isSet(env['CI']) && env['TERM'] !== 'dumb',
    get stderr() {
      return process.stderr;
    },
    print: (text, { color = false } = {}) => write(visibleLines(text, { styled: color })),
    printJson: (value) => write(`${visibleJson(writeJson(value, 2))}\n`),
    printLargeJson: async (value) => {
      await writeAll(jsonPieces(value), visibleJson);
      write('\n');
    },
    printLines: (lines, { color = false } = {}) =>
      writeAll(lines, (line) => `${visibleLines(line, { styled: color })}\n`),
    printData: write,
    complain,
    say: (sentence) => complain(`passk: ${visibleText(sentence, { longest: LONGEST_MESSAGE })}\n`),
    relay(piece) {
      const lines = (openLine + piece).split('\n');
      openLine = lines.pop() ?? '';
      if (lines.length > 0) writeError(`${lines.join('\n')}\n`);
      if (openLine.length > LONGEST_LINE) finishLine();
    },
    async flush() {
      finishLine();
      await lastWrite;
      if (failure !== null) throw failure;
    },
  };
}

/** Prints an error that nobody caught, for which there may be no `Terminal`. */
export function complainAtOnce(text: string): void {
  process.stderr.write(visibleLines(text));
}

/** FORCE_COLOR wins over NO_COLOR, as everywhere in Node; without either, only a real terminal gets colour. */
function allowsColor(stream: Output, env: NodeJS.ProcessEnv): boolean {
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (isSet(env['NO_COLOR'])) return false;
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

function widthOf(stream: Output, env: NodeJS.ProcessEnv): number {
  const width = stream.columns ?? Number(env['COLUMNS']);
  return Number.isInteger(width) && width > 0 ? width : 80;
}

/** A locale that names another character set, or the bare Linux console, gets ASCII. */
function speaksUnicode(env: NodeJS.ProcessEnv): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8';
  return env['TERM'] !== 'linux' && /utf-?8/i.test(locale);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}
