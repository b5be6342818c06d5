import type { MockHttp, MockMcpServer, MockProcess } from '../mock.ts';

/** What stands in for the outside world, so that a trial touches nothing real. */
export interface World {
  /** Declared environment; anything else reads as unset. */
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, WorldFile>>;
  readonly http: readonly MockHttp[];
  readonly processes: readonly MockProcess[];
  readonly mcp: readonly MockMcpServer[];
  /** What a human decides at a pause, by node id; absent: the run stays paused. */
  readonly approvals: Readonly<Record<string, Approval>>;
}

export type WorldFile =
  | { readonly kind: 'file'; readonly content: string }
  | { readonly kind: 'dir' }
  | { readonly kind: 'link'; readonly target: string };

export interface Approval {
  readonly decision: 'resume' | 'pause';
  /** Virtual time until the human answers. */
  readonly afterMs: number;
}
