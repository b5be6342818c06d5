import type { PasskError } from '../errors.ts';
import type { RunnerType } from '../plugin/runner-type.ts';
import type { Json } from '../types/json.ts';
import type { ModelAnswer, ModelQuestion } from '../types/model-test.ts';
import { isJsonArray, isJsonObject, isRecord } from '../values/is-json.ts';
import { plainCopy } from '../values/plain-json.ts';

/** As much as runners take of one answer, in characters of JSON. */
export const LONGEST_ANSWER = 100 * 1024 * 1024;

const PROBLEMS = ['error', 'timed_out', 'died'];

/**
 * What the runner of a plug-in gave for a question, as plain data. Throws what `wrong` makes of what is wrong with it, which
 * says nothing about the model.
 */
export function readRunnerAnswer(
  returned: unknown,
  { stream }: ModelQuestion,
  { judges }: Pick<RunnerType, 'judges'>,
  wrong: (what: string) => PasskError,
): ModelAnswer {
  if (!isRecord(returned))
    throw wrong(`it gave ${returned === null ? 'null' : `a value of type ${typeof returned}`} in place of an answer`);
  const copy = plainCopy(returned, { maxLength: LONGEST_ANSWER, leavesOutUndefined: true });
  if (!copy.ok) throw wrong(`what it gave is no plain data: ${copy.reason}`);
  // A chunk that nobody asked for is none, and JavaScript leaves out what is null.
  const answer = { chunks: null, ...(copy.value as Readonly<Record<string, Json>>) } as Readonly<Record<string, Json>>;
  const problem = problemOf(answer, { stream, isJudge: judges !== undefined });
  if (problem !== null) throw wrong(problem);
  // Each field has just been looked at.
  return answer as unknown as ModelAnswer;
}

/** What is wrong with it, as a part of a sentence; null: nothing. */
function problemOf(
  answer: Readonly<Record<string, Json>>,
  { stream, isJudge }: { readonly stream: boolean; readonly isJudge: boolean },
): string | null {
  const { kind, chunks, latencyMs } = answer;
  if (!isAmount(latencyMs)) return '`latencyMs` of what it gave is no number from 0';
  if (chunks !== null && !(isJsonArray(chunks) && chunks.every(isChunk))) {
    return '`chunks` of what it gave are neither null nor a list of { atMs, chunk }';
  }
  switch (kind) {
    case 'answer':
      if (isJudge) return 'it gave an answer, and `judges` says that it gives verdicts';
      if (stream && chunks === null) return 'it gave no `chunks`, and the answer was asked for in pieces';
      return answer['response'] === undefined
        ? 'it gave an answer without a `response`, which is null where none came'
        : null;
    case 'verdict':
      if (!isJudge) return 'it gave a verdict, and has no `judges` that say by which validators';
      return isTextOrNull(answer['failure']) ? null : '`failure` of its verdict is neither null nor a text';
    case 'problem':
      return wrongIn(answer);
    default:
      return '`kind` of what it gave is none of "answer", "verdict" and "problem"';
  }
}

function wrongIn({
  why,
  message,
  code,
  transient,
  retryAfterMs = null,
}: Readonly<Record<string, Json>>): string | null {
  if (typeof why !== 'string' || !PROBLEMS.includes(why))
    return '`why` of its problem is none of "error", "timed_out" and "died"';
  if (typeof message !== 'string') return '`message` of its problem is no text';
  if (!isTextOrNull(code)) return '`code` of its problem is neither null nor a text';
  if (typeof transient !== 'boolean') return '`transient` of its problem is neither true nor false';
  return retryAfterMs === null || isAmount(retryAfterMs)
    ? null
    : '`retryAfterMs` of its problem is neither null nor a number from 0';
}

function isChunk(chunk: Json): boolean {
  return isJsonObject(chunk) && chunk['chunk'] !== undefined && (chunk['atMs'] === null || isAmount(chunk['atMs']));
}

function isTextOrNull(value: Json | undefined): boolean {
  return value === null || typeof value === 'string';
}

function isAmount(value: Json | undefined): boolean {
  return typeof value === 'number' && value >= 0;
}
