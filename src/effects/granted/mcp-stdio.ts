import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { visibleText } from '../../text/visible-text.ts';
import { PROGRAM_PATH } from './granted-programs.ts';
import { LineReader } from './line-reader.ts';
import { forgetTree, keepTree } from './living-trees.ts';
import type { McpSdk } from './mcp-sdk.ts';
import { CLOSED, type McpTransport } from './mcp-transport.ts';
import { startProblem, systemCode } from './os-error-text.ts';
import { inOwnFolder } from './own-folder.ts';
import { ProcessTree } from './process-tree.ts';
import { TextTail } from './text-tail.ts';
import { within, withinTurns } from './within.ts';
import { markIntegers, unmarkIntegers } from '../../values/exact-json.ts';

export interface StdioServer {
  /** Absolute, without links. */
  readonly file: string;
  /** The name it is called by. */
  readonly name: string;
  readonly args: readonly string[];
  /** Besides PATH, and HOME and TMPDIR in a folder of its own; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Null: the folder of its own. */
  readonly cwd: string | null;
  /** Takes secrets out of what the server wrote. */
  readonly scrub: (text: string) => string;
}

/** Bytes of one message; more ends the connection. */
const LONGEST_MESSAGE = 16 << 20;
/** Lines that are no messages, before the program is taken for something else. */
const MOST_GARBAGE = 1000;
/** Invalid request, which here is an invalid answer. */
const INVALID = -32_600;
/** What a server gets to end by itself once its input is closed, and again once it is asked to. */
const GRACE_MS = 500;
/** For what stands in the pipes of a process that has ended. */
const READ_MS = 250;

/**
 * A server started as a child: JSON-RPC messages, one a line. Not the SDK's own transport, because that one passes on
 * parts of passk's environment and leaves the server's children alive.
 */
export class StdioTransport implements McpTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #server: StdioServer;
  readonly #sdk: McpSdk;
  readonly #stderr = new TextTail();
  readonly #lines = new LineReader(LONGEST_MESSAGE, (line) => this.#read(line));
  #child: ChildProcessWithoutNullStreams | null = null;
  #tree: ProcessTree | null = null;
  #exited: Promise<void> = Promise.resolve();
  /** All processes and the folder are gone. */
  #gone: Promise<void> = Promise.resolve();
  #leave: () => void = () => undefined;
  #closing: Promise<void> | null = null;
  #why: string | null = null;
  #hopeless = false;
  #garbage: string | null = null;
  #garbageLines = 0;

  constructor(server: StdioServer, sdk: McpSdk) {
    this.#server = server;
    this.#sdk = sdk;
  }

  /** With `stderr`, how the SDK knows a program from an address: one that does not answer its first question is an older server. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get stderr(): null {
    return null;
  }

  async start(): Promise<void> {
    const left = new Promise<void>((resolve) => {
      this.#leave = resolve;
    });
    await new Promise<void>((resolve, reject) => {
      this.#gone = inOwnFolder(async (folder) => {
        this.#run(folder);
        resolve();
        await left;
        await this.#tree?.end();
        forgetTree(this.#tree);
      }).catch(reject);
    });
  }

  #run(folder: string): void {
    const { file, name, args, env: declared, cwd } = this.#server;
    const env = { PATH: PROGRAM_PATH, LANG: 'C.UTF-8', HOME: folder, TMPDIR: folder, ...declared };
    const options = { argv0: name, env, cwd: cwd ?? folder, detached: true, shell: false, windowsHide: true };
    const child = spawn(file, args, options);
    this.#child = child;
    if (child.pid !== undefined) this.#tree = keepTree(new ProcessTree(child.pid, folder));
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve();
        void this.#endWhenRead(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
      });
      child.once('error', (error) => {
        this.#hopeless = child.pid === undefined;
        if (this.#hopeless) resolve();
        this.#end(`cannot be started: ${startProblem(error)}`);
      });
    });
    // One that the system has not started has no pipes.
    if (child.pid === undefined) return;
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.#lines.add(chunk)) this.#end(`sent a message of more than ${LONGEST_MESSAGE} bytes`);
    });
    child.stdout.on('end', () => void this.#endUnlessItExits('closed its output'));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.add(chunk));
    // A pipe that breaks belongs to a process that ends, or to one that does not listen.
    child.stdin.on('error', () => void this.#endUnlessItExits('closed its input'));
    child.stdout.on('error', () => undefined);
    child.stderr.on('error', () => undefined);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || this.#why !== null || !stdin.writable) return;
    const text = unmarkIntegers(this.#sdk.serializeMessage(message));
    await new Promise<void>((resolve) => stdin.write(text, () => resolve()));
  }

  lost(): string | null {
    return this.#why;
  }

  said(): string {
    const { scrub } = this.#server;
    const garbage =
      this.#garbage === null ? '' : `; it wrote what is not JSON-RPC: ${visibleText(scrub(this.#garbage))}`;
    const tail = this.#stderr.text(scrub);
    return `${garbage}${tail === '' ? '' : `; its last lines: ${tail}`}`;
  }

  isHopeless(): boolean {
    return this.#hopeless;
  }

  /** As the protocol asks: its input is closed, then it is asked to end, then all of it is killed. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#why === null) {
      this.#child?.stdin.end();
      if (!(await within(GRACE_MS, this.#exited))) {
        askToEnd(this.#child?.pid);
        await within(GRACE_MS, this.#exited);
      }
    }
    this.#end(CLOSED);
    await this.#gone;
  }

  #read(line: string): void {
    if (line.trim() === '' || this.#why !== null) return;
    let message: JSONRPCMessage;
    try {
      message = this.#sdk.deserializeMessage(markIntegers(line));
    } catch {
      const id = idIn(line);
      if (id !== null) {
        const error = { code: INVALID, message: 'the answer is not valid JSON-RPC' };
        this.onmessage?.({ jsonrpc: '2.0', id, error });
        return;
      }
      this.#garbage ??= line.slice(0, 200);
      this.#garbageLines += 1;
      if (this.#garbageLines > MOST_GARBAGE) this.#end(`wrote more than ${MOST_GARBAGE} lines that are not JSON-RPC`);
      return;
    }
    this.onmessage?.(message);
  }

  /** What it wrote before it ended counts, unless something it left behind keeps the pipe open. */
  async #endWhenRead(why: string): Promise<void> {
    if (this.#child !== null) await withinTurns(READ_MS, once(this.#child, 'close'));
    this.#end(why);
  }

  async #endUnlessItExits(why: string): Promise<void> {
    if (!(await within(GRACE_MS, this.#exited))) this.#end(why);
  }

  /** The connection is over, whatever the process thinks of it; nothing that came out of it survives. */
  #end(why: string): void {
    if (this.#why !== null) return;
    this.#why = why;
    this.#leave();
    this.#child?.stdin.destroy();
    this.#child?.stdout.destroy();
    this.#child?.stderr.destroy();
    this.onclose?.();
  }
}

/** The request that a line means to answer, so that nobody waits for it; null: none. */
function idIn(line: string): string | number | null {
  try {
    const message: unknown = JSON.parse(line);
    if (typeof message !== 'object' || message === null || 'method' in message || !('id' in message)) return null;
    return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : null;
  } catch {
    return null;
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
