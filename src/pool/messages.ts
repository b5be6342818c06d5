import type { MessagePort } from 'node:worker_threads';
import type { McpUsers } from '../trial/mcp-users.ts';
import type { TallyShape } from '../trial/tally/tally-shape.ts';
import type { ErrorCode } from '../errors.ts';
import type { GrantedWorld, KeptForRun } from '../types/permissions.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import type { TrialRecord } from '../types/record.ts';
import type { BlockSpan } from './blocks/block-grid.ts';
import type { Claimed, Control } from './control.ts';
import type { Sequence } from './blocks/ordered-blocks.ts';

/** What a worker gets for one piece of work. */
export interface WorkerTask {
  /** Deltas and plan requests; transferred. */
  readonly port: MessagePort;
  readonly control: Control;
  /** Which words of the shared block are this worker's. */
  readonly worker: number;
  /** The version of passk that hands it out. */
  readonly passk: string;
  /** (scenario, fromBlock, toBlock) triples: the positions that the shared counter hands out. */
  readonly spans: Float64Array;
  readonly work: Work;
  readonly plugins: readonly string[];
  /** What passk may do on this machine; null: nothing. */
  readonly granted: GrantedWorld | null;
  /** Who may ask which MCP server, so that a worker ends those that none of its trials will ask. */
  readonly servers: readonly McpUsers[];
  /** MCP servers that the worker keeps for the next piece; null: all end with this one. */
  readonly keptServers: KeptForRun | null;
  /** Calls of live functions on the host; null when the plan names none; transferred. */
  readonly hostPort: MessagePort | null;
  /** Trials at a time of programs that are not pure. */
  readonly concurrency: number;
  /** Stop beyond a failing block. */
  /** As in `ExecutorRunOptions`; 0: run all. */
  readonly bail: number;
  /** Post each block on its own. */
  readonly separate: boolean;
  /** Absent in threads, whose shared block the host sees. */
  readonly relay?: Relay;
}

/** What a thread of a pool is called with: a piece of work, or the MCP servers that outlive a call of `endServers`. */
export type PoolTask = WorkerTask | readonly string[];

/** Connects a task with its host where they share no memory. */
export interface Relay {
  /** The next positions from the host, as `claimBlocks` gives them. */
  claim(room: number): Promise<Claimed>;
  /** When this returns, the host knows what was published, even if the process ends right after. */
  published(): void;
}

export type Work =
  /** Whatever the shared counter hands out, until it is used up; beside it these sequences, each block by block. */
  | { readonly kind: 'shared'; readonly sequences: readonly Sequence[] }
  /** These blocks: what another worker took and never delivered. */
  | { readonly kind: 'blocks'; readonly spans: readonly BlockSpan[] }
  /** These trials of one block, each alone and posted at once: one of them is suspected, or only to be judged. */
  | {
      readonly kind: 'careful';
      readonly scenario: number;
      readonly block: number;
      readonly from: number;
      readonly to: number;
      /** Of the one trial there is, which has run elsewhere: it is judged, not run. Absent: trials are run. */
      readonly record?: TrialRecord;
    };

/** What a task resolves to. It rejects only when its worker dies. */
export type WorkerTaskEnd =
  | { readonly kind: 'done' }
  /** Some trial of the block being run did something that others must not answer for. Each is run alone to find out which. */
  | { readonly kind: 'doubtful'; readonly cause: string }
  /** Nothing of this scenario can run anywhere. */
  | {
      readonly kind: 'unusable';
      readonly scenario: number;
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint?: string;
    };

export type FromWorker =
  /** `isFresh`: the worker has run no trial before, so nothing is left over from one. */
  | { readonly kind: 'hello'; readonly threadId: number; readonly isFresh: boolean }
  /** The worker can do no more work: it ends, or is to be ended. */
  | { readonly kind: 'fell'; readonly cause: string }
  /** Text that code of the user printed. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'need'; readonly scenarios: readonly number[] }
  | { readonly kind: 'shape'; readonly scenario: number; readonly shape: TallyShape }
  /** Whole blocks. */
  | {
      readonly kind: 'blocks';
      readonly scenario: number;
      readonly from: number;
      readonly to: number;
      readonly tally: Uint8Array;
    }
  /** One trial of a block whose trials are run one by one. */
  | {
      readonly kind: 'trial';
      readonly scenario: number;
      readonly block: number;
      readonly trial: number;
      readonly tally: Uint8Array;
    };

export type ToWorker =
  | { readonly kind: 'plans'; readonly plans: readonly ScenarioPlan[] }
  /** From now on, in place of what the task says of servers that are kept. */
  | { readonly kind: 'needed'; readonly needed: KeptForRun['needed'] };

/** Spans as numbers: cheap to send, however many there are. */
export function packSpans(spans: readonly BlockSpan[]): Float64Array {
  const packed = new Float64Array(spans.length * 3);
  for (const [index, span] of spans.entries()) packed.set([span.scenario, span.fromBlock, span.toBlock], index * 3);
  return packed;
}

export function unpackSpans(packed: Float64Array): BlockSpan[] {
  const spans: BlockSpan[] = [];
  for (let i = 0; i + 2 < packed.length; i += 3) {
    const [scenario = 0, fromBlock = 0, toBlock = 0] = packed.subarray(i, i + 3);
    spans.push({ scenario: asInteger(scenario), fromBlock: asInteger(fromBlock), toBlock: asInteger(toBlock) });
  }
  return spans;
}

/**
 * The same number. What is read from a `Float64Array` is a floating-point number to V8, and so is all that is counted
 * from it: each trial number of a worker would be one, which made its trials a tenth slower.
 */
function asInteger(value: number): number {
  const integer = value | 0;
  return integer === value ? integer : value;
}

/** What a worker needs to show one trial. */
export interface InspectTask {
  readonly plan: ScenarioPlan;
  readonly plugins: readonly string[];
  /** What passk may do on this machine; null: nothing. */
  readonly granted: GrantedWorld | null;
  readonly trial: number;
  /** What a cassette holds of the trial, which is then replayed; null: nothing, or there is no cassette. */
  readonly tape: Uint8Array | null;
  /** The same of what judges said. */
  readonly judgeTape: Uint8Array | null;
}
