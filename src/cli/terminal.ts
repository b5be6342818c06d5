import type { Output } from './open-output.ts';

/** The parts of `process` that the command line reads and writes. */
export type ProcessLike = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env' | 'platform'>;

/** What is printed to, where that is not the process's own streams. */
export interface Outputs {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** Where the command line prints: the report to stdout, everything else to stderr. */
export interface Terminal {
  /** Width of stdout; 80 where it has none. */
  readonly columns: number;
  /** Whether reports may be coloured, before `--no-color` is considered. */
  readonly color: boolean;
  /** The same for stderr. */
  readonly errorColor: boolean;
  /** False: this terminal is said not to speak UTF-8. */
  readonly unicode: boolean;
  /** True: stderr is a person's terminal, where lines may be drawn over. */
  readonly live: boolean;
  readonly stderr: NodeJS.WriteStream;
  print(text: string | Uint8Array): void;
  complain(text: string): void;
  /** Resolves when everything printed has left the process, or its reader has gone; rejects when it cannot be written. */
  flush(): Promise<void>;
}

/** A terminal over this process. A reader that closes its pipe early ends the printing, not the process. */
export function createTerminal(process: ProcessLike, { stdout, stderr }: Outputs = process): Terminal {
  const { env } = process;
  let pending = Promise.resolve();
  let closed = false;
  let failure: unknown = null;
  const onError = (error: unknown): void => {
    closed = true;
    // `passk … | head`: the rest of the report has no reader, which is no failure.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) failure ??= error;
  };
  stdout.on('error', onError);
  // What stderr does not take has no other place to go to.
  stderr.on('error', () => undefined);
  return {
    columns: widthOf(stdout, env),
    color: allowsColor(stdout, env),
    errorColor: allowsColor(stderr, env),
    unicode: speaksUnicode(env),
    // A terminal without a size (some containers) has nothing to draw on.
    live: stderr.isTTY === true && (stderr.columns ?? 0) > 0 && !isSet(env['CI']) && env['TERM'] !== 'dumb',
    get stderr() {
      return process.stderr;
    },
    print(text) {
      if (closed) return;
      const written = new Promise<void>((resolve) => {
        // A file is written to at once, and throws at once.
        try {
          stdout.write(text, () => resolve());
        } catch (error) {
          onError(error);
          resolve();
        }
      });
      pending = pending.then(() => written);
    },
    complain(text) {
      try {
        stderr.write(text);
      } catch {
        // As above: nobody is left to be told.
      }
    },
    async flush() {
      await pending;
      if (failure !== null) throw failure;
    },
  };
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
