import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { LoadSuiteOptions } from '../public/suites.ts';
import { endAtOnce, onInterrupt } from './interrupt.ts';
import { messageOf } from './message-of.ts';
import { showMessage } from './run-page.ts';
import type { PageServer } from './serve-page.ts';
import type { Terminal } from './terminal.ts';
import { contentsOf, type Contents, isCode, isConfigFile } from './watch-contents.ts';

export interface WatchOptions {
  /** The options by which a run of the command line loads its suite. */
  readonly load: LoadSuiteOptions;
  /** The words of the command. A command line may leave out `run`. */
  readonly verb: readonly string[];
  /** The whole command line. */
  readonly args: readonly string[];
  readonly terminal: Terminal;
  /** Shows each run while it goes on, and its report until the next one; null: none was asked for. */
  readonly page: PageServer | null;
}

/** Editors write a file in several steps, and people save several files. */
const SETTLE_MS = 150;
const KEYS = 'Enter runs all, f those that failed, q ends.';

/**
 * Runs what the command line says, and again whenever a file changes: only the scenarios that the file changed, those with
 * code of the user where it is code, or all where it is the configuration. Each run is a process of its own, so that modules
 * are loaded anew. Resolves to the exit code of the last run at `q`, and to 130 at Ctrl-C, both once a run that goes on has
 * written its report. A second Ctrl-C ends the process and its run at once.
 */
export async function watchRun({ load, verb, args, terminal, page }: WatchOptions): Promise<number> {
  const { watch } = await import('chokidar');
  const cwd = process.cwd();
  const outside = (load.paths ?? []).map((word) => path.resolve(word)).filter((one) => isOutside(cwd, one));
  const watcher = watch([cwd, ...outside], {
    ignoreInitial: true,
    ignored: (file) => /(?:^|[\\/])(?:node_modules|\.[^\\/.][^\\/]*)$/.test(path.relative(cwd, file)),
  });
  let contents: Contents = new Map();
  const failed = new Set<string>();
  /** Files of the last run, where it ended with an error before its trials: the next run takes them again. */
  const refusedFiles = new Set<string>();
  const nextRun = { all: true, files: new Set<string>(), changed: new Set<string>() };
  let child: ChildProcess | null = null;
  let lastCode = 0;
  let timer: NodeJS.Timeout | undefined;
  let isBusy = false;
  let isEnding = false;
  const { promise: exitCode, resolve: end } = withResolvers<number>();

  const work = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      while (!isEnding && (nextRun.all || nextRun.files.size > 0 || nextRun.changed.size > 0)) await runNext();
    } catch (error) {
      terminal.say(messageOf(error));
    } finally {
      isBusy = false;
    }
  };
  /** Files whose scenarios run code that may have changed. */
  const filesOfCode = async (changed: readonly string[]): Promise<readonly string[]> => {
    const { affectedFiles } = await import('../public/plans.ts');
    const affected = new Set(await affectedFiles(load, new Set(changed)));
    return [...contents.keys()].filter((file) => affected.has(path.resolve(cwd, file)));
  };
  const sayWatching = (): void => {
    const keys = process.stdin.isTTY ? ` ${KEYS}` : '';
    terminal.say(`watching ${contents.size} ${contents.size === 1 ? 'file' : 'files'}.${keys}`);
  };
  /** What the report of these files alone does not say. */
  const remarkOf = (files: readonly string[]): string => {
    const others = [...failed].filter((file) => contents.has(file) && !files.includes(file));
    const rest = others.length === 0 ? '' : ` Others failed when they were last run: ${others.join(', ')}.`;
    return `This is the report of ${files.length} of ${contents.size} files, those that were run again.${rest}`;
  };
  const runNext = async (): Promise<void> => {
    const changed = [...nextRun.changed];
    nextRun.changed.clear();
    if (changed.some(isConfigFile)) nextRun.all = true;
    const before = contents;
    contents = await contentsOf(load);
    if (isEnding) return;
    for (const [file, text] of contents) if (before.get(file) !== text) nextRun.files.add(file);
    const isAll = nextRun.all;
    if (!isAll && changed.some(isCode)) for (const file of await filesOfCode(changed)) nextRun.files.add(file);
    const files = isAll ? [...contents.keys()] : [...nextRun.files].filter((file) => contents.has(file));
    nextRun.all = false;
    nextRun.files.clear();
    const gone = [...before.keys()].filter((file) => !contents.has(file));
    for (const file of gone) {
      failed.delete(file);
      terminal.say(`${file} is gone, or no longer a file that passk runs.`);
    }
    if (!isAll && files.length === 0) {
      if (gone.length > 0) sayWatching();
      return;
    }
    for (const file of isAll ? [] : refusedFiles) if (contents.has(file) && !files.includes(file)) files.push(file);
    refusedFiles.clear();
    const only = isAll || files.length === contents.size ? [] : files.flatMap((file) => ['--only-file', file]);
    const rest = args.slice(verb.every((word, at) => args[at] === word) ? verb.length : 0);
    let hasEnd = false;
    const result = await runChild([...verb, '--watched', ...only, ...rest], (started) => {
      child = started;
      if (page !== null)
        started.on('message', (message) => {
          hasEnd = showMessage(page, message, only.length === 0 ? '' : remarkOf(files)) || hasEnd;
        });
    });
    child = null;
    // It has failed before it could tell the page, or somebody has ended it.
    if (result.code !== 0 && !hasEnd)
      page?.fail(`The run has ended with exit code ${result.code}; the terminal says why.`);
    if (isEnding) return;
    lastCode = result.code;
    if (lastCode === 2) for (const file of files) refusedFiles.add(file);
    for (const file of isAll ? [...failed] : files) failed.delete(file);
    for (const file of result.failed) failed.add(file);
    sayWatching();
  };

  watcher.on('all', (_event, file) => {
    nextRun.changed.add(path.resolve(file));
    clearTimeout(timer);
    timer = setTimeout(() => void work(), SETTLE_MS);
  });
  watcher.on('error', (error) => terminal.say(messageOf(error)));
  const stop = (code: number, signal: NodeJS.Signals): void => {
    if (isEnding) {
      // The run ends too: its connection to this process closes.
      stopKeys();
      void endAtOnce(signal);
      return;
    }
    isEnding = true;
    clearTimeout(timer);
    if (child === null) end(code);
    else {
      child.once('close', () => end(code));
      child.kill('SIGTERM');
    }
  };
  const stopKeys = listenToKeys({
    all: () => {
      nextRun.all = true;
      void work();
    },
    failed: () => {
      for (const file of failed) nextRun.files.add(file);
      void work();
    },
    quit: () => stop(lastCode, 'SIGINT'),
    interrupt: () => stop(130, 'SIGINT'),
  });
  const stopListening = onInterrupt((signal) => stop(130, signal));
  try {
    await new Promise<void>((resolve) => watcher.once('ready', resolve));
    void work();
    return await exitCode;
  } finally {
    stopListening();
    stopKeys();
    await watcher.close();
  }
}

