import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable, Writable } from 'node:stream';
import { PROGRAM_PATH } from './granted-programs.ts';
import { LineCutter } from './line-cutter.ts';
import { forgetTree, keepTree } from './living-trees.ts';
import { inOwnFolder } from './own-folder.ts';
import { startProblem, systemCode } from './os-error-text.ts';
import { ProcessTree } from './process-tree.ts';
import { TextTail } from './text-tail.ts';
import { within, withinTurns } from './within.ts';

export interface ResidentProgramStart {
  /** `file`: absolute, without links; `name`: what it is called by. */
  readonly program: { readonly file: string; readonly name: string };
  readonly args: readonly string[];
  readonly cwd: string;
  /** Besides PATH, LANG, HOME and TMPDIR, of which it may replace all but the last; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** How it is spoken to: on its standard input and output, on descriptor 3 in both directions, or not at all. */
  readonly wire: 'stdio' | 'channel' | 'none';
  /** Takes secrets out of what it wrote. */
  readonly scrub: (text: string) => string;
  /** What it says there. */
  onData?(chunk: Buffer): void;
  /** A line that it wrote elsewhere. */
  onLine?(line: string): void;
  /** Called once, when it is over. `why` completes "it …", with what it wrote last. */
  onEnd(why: string): void;
}

/** For what stands in the pipes of a process that has ended. */
const READ_MS = 250;

/**
 * A program that stays: started in a folder of its own, its output read all the time, and gone with all that came out of it
 * once it is ended.
 */
export class ResidentProgram {
  /** Settles when the program runs, or cannot be started. */
  readonly started: Promise<void>;
  /** All processes and the folder are gone. */
  readonly gone: Promise<void>;
  readonly #start: ResidentProgramStart;
  readonly #stderr = new TextTail();
  readonly #written = new TextTail();
  #child: ChildProcess | null = null;
  #tree: ProcessTree | null = null;
  #wire: Writable | null = null;
  #leave: () => void = () => undefined;
  #over: string | null = null;

  constructor(start: ResidentProgramStart) {
    this.#start = start;
    const left = new Promise<void>((resolve) => {
      this.#leave = resolve;
    });
    let gone: Promise<void> = Promise.resolve();
    this.started = new Promise((resolve, reject) => {
      gone = inOwnFolder(async (folder) => {
        // Who closes before the folder is there wants no program any more.
        if (this.#over === null) this.#run(folder);
        resolve();
        await left;
        await this.#tree?.end();
        forgetTree(this.#tree);
      }).catch(reject);
    });
    this.gone = gone;
  }

  /** True: the process is the program, or came out of it. Elsewhere than on Linux only the program itself is known. */
  has(pid: number): boolean {
    return this.#tree?.has(pid) === true;
  }

  write(text: string): void {
    if (this.#over === null) this.#wire?.write(text);
  }

  /** What it wrote last, as far as it was not said on the wire. */
  tail(): string {
    return this.#written.text(this.#start.scrub);
  }

  /** Ends it, with all that came out of it; `why` completes "it …". */
  end(why = 'was ended'): Promise<void> {
    this.#end(why);
    return this.gone;
  }

  /** Asks it to end and gives it so long, as who may have something to put away; then ends it. */
  async retire(graceMs: number): Promise<void> {
    await this.started.catch(() => undefined);
    if (this.#over === null && this.#child !== null) {
      const exited = once(this.#child, 'exit');
      askToEnd(this.#child.pid);
      await within(graceMs, exited);
    }
    await this.end();
  }

  #run(folder: string): void {
    const { program, args, cwd, env, wire } = this.#start;
    const child = spawn(program.file, args, {
      argv0: program.name,
      cwd,
      // The folder is what all that comes out of it is known by.
      env: { PATH: PROGRAM_PATH, LANG: 'C.UTF-8', HOME: folder, ...env, TMPDIR: folder },
      stdio: [wire === 'stdio' ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(wire === 'channel' ? (['pipe'] as const) : [])],
      detached: true,
      shell: false,
      windowsHide: true,
    });
    this.#child = child;
    this.#listen(child);
    if (child.pid !== undefined) this.#tree = keepTree(new ProcessTree(child.pid, folder));
  }

  #listen(child: ChildProcess): void {
    const { wire, onData } = this.#start;
    child.once('exit', (code, signal) => {
      void this.#endWhenRead(child, signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
    });
    child.once('error', (error) => this.#end(`cannot be started: ${startProblem(error)}`));
    // One that the system has not started has no pipes.
    if (child.pid === undefined) return;
    // A pipe that breaks belongs to a process that ends.
    for (const stream of child.stdio) stream?.on('error', () => undefined);
    // The fourth of the channels is a pipe of both directions, which Node types as any stream.
    const channel = wire === 'channel' ? (child.stdio[3] as Duplex) : null;
    this.#wire = channel ?? child.stdin;
    if (onData !== undefined) (channel ?? child.stdout)?.on('data', onData);
    if (wire !== 'stdio') this.#read(child.stdout, (chunk) => this.#written.add(chunk));
    this.#read(child.stderr, (chunk) => {
      this.#stderr.add(chunk);
      this.#written.add(chunk);
    });
  }

  #read(stream: Readable | null, onChunk: (chunk: Buffer) => void): void {
    const { onLine } = this.#start;
    const lines = onLine === undefined ? null : new LineCutter(onLine);
    stream?.on('data', (chunk: Buffer) => {
      onChunk(chunk);
      lines?.add(chunk);
    });
    stream?.once('close', () => lines?.end());
  }

  /** What it wrote before it ended counts, unless something it left behind keeps the pipes open. */
  async #endWhenRead(child: ChildProcess, why: string): Promise<void> {
    await withinTurns(READ_MS, once(child, 'close'));
    this.#end(why);
  }

  #end(why: string): void {
    if (this.#over !== null) return;
    const tail = this.#stderr.text(this.#start.scrub);
    this.#over = tail === '' ? why : `${why}; its last lines: ${tail}`;
    this.#wire?.destroy();
    this.#leave();
    this.#start.onEnd(this.#over);
  }
}

/** The whole group is asked, as a terminal would. */
function askToEnd(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}
