import { deflateRaw, inflateRaw } from 'node:zlib';
import { promisify } from 'node:util';
import { PasskError } from '../errors.ts';
import type { Delta } from '../types/delta.ts';
import type { Isolation } from '../types/isolation.ts';
import type { PlanIdentity } from '../types/plan-identity.ts';
import type { ScenarioPlan } from '../types/plan.ts';
import { VERSION } from '../version.ts';
import { encodeFrame, FrameReader, MAX_PAYLOAD } from '../records/frame.ts';
import { digestOf, scenarioText } from '../records/plan-digest.ts';
import {
  encodeHead,
  identityFields,
  readHead,
  readIdentity,
  type RecordFormat,
  UNFIT,
} from '../records/record-head.ts';
import { scenarioPlanSchema } from '../records/run-file.schema.ts';
import { shaped, shapedJson } from '../records/shaped.ts';
import { queuedFailureSchema, queuedPlanSchema, queuedResultSchema, queueHeadSchema } from './queue.schema.ts';

const QUEUED_RUN: RecordFormat = { kind: 'passk-queue', noun: 'a run', format: 4, schema: queueHeadSchema };
/** Texts shorter than this are not packed: they hardly shrink. */
const ZIP_FROM = 1024;

/** A run on a queue: what a worker needs to take part in it, or to say why it does not. */
export interface QueuedRun {
  readonly identity: PlanIdentity;
  readonly digest: string;
  /** Folder that names of scenario files are relative to, as seen from the host's working directory. */
  readonly root: string;
  /** True: some scenario may reach the real world. */
  readonly asksWorld: boolean;
  /** A worker that has not been heard of for so long loses its claims. */
  readonly lockMs: number;
}

interface Head extends Omit<QueuedRun, 'identity'> {
  readonly identity: string;
}

export function encodeRunHead({ identity, ...run }: QueuedRun): Uint8Array {
  return encodeHead(QUEUED_RUN, { passk: VERSION, ...run, ...identityFields(identity) });
}

/** A run's head, or why it cannot be read. */
export function decodeRunHead(bytes: Uint8Array): QueuedRun | string {
  const head = readHead<Head>(QUEUED_RUN, frameOf(bytes));
  if (typeof head === 'string') return `it ${head}`;
  const { digest, root, asksWorld, lockMs } = head;
  const identity = readIdentity(head);
  return identity === null ? `it ${UNFIT}` : { identity, digest, root, asksWorld, lockMs };
}

/** One scenario's plan, packed where that pays. */
export async function encodePlan(plan: ScenarioPlan): Promise<Uint8Array> {
  const text = new TextEncoder().encode(scenarioText(plan));
  const isPacked = text.length >= ZIP_FROM;
  if (text.length > MAX_PAYLOAD) {
    throw new PasskError('PLAN', `Scenario "${plan.scenario.name}" has ${text.length} bytes, too many for a queue.`, {
      hint: `At most ${MAX_PAYLOAD} bytes can be sent; leave it out, or run it without --queue.`,
    });
  }
  const { isolation } = plan.scenario;
  const bytes = isPacked ? await promisify(deflateRaw)(text) : text;
  return encodeFrame({ kind: 'plan', isPacked, bytes, ...(isolation !== undefined && { isolation }) });
}

/** The plan with this digest, from bytes that anybody may have written; null when they hold no such plan. */
export async function decodePlan(bytes: Uint8Array, digest: string): Promise<Omit<ScenarioPlan, 'index'> | null> {
  const value = shaped<SentPlan>(frameOf(bytes), queuedPlanSchema);
  if (!(value?.bytes instanceof Uint8Array)) return null;
  const text = value.isPacked === true ? await unpacked(value.bytes) : value.bytes;
  if (text === null || digestOf(text) !== digest) return null;
  const plan = shapedJson<Omit<ScenarioPlan, 'index'>>(new TextDecoder().decode(text), scenarioPlanSchema);
  const { isolation } = value;
  // Not in the text, whose digest does not depend on it.
  return plan === null || isolation === undefined ? plan : { ...plan, scenario: { ...plan.scenario, isolation } };
}

interface SentPlan {
  readonly isPacked?: unknown;
  readonly bytes?: unknown;
  readonly isolation?: Isolation;
}

async function unpacked(bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    return await promisify(inflateRaw)(bytes, { maxOutputLength: MAX_PAYLOAD });
  } catch {
    return null;
  }
}

/** What a worker sends: results of blocks, or why the plan can be run nowhere. */
export type QueuedAnswer = QueuedResult | QueuedFailure;

export interface QueuedResult {
  readonly kind: 'result';
  readonly digest: string;
  /** The claim that the blocks belong to. */
  readonly claim: string;
  /** True: nothing more of this claim follows. */
  readonly isLast: boolean;
  readonly tookMs: number;
  readonly records: readonly Delta[];
}

export interface QueuedFailure {
  readonly kind: 'failure';
  readonly digest: string;
  readonly worker: string;
  readonly code: 'INPUT' | 'PLUGIN' | 'PLAN' | 'INTEGRITY';
  readonly message: string;
  readonly hint?: string;
}

export function encodeAnswer(answer: QueuedAnswer): Buffer {
  return Buffer.from(encodeFrame(answer));
}

/** An answer from bytes that anybody may have written; null when they hold none. */
export function decodeAnswer(bytes: Uint8Array): QueuedAnswer | null {
  const value = frameOf(bytes);
  const result = shaped<QueuedResult>(value, queuedResultSchema);
  if (result === null) return shaped<QueuedFailure>(value, queuedFailureSchema);
  return result.records.every(({ tally }) => (tally as unknown) instanceof Uint8Array) ? result : null;
}

/** The one frame that these bytes are; undefined for anything else. */
function frameOf(bytes: Uint8Array): unknown {
  const reader = new FrameReader();
  const [value, ...more] = reader.push(bytes);
  return reader.end().kind === 'complete' && more.length === 0 ? value : undefined;
}
