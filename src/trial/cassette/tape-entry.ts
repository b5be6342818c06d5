import { createHash } from 'node:crypto';
import type { Answer, Request } from '../../plugin/request.ts';
import type { Json } from '../../types/json.ts';
import { exactJsonText, readExactJson } from '../../values/exact-json.ts';
import { jsonText } from '../../values/json-text.ts';
import { isRecord } from '../../values/is-json.ts';
import { isTold, readModelAnswer } from '../read-model-answer.ts';

/** What became of one request, in the order in which a walk of the trial asked. */
export type TapeEntry =
  /** Answered from outside, `atUs` microseconds after the trial began. */
  | { readonly kind: 'answer'; readonly key: string; readonly atUs: number; readonly answer: Answer }
  /** Answered at once without the plan's part: refused, denied, or not granted. */
  | { readonly kind: 'refusal'; readonly key: string; readonly answer: Answer }
  /** Answered by the plan, although the outside world could have been asked. */
  | { readonly kind: 'plan'; readonly key: string }
  /** Not answered before the trial's time was up, or the trial over. */
  | { readonly kind: 'silence'; readonly key: string };

/**
 * By what an entry is found again: a digest of the walk and the request as it was asked, in canonical JSON. Secrets are
 * placeholders in requests, so the key cannot be turned back into one.
 */
export function tapeKey(walk: string, request: Request): string {
  const text = `${walk}\n${jsonText(plainRequest(request))}`;
  return createHash('sha256').update(text).digest('base64url').slice(0, KEY_LENGTH);
}

/** 132 bits. */
const KEY_LENGTH = 22;

/** Requests are plain data by their type; keys that are present but undefined are dropped. */
function plainRequest(request: Request): Json {
  return JSON.parse(exactJsonText(request)) as Json;
}

export function encodeTape(entries: readonly TapeEntry[]): Uint8Array {
  return Buffer.from(exactJsonText(entries));
}

/** Null: these are no entries. */
export function decodeTape(bytes: Uint8Array): readonly TapeEntry[] | null {
  try {
    const entries = readExactJson(Buffer.from(bytes).toString());
    return Array.isArray(entries) && entries.every(isEntry) ? entries : null;
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is TapeEntry {
  if (!isRecord(value) || typeof value.key !== 'string') return false;
  if (value.kind === 'plan' || value.kind === 'silence') return true;
  if (value.kind === 'refusal') return isAnswer(value.answer);
  return value.kind === 'answer' && Number.isSafeInteger(value.atUs) && isAnswer(value.answer);
}

function isAnswer(value: unknown): value is Answer {
  if (!isRecord(value) || !Number.isSafeInteger(value.delayUs) || typeof value.source !== 'string') return false;
  if (value.fault !== null && typeof value.fault !== 'string') return false;
  const { reply } = value;
  if (!isRecord(reply)) return false;
  switch (reply.kind) {
    case 'value':
      return reply.value !== undefined;
    case 'model':
      return readModelAnswer(reply as Json) !== null;
    case 'error':
      return (
        typeof reply.category === 'string' &&
        typeof reply.message === 'string' &&
        typeof reply.denied === 'boolean' &&
        (reply.usage === undefined || isTold(reply.usage as Json))
      );
    case 'asked':
      return isRecord(reply.request) && Array.isArray(reply.questions) && reply.questions.every(isQuestion);
    case 'broken':
      return typeof reply.message === 'string';
    default:
      return false;
  }
}

function isQuestion(value: unknown): boolean {
  if (!isRecord(value) || typeof value.key !== 'string' || !isRecord(value.params)) return false;
  return value.kind === 'sampling' || value.kind === 'elicitation';
}
