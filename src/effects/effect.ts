import type { Answer, EnvRequest, FileRequest, HttpRequest, ProcessRequest } from '../plugin/request.ts';
import type { McpRequest } from '../plugin/mcp-request.ts';
import type { SeenFile, WorldRequest } from './trial-world.ts';

/** What an effect may know of the trial that asks. */
export interface EffectCall {
  /** Its name. */
  readonly scenario: string;
  readonly trial: number;
  /** Aborted when the trial's time is up or the run ends: whatever is under way must end then. */
  readonly signal: AbortSignal;
  /** Aborted when the trial is over, for what stays open between its requests; absent: nothing may. */
  readonly over?: AbortSignal;
  /** The subject's policy on what is really about to be done (a redirect, an opened file); null: allowed, else the denial's text. */
  readonly recheck: (request: WorldRequest) => string | null;
}

/** One granted port of the real world, for all trials of a worker. */
export interface Effect<R extends WorldRequest> {
  /** What is not granted although the port is: the sentence that names the flag; null: it is granted. */
  refusal(request: R): string | null;
  /** Does it. Never rejects: what goes wrong outside is an error reply, what goes wrong in here a broken one. */
  perform(request: R, call: EffectCall): Promise<Answer>;
  /** Leaves no handle, process or socket behind. */
  close(): Promise<void>;
}

/** Files differ: what no grant covers stays in memory, and policy must judge the path behind links. */
export interface FileEffect extends Effect<FileRequest> {
  /** True: this path is answered by the disk, for this operation. */
  covers(path: string, op: FileRequest['op']): boolean;
  /** The canonical path behind a covered path, links followed as they stand now. */
  resolve(path: string): string;
  /** What stands at a path that is granted for reading, for checks: the first MiB of it; null: nothing that may be seen. */
  look(path: string): SeenFile | null;
}

/** Servers of MCP also tell what tools they have. */
export interface McpEffect extends Effect<McpRequest> {
  /** As a value `{ tools }` of declarations for a model, beside those that mocks answer for. Never rejects. */
  listTools(server: string, mocked: Answer, call: EffectCall): Promise<Answer>;
}

/** All ports that the user granted; null: not granted. */
export interface Effects {
  readonly http: Effect<HttpRequest> | null;
  readonly process: Effect<ProcessRequest> | null;
  readonly mcp: McpEffect | null;
  readonly env: Effect<EnvRequest> | null;
  readonly file: FileEffect | null;
  close(): Promise<void>;
}
