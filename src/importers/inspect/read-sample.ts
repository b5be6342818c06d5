import { isUtf8 } from 'node:buffer';
import { ImportError, type ImportedRun } from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { countAt, fieldAt, listAt, numberAt, textAt } from '../../values/json-fields.ts';
import { mapTexts } from '../../values/map-texts.ts';
import { jsonPlaces } from '../json-places.ts';
import { parsePythonObject } from '../python-json.ts';
import { utf8Text } from '../read-record.ts';
import { timeBetween } from '../time-between.ts';
import type { LogFacts } from './inspect-log.ts';
import { sampleCosts } from './sample-costs.ts';
import { sampleMessages } from './sample-messages.ts';
import { sampleScores } from './sample-scores.ts';

/** A sample of one epoch, as an attempt at a task. Throws an `ImportError` for any other JSON. */
export function readSample(bytes: Uint8Array, facts: LogFacts): ImportedRun {
  const sample = parsePythonObject(withoutEvents(bytes));
  const { id } = sample;
  if ((typeof id !== 'string' || id === '') && typeof id !== 'number') throw new ImportError('It has no "id".');
  const attachments = new Attachments(sample);
  const shown = attachments.resolve(Object.fromEntries(SHOWN.map((key) => [key, sample[key] ?? null])));
  const scores = sampleScores(shown, facts);
  const error = errorOf(sample, scores.length > 0, facts);
  const epoch = countAt(sample, 'epoch');
  const uuid = textAt(sample, 'uuid');
  const { unsaid, ...costs } = sampleCosts(sample, facts);
  const messages = sampleMessages(shown);
  const isCounted = costs.costs !== undefined || messages.some(({ usage }) => usage !== undefined);
  const durationMs = durationOf(sample);
  const ending = endingOf(sample);
  return {
    task: String(id),
    ...(epoch !== null && { attempt: epoch }),
    ...(uuid !== null && { id: uuid }),
    scores,
    ...(error !== null && { error }),
    ...(ending !== null && error === null && { ending }),
    messages,
    ...costs,
    ...(durationMs !== null && { durationMs }),
    extra: extraOf(sample, shown),
    unsaid: {
      ...(!isCounted && { usage: 'the log tells no tokens of this sample' }),
      ...unsaid,
      ...(attachments.problem !== null && { messages: attachments.problem }),
    },
  };
}

/** Fields that may refer to attachments: the others are short, or not read. */
const SHOWN = ['input', 'target', 'choices', 'messages', 'output', 'score', 'scores', 'metadata'];

/** Fields that repeat the sample step by step. They are most of its bytes. */
const LEFT_OUT = [['events'], ['transcript', 'events'], ['events_data'], ['timelines'], ['store']];

/** Bytes of a sample that are parsed whole, which takes less time than to cut fields out. */
const SHORT = 16 * 1024;

function withoutEvents(bytes: Uint8Array): string {
  if (bytes.length < SHORT) return utf8Text(bytes);
  if (!isUtf8(bytes)) throw new ImportError('It is not UTF-8. Save it as UTF-8.');
  const steps = jsonPlaces({
    read: (from, to) => bytes.subarray(from, to),
    bytes: bytes.length,
    paths: LEFT_OUT,
    found: () => undefined,
  });
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done !== true) continue;
    if (step.value.cut !== null) throw step.value.cut;
    return step.value.text;
  }
}

/** Most characters that references may add to a sample: each may add the same long text again. */
const MOST_ATTACHED = 64 * 1024 * 1024;
const REFERENCE = /^(?:attachment|tc):\/\/([0-9a-f]{32})$/;

/** The long texts of a sample, which it holds once and refers to. */
class Attachments {
  /** Why some references are not replaced; null: all are. */
  problem: string | null = null;
  private readonly texts: unknown;
  private left = MOST_ATTACHED;

  constructor(sample: JsonObject) {
    this.texts = fieldAt(sample, 'attachments') ?? fieldAt(sample, 'transcript', 'content');
  }

  resolve(value: JsonObject): JsonObject {
    return mapTexts<JsonObject>(value, (text) => {
      const hash = text.length < 64 ? REFERENCE.exec(text)?.[1] : undefined;
      if (hash === undefined) return text;
      const attached = textAt(this.texts, hash);
      this.left -= attached?.length ?? 0;
      if (attached === null) this.problem = 'some of its attachments are not in the log';
      else if (this.left < 0) this.problem = 'its attachments are too long to be shown all';
      return attached === null || this.left < 0 ? text : attached;
    });
  }
}

function errorOf(sample: JsonObject, isScored: boolean, { ending }: LogFacts): string | null {
  const { error, invalidation } = sample;
  if (error !== undefined && error !== null) return textAt(error, 'message') ?? 'The sample ended with an error.';
  if (invalidation !== undefined && invalidation !== null) {
    const reason = textAt(invalidation, 'reason');
    return reason === null ? 'It was declared invalid.' : `It was declared invalid: ${reason}`;
  }
  return isScored || ending === null ? null : `It was not scored: ${ending}.`;
}

const TIMES = ['time', 'working'];

/** A limit ends the subject, and Inspect scores what it has done by then. */
function endingOf(sample: JsonObject): NonNullable<ImportedRun['ending']> | null {
  const type = textAt(sample, 'limit', 'type');
  if (type === null) return null;
  const limit = numberAt(sample, 'limit', 'limit');
  const reason = textAt(sample, 'limit', 'reason');
  const bar = limit === null ? '' : ` of ${limit}`;
  return {
    status: TIMES.includes(type) ? 'timed_out' : 'failed',
    reason: `It reached the ${type} limit${bar}.${reason === null ? '' : ` ${reason}`}`,
  };
}

function durationOf(sample: JsonObject): number | null {
  const seconds = numberAt(sample, 'total_time');
  if (seconds !== null && seconds >= 0) return seconds * 1000;
  return timeBetween(textAt(sample, 'started_at'), textAt(sample, 'completed_at'));
}

function extraOf(sample: JsonObject, shown: JsonObject): JsonObject {
  const extra: readonly (readonly [string, Json | undefined])[] = [
    ['target', shown['target']],
    ['choices', shown['choices']],
    ['metadata', shown['metadata']],
    ['files', sample['files']],
    ['working_time', sample['working_time']],
    ['traceback', textAt(sample, 'error', 'traceback')],
    ['retries', listAt(sample, 'error_retries').length || null],
  ];
  return Object.fromEntries(extra.filter((entry): entry is readonly [string, Json] => isTold(entry[1])));
}

function isTold(value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
