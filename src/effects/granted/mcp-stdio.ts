import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { visibleText } from '../../policy/visible-text.ts';
import { killGroup } from './kill-group.ts';
import { LineReader } from './line-reader.ts';
import type { McpSdk } from './mcp-sdk.ts';
import type { McpTransport } from './mcp-transport.ts';
import { TextTail } from './text-tail.ts';
import { within } from './within.ts';

export interface StdioServer {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Takes secrets out of what the server wrote. */
  readonly scrub: (text: string) => string;
}

/** Bytes of one message; more ends the connection. */
const LONGEST_MESSAGE = 16 << 20;
/** Lines that are no messages, before the program is taken for something else. */
const MOST_GARBAGE = 1000;
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
  #exited: Promise<void> = Promise.resolve();
  #closing: Promise<void> | null = null;
  #why: string | null = null;
  #hopeless = false;
  #garbage: string | null = null;
  #garbageLines = 0;

  constructor(server: StdioServer, sdk: McpSdk) {
    this.#server = server;
    this.#sdk = sdk;
  }

  async start(): Promise<void> {
    const { program, args, env, cwd } = this.#server;
    const child = spawn(program, args, { env, cwd, detached: true, shell: false, windowsHide: true });
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve();
        this.#signal('SIGKILL');
        void this.#endWhenRead(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
      });
      child.once('error', (error) => {
        this.#hopeless = child.pid === undefined;
        if (this.#hopeless) resolve();
        this.#end(`cannot be started: ${error.message}`);
      });
    });
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
    const { serializeMessage } = this.#sdk;
    await new Promise<void>((resolve) => stdin.write(serializeMessage(message), () => resolve()));
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
    this.#child?.stdin.end();
    if (!(await within(GRACE_MS, this.#exited))) {
      this.#signal('SIGTERM');
      await within(GRACE_MS, this.#exited);
    }
    this.#end('was closed');
    await this.#exited;
  }

  #read(line: string): void {
    if (line.trim() === '' || this.#why !== null) return;
    let message: JSONRPCMessage;
    try {
      message = this.#sdk.deserializeMessage(line);
    } catch {
      this.#garbage ??= line.slice(0, 200);
      this.#garbageLines += 1;
      if (this.#garbageLines > MOST_GARBAGE) this.#end(`wrote more than ${MOST_GARBAGE} lines that are not JSON-RPC`);
      return;
    }
    this.onmessage?.(message);
  }

  /** What it wrote before it ended counts, unless something it left behind keeps the pipe open. */
  async #endWhenRead(why: string): Promise<void> {
    if (this.#child !== null) await within(READ_MS, once(this.#child, 'close'));
    this.#end(why);
  }

  async #endUnlessItExits(why: string): Promise<void> {
    if (!(await within(GRACE_MS, this.#exited))) this.#end(why);
  }

  /** The connection is over, whatever the process thinks of it; nothing of its group survives. */
  #end(why: string): void {
    if (this.#why !== null) return;
    this.#why = why;
    this.#signal('SIGKILL');
    this.#child?.stdin.destroy();
    this.#child?.stdout.destroy();
    this.#child?.stderr.destroy();
    this.onclose?.();
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid !== undefined) killGroup(pid, signal);
  }
}
