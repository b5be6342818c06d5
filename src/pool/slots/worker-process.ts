import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../values/file-problem.ts';
import { FrameReader } from '../../records/frame.ts';
import type { FromProcess, ToProcess } from './process-messages.ts';
import { OUT_OF_MEMORY } from './slot.ts';
import type { DeathPhrase } from './worker-deaths.ts';
import { workerFlags } from './worker-flags.ts';

export interface WorkerProcessOptions {
  /** The module of the process. */
  readonly url: URL;
  readonly heapMb: number;
  /** Gets what it prints. */
  readonly onOutput: (text: string) => void;
}

/** Characters of a process's last output that are searched for why it ended. */
const TAIL = 4096;
/** Time after the end of a process in which its last output arrives. */
const DRAIN_MS = 1000;

/** One worker process: takes messages, gives frames, tells why it ended. */
export class WorkerProcess {
  /** Resolves when the process is gone and everything that it said has been handed on; never rejects. */
  readonly ended: Promise<DeathPhrase>;
  onFrame: (frame: FromProcess) => void = () => {};
  private readonly child: ChildProcess;
  private readonly pipe: Socket | null;
  private readonly onOutput: (text: string) => void;
  private verdict: string | null = null;
  private lastWords = '';
  private gone = false;

  constructor({ url, heapMb, onOutput }: WorkerProcessOptions) {
    this.onOutput = onOutput;
    const flags = [...workerFlags(process.execArgv), `--max-old-space-size=${heapMb}`];
    this.child = spawn(process.execPath, [...flags, fileURLToPath(url), String(process.pid)], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.child.stdout?.setEncoding('utf8').on('data', onOutput);
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => this.hearErrors(text, onOutput));
    // The fourth of the channels is a pipe, which Node types as any stream.
    this.pipe = (this.child.stdio?.[3] as Socket | null | undefined) ?? null;
    this.ended = this.listen();
  }

  get isGone(): boolean {
    return this.gone;
  }

  send(message: ToProcess): void {
    // It may be gone already; `ended` reports that.
    if (this.child.connected) this.child.send(message, () => {});
  }

  /** Resolves when the MCP servers that it keeps have been told to end, but for those needed, or it is gone itself. */
  async endServers(needed: readonly string[]): Promise<void> {
    if (this.gone) return;
    this.keep(true);
    const done = new Promise<void>((resolve) => {
      this.onFrame = ({ kind }) => {
        if (kind === 'servers ended') resolve();
      };
    });
    this.send({ kind: 'end servers', needed });
    await Promise.race([done, this.ended]);
    this.onFrame = () => {};
    this.keep(false);
  }

  kill(verdict: string): void {
    this.verdict ??= verdict;
    this.child.kill('SIGKILL');
  }

  /** Keeps this process alive while it works, and only then. */
  keep(busy: boolean): void {
    const handles = [this.child, this.child.channel, this.pipe, this.child.stdout, this.child.stderr];
    for (const handle of handles) {
      const channel = handle as { ref?(): void; unref?(): void } | null | undefined;
      if (busy) channel?.ref?.();
      else channel?.unref?.();
    }
  }

  /** Memory of all kinds that it uses, in MiB; null where the system does not tell. */
  usedMb(): number | null {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, 'latin1');
      const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
      return kilobytes === undefined ? null : Number(kilobytes) / 1024;
    } catch {
      return null;
    }
  }

  private async listen(): Promise<DeathPhrase> {
    const reader = new FrameReader();
    const drained = new Promise<void>((resolve) => {
      this.pipe?.on('data', (bytes: Uint8Array) => {
        // Frames of our own process's code: their shape is what `tellHost` takes.
        for (const frame of reader.push(bytes)) this.hear(frame as FromProcess);
        if (reader.end().kind === 'corrupt') this.kill('worker spoilt what it says to passk');
      });
      this.pipe?.on('error', () => {});
      this.pipe?.on('close', resolve);
    });
    const how = await new Promise<DeathPhrase>((resolve) => {
      this.child.on('error', (error) => {
        // Also comes for messages that could not be sent.
        if (this.child.pid === undefined) resolve({ cause: notStarted(error), how: null });
      });
      this.child.on('exit', (code, signal) => resolve(this.phraseOf(code, signal)));
    });
    this.gone = true;
    // A process that it has left behind may hold the pipe open.
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.pipe === null || this.child.pid === undefined ? 0 : DRAIN_MS);
    });
    await Promise.race([drained, late]);
    clearTimeout(timer);
    for (const stream of [this.pipe, this.child.stdout, this.child.stderr]) stream?.destroy();
    return this.verdict === null ? how : { cause: this.verdict, how: null };
  }

  private hear(frame: FromProcess): void {
    if (frame.kind === 'fell') this.kill(frame.cause);
    else if (frame.kind === 'note') this.onOutput(frame.text);
    else this.onFrame(frame);
  }

  /** Hides what V8 and Node print when they die: it would bury the report. */
  private hearErrors(text: string, onOutput: (text: string) => void): void {
    const before = this.lastWords.length;
    const output = this.lastWords + text;
    const dying = DYING.exec(output)?.index ?? output.length;
    this.lastWords = output.slice(-TAIL);
    if (dying > before) onOutput(output.slice(before, dying));
  }

  private phraseOf(code: number | null, signal: NodeJS.Signals | null): DeathPhrase {
    if (OUT_OF_HEAP.test(this.lastWords)) return { cause: OUT_OF_MEMORY, how: 'full' };
    if (signal !== null) return { cause: `worker was ended by ${signal}`, how: null };
    return { cause: `worker exited with code ${code}`, how: 'exited' };
  }
}

/** Why there is no process at all. */
export function notStarted(error: unknown): string {
  return `the system starts no more processes (${codeOf(error) || String(error)})`;
}

const DYING = /^(<--- Last few GCs|FATAL ERROR:|----- Native stack trace|#\n# Fatal)/m;
const OUT_OF_HEAP = /^FATAL ERROR: .*heap out of memory/m;
