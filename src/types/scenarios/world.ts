import type { MockHttp, MockMcpServer, MockProcess } from '../mock.ts';

/** What stands in for the outside world, so that a trial touches nothing real. */
export interface World {
  /** Declared environment; anything else reads as unset. */
  readonly env: Readonly<Record<string, string>>;
  /** The files, by path. */
  readonly files: Readonly<Record<string, WorldFile>>;
  /** The HTTP mocks, in order. */
  readonly http: readonly MockHttp[];
  /** The mocks of programs, in order. */
  readonly processes: readonly MockProcess[];
  /** The mocks of MCP servers. */
  readonly mcp: readonly MockMcpServer[];
  /** What a human decides at a pause, by node id; absent: the run stays paused. */
  readonly approvals: Readonly<Record<string, Approval>>;
}

export type WorldFile =
  | {
      readonly kind: 'file';
      /** The content of the file. */
      readonly content: string;
    }
  | { readonly kind: 'dir' }
  | {
      readonly kind: 'link';
      /** The path that the link leads to. */
      readonly target: string;
    };

export interface Approval {
  /** Whether the workflow goes on. */
  readonly decision: 'resume' | 'pause';
  /** Virtual time until the human answers. */
  readonly afterMs: number;
}