interface ChildResult {
  readonly code: number;
  readonly failed: readonly string[];
}

function runChild(args: readonly string[], onStart: (child: ChildProcess) => void): Promise<ChildResult> {
  const [, entry = ''] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, entry, ...args], {
    // A Ctrl-C at the terminal reaches the watcher alone, which passes it on: the run gets one signal, not two.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onStart(child);
  let failed: readonly string[] = [];
  child.on('message', (message) => {
    if (Array.isArray(message)) failed = message.filter((file) => typeof file === 'string');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 2, failed }));
  });
}

interface KeyActions {
  readonly all: () => void;
  readonly failed: () => void;
  readonly quit: () => void;
  readonly interrupt: () => void;
}

/** Listens to the keyboard where there is one. Returns a function that stops that. */
function listenToKeys({ all, failed, quit, interrupt }: KeyActions): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => undefined;
  const onKey = (key: string): void => {
    if (key === '\r' || key === '\n') all();
    else if (key === 'f') failed();
    else if (key === 'q') quit();
    else if (key === '\u0003') interrupt();
  };
  const onData = (bytes: Buffer): void => {
    const typed = bytes.toString('latin1');
    // A key such as an arrow sends one escape sequence. Other keys may come together when they are typed fast.
    if (!typed.startsWith('\u001b')) for (const key of typed) onKey(key);
  };
  stdin.setRawMode(true);
  stdin.on('data', onData).resume();
  return () => {
    stdin.setRawMode(false);
    stdin.off('data', onData).pause();
  };
}

function isOutside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative.startsWith('..') || path.isAbsolute(relative);
}

function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
