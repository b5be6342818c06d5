import type { JsonObject } from '../../types/json.ts';
import { isRecord } from '../../values/is-json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { mergedFields } from '../spans/trace-names.ts';

/** The kind of a record; `item` links a trace to an item of a data set. Null: the record is not about a trace. */
export interface LangfuseRecord {
  readonly kind: 'trace' | 'observation' | 'score' | 'item' | null;
  readonly body: JsonObject;
}

const EVENTS =
  /^(trace|score|span|generation|event|observation|agent|tool|chain|retriever|evaluator|embedding|guardrail)-(create|update)$/;

/** Types of observations, of which the SDK sends the first three as events. */
const TYPES = [
  'SPAN',
  'GENERATION',
  'EVENT',
  'AGENT',
  'TOOL',
  'CHAIN',
  'RETRIEVER',
  'EVALUATOR',
  'EMBEDDING',
  'GUARDRAIL',
];

/** The record in an event of the SDK; a record of the API as it is. */
export function langfuseRecord(record: JsonObject): LangfuseRecord {
  const [, what] = EVENTS.exec(textAt(record, 'type') ?? '') ?? [];
  const held = record['body'];
  if (what !== undefined && isRecord(held)) {
    const body = held as JsonObject;
    if (what === 'trace' || what === 'score') return { kind: what, body };
    return { kind: 'observation', body: what === 'observation' ? body : { ...body, type: what.toUpperCase() } };
  }
  if ('traceId' in record && 'datasetItemId' in record) return { kind: 'item', body: record };
  if ('traceId' in record && TYPES.includes(textAt(record, 'type') ?? '')) return { kind: 'observation', body: record };
  if ('traceId' in record && 'name' in record && ('value' in record || 'stringValue' in record)) {
    return { kind: 'score', body: record };
  }
  const isTrace = 'timestamp' in record || 'observations' in record || isRecord(record['trace']);
  return { kind: isTrace && !('type' in record) ? 'trace' : null, body: record };
}

/** Whether a record that begins with these keys is one of Langfuse's. */
export function isRecordHead(keys: ReadonlySet<string>, values: JsonObject): boolean {
  const has = (...all: readonly string[]): boolean => all.every((key) => keys.has(key));
  const type = textAt(values, 'type') ?? '';
  if (EVENTS.test(type) || type === 'sdk-log') return has('timestamp', 'body') || has('id', 'timestamp');
  if (has('traceId', 'startTime')) return TYPES.includes(type);
  if (has('traceId', 'name'))
    return ['dataType', 'stringValue', 'source', 'observationId'].some((key) => keys.has(key));
  if (has('traceId', 'datasetItemId')) return true;
  const isNamed = ['htmlPath', 'sessionId', 'userId', 'bookmarked', 'environment'].some((key) => keys.has(key));
  return has('id', 'observations') || has('trace', 'observations') || (has('id', 'timestamp') && isNamed);
}

/** The records of one trace. */
export interface TraceParts {
  /** Null: only parts of it are there. */
  readonly trace: JsonObject | null;
  /** Each observation once, its records merged. */
  readonly observations: readonly JsonObject[];
  readonly scores: readonly JsonObject[];
  readonly item: JsonObject | null;
  /** Observations that the trace names and that have no record. */
  readonly missing: number;
}

/** Sorts the records of a trace. Creations and updates of one id are merged, and pages may overlap. */
export function partsOfTrace(records: readonly JsonObject[]): TraceParts {
  let trace: JsonObject | null = null;
  let item: JsonObject | null = null;
  const observations = new Map<string, JsonObject>();
  const scores = new Map<string, JsonObject>();
  const named = new Set<string>();
  const keep = (into: Map<string, JsonObject>, one: JsonObject): void => {
    const id = textAt(one, 'id');
    const key = id ?? `without id ${into.size}`;
    into.set(key, mergedFields(into.get(key), id === null ? { ...one, id: key } : one));
  };
  const keepAll = (into: Map<string, JsonObject>, all: readonly unknown[]): void => {
    for (const one of all) {
      if (isRecord(one)) keep(into, one as JsonObject);
      else if (typeof one === 'string' && into === observations) named.add(one);
    }
  };
  for (const record of inOrder(records)) {
    const { kind, body } = langfuseRecord(record);
    if (kind === 'observation') keep(observations, body);
    else if (kind === 'score') keep(scores, body);
    else if (kind === 'item') item = body;
    else if (kind === 'trace') {
      const inner = fieldAt(body, 'trace');
      const own = (isRecord(inner) ? inner : body) as JsonObject;
      trace = mergedFields(trace ?? undefined, own);
      keepAll(observations, listAt(body, 'observations'));
      keepAll(scores, [...listAt(own, 'scores'), ...(own === body ? [] : listAt(body, 'scores'))]);
      for (const score of scoreTable(own['scores'])) keep(scores, score);
    }
  }
  const missing = [...named].filter((id) => !observations.has(id)).length;
  return { trace, observations: [...observations.values()], scores: [...scores.values()], item, missing };
}

/** Scores of exported tables, which have a column for each score. */
function scoreTable(scores: unknown): readonly JsonObject[] {
  if (!isRecord(scores)) return [];
  return Object.entries(scores as JsonObject).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as readonly JsonObject[string][]) : [value]).map((one) => ({ name, value: one })),
  );
}

/** Sorts events by time. The SDK may send an update before its creation, both with one time. */
function inOrder(records: readonly JsonObject[]): readonly JsonObject[] {
  const rank = (record: JsonObject): string => {
    const isUpdate = (textAt(record, 'type') ?? '').endsWith('-update');
    const at = textAt(record, 'body', 'timestamp') ?? textAt(record, 'timestamp') ?? '';
    return `${isUpdate ? 1 : 0} ${at}`;
  };
  if (!records.some((record) => isRecord(record['body']))) return records;
  const ranks = new Map(records.map((record) => [record, rank(record)]));
  return records.toSorted((a, b) => {
    const [one = '', other = ''] = [ranks.get(a), ranks.get(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  });
}
