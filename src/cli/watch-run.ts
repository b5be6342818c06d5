import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { LoadSuiteOptions } from '../index.ts';
import { endAtOnce, onInterrupt } from './interrupt.ts';
import { messageOf } from './message-of.ts';
import type { Terminal } from './terminal.ts';
import { contentsOf, type Contents, isConfigFile, isModule } from './watch-contents.ts';

export interface WatchOptions {
  /** What a run of the command line would load. */
  readonly load: LoadSuiteOptions;
  /** The words of the command that is run again; `run` may be left out of a command line. */
  readonly verb: readonly string[];
  /** The command line. */
  readonly args: readonly string[];
  readonly terminal: Terminal;
}

/** Editors write a file in several steps, and people save several files. */
const SETTLE_MS = 150;
const KEYS = 'Enter runs all, f those that failed, q ends.';

/**
 * Runs what the command line says, then again whenever a file changes what a scenario is made of: only the scenarios
 * that it changed, or all when it is the configuration or a plug-in. Each run is a process of its own, so that modules
 * are loaded anew. Resolves to the exit code of the last run at `q`, to 130 at Ctrl-C, once a run that is under way has
 * reported what has come. A second Ctrl-C ends the process, and the run with it, at once.
 */
export async function watchRun({ load, verb, args, terminal }: WatchOptions): Promise<number> {
  const { watch } = await import('chokidar');
  const cwd = process.cwd();
  const outside = (load.paths ?? []).map((given) => path.resolve(given)).filter((one) => isOutside(cwd, one));
  const watcher = watch([cwd, ...outside], {
    ignoreInitial: true,
    ignored: (file) => /(?:^|[\\/])(?:node_modules|\.[^\\/.][^\\/]*)$/.test(path.relative(cwd, file)),
  });
  let contents: Contents = new Map();
  const failed = new Set<string>();
  /** Files that a run refused to begin with has left out. */
  const owed = new Set<string>();
  const waiting = { all: true, files: new Set<string>(), changed: new Set<string>() };
  let child: ChildProcess | null = null;
  let lastCode = 0;
  let timer: NodeJS.Timeout | undefined;
  let isBusy = false;
  let isEnding = false;
  const { promise: ended, resolve: end } = withResolvers<number>();

  const work = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    try {
      while (!isEnding && (waiting.all || waiting.files.size > 0 || waiting.changed.size > 0)) await next();
    } catch (error) {
      terminal.say(messageOf(error));
    } finally {
      isBusy = false;
    }
  };
  const next = async (): Promise<void> => {
    const changed = [...waiting.changed];
    waiting.changed.clear();
    if (changed.some((file) => isConfigFile(file) || (isModule(file) && load.plugins !== undefined)))
      waiting.all = true;
    const before = contents;
    contents = await contentsOf(load);
    if (isEnding) return;
    for (const [file, text] of contents) if (before.get(file) !== text) waiting.files.add(file);
    const isAll = waiting.all;
    const files = isAll ? [...contents.keys()] : [...waiting.files].filter((file) => contents.has(file));
    waiting.all = false;
    waiting.files.clear();
    if (!isAll && files.length === 0) return;
    for (const file of isAll ? [] : owed) if (contents.has(file) && !files.includes(file)) files.push(file);
    owed.clear();
    const only = isAll || files.length === contents.size ? [] : files.flatMap((file) => ['--only-file', file]);
    const rest = args.slice(verb.every((word, at) => args[at] === word) ? verb.length : 0);
    const result = await runChild([...verb, '--watched', ...only, ...rest], (started) => {
      child = started;
    });
    child = null;
    if (isEnding) return;
    lastCode = result.code;
    if (lastCode === 2) for (const file of files) owed.add(file);
    for (const file of isAll ? [...failed] : files) failed.delete(file);
    for (const file of result.failed) failed.add(file);
    const keys = process.stdin.isTTY ? ` ${KEYS}` : '';
    terminal.say(`watching ${contents.size} ${contents.size === 1 ? 'file' : 'files'}.${keys}`);
  };

  watcher.on('all', (_event, file) => {
    waiting.changed.add(path.resolve(file));
    clearTimeout(timer);
    timer = setTimeout(() => void work(), SETTLE_MS);
  });
  watcher.on('error', (error) => terminal.say(messageOf(error)));
  const stop = (code: number, signal: NodeJS.Signals): void => {
    if (isEnding) {
      // The run hears that nobody waits for it any more.
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
      waiting.all = true;
      void work();
    },
    failed: () => {
      for (const file of failed) waiting.files.add(file);
      void work();
    },
    quit: () => stop(lastCode, 'SIGINT'),
    interrupt: () => stop(130, 'SIGINT'),
  });
  const forget = onInterrupt((signal) => stop(130, signal));
  try {
    await new Promise<void>((resolve) => watcher.once('ready', resolve));
    void work();
    return await ended;
  } finally {
    forget();
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
    // A Ctrl-C at the terminal reaches the watcher alone, so that the run does not hear of it twice.
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

/** Where somebody is at the keyboard; returns what gives the keyboard back. */
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
    // Arrows and the like come as one sequence; other keys may come together when they are typed fast.
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
  const way = path.relative(folder, file);
  return way.startsWith('..') || path.isAbsolute(way);
}

function withResolvers<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
