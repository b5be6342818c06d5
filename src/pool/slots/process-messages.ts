import { writeSync } from 'node:fs';
import type { InspectedTrial } from '../../trial/program.ts';
import { encodeFrame } from '../../records/frame.ts';
import type { Claimed } from '../control.ts';
import type { FromWorker, InspectTask, WorkerTaskEnd, WorkerTask, ToWorker } from '../messages.ts';

/** What a worker process is started with per piece of work: a worker's task without what two processes cannot share. */
export interface ProcessTask extends Omit<WorkerTask, 'port' | 'control' | 'worker' | 'hostPort' | 'relay'> {
  /** Positions in all. */
  readonly total: number;
  /** Scenarios of the plan that may end early; 0: none does. */
  readonly scenarios: number;
  /** The plan names live functions. */
  readonly callsHost: boolean;
}

export type ToProcess =
  | ToWorker
  | { readonly kind: 'work'; readonly task: ProcessTask }
  | { readonly kind: 'inspect'; readonly task: InspectTask }
  /** MCP servers that are kept for the next piece of a run are to end, but for those needed. */
  | { readonly kind: 'end servers'; readonly needed: readonly string[] }
  /** The answer to `claim`; `next`: the first position that nobody has claimed now. */
  | { readonly kind: 'claimed'; readonly claim: Claimed; readonly next: number }
  | { readonly kind: 'orders'; readonly orders: Orders }
  /** From the live functions of the host. */
  | { readonly kind: 'host'; readonly message: unknown };

/** What the host writes into its shared block; a worker process gets it as a message. */
export interface Orders {
  readonly stop: 'finish' | 'drop' | null;
  readonly held: boolean;
  /** Positions beyond are not needed. */
  readonly limit: number;
  /** Scenarios that have ended since the last orders, each with its first block that is not needed. */
  readonly closed: readonly (readonly [scenario: number, block: number])[];
}

export type FromProcess =
  | FromWorker
  | { readonly kind: 'claim'; readonly room: number }
  /** Words of the worker that have changed: their place among its own words, then their value. */
  | { readonly kind: 'words'; readonly changed: readonly number[]; readonly limit: number }
  /** To the live functions of the host. */
  | { readonly kind: 'host'; readonly message: unknown }
  | { readonly kind: 'end'; readonly end: WorkerTaskEnd }
  | { readonly kind: 'inspected'; readonly trial: InspectedTrial }
  | { readonly kind: 'servers ended' };

/** The pipe that a worker process speaks through. */
const PIPE = 3;

/** Sends a message to the host. It is sent when this returns, even if the process ends right after. */
export function tellHost(message: FromProcess): void {
  const frame = encodeFrame(message);
  for (let at = 0; at < frame.length; ) at += writeSync(PIPE, frame, at);
}
