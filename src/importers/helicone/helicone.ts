import type { ImportedRun, ImporterType, ImportOptions } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { isRecord } from '../../values/is-json.ts';
import { fieldAt, textAt } from '../../values/json-fields.ts';
import { MessageHistory } from '../messages/message-history.ts';
import {
  firstRecords,
  indexTraces,
  pathsBeside,
  readRecords,
  type RecordKeys,
  valueAt,
} from '../spans/index-traces.ts';
import { runOfSpans } from '../spans/run-of-spans.ts';
import { spanTree } from '../spans/span-tree.ts';
import { firstAsked, joinedReasons, mergedFields, namedTask, wordOf } from '../spans/trace-names.ts';
import { requestScores } from './request-scores.ts';
import { requestSpan } from './request-span.ts';

/** Keys of pages of the API. */
const LISTS = ['data'];

/** Fields that hold messages. */
const CONTENTS = [['request_body'], ['response_body']];

/** Requests that Helicone logged. The requests of a session are one run; a request without a session is a run of its own. */
export const helicone: ImporterType = {
  kind: 'importer',
  type: 'helicone',
  summary:
    'Request logs of Helicone, as its API lists them or its exporter writes them: sessions, else single requests.',
  options: {
    task: 'dotted path in a request of what was tried, such as properties.Case',
    set: 'dotted path in a request of what it belongs to, such as properties.Release',
  },
  detects(source) {
    const first = firstRecords(source, LISTS);
    return (
      first.length > 0 &&
      first.every(({ keys }) => {
        const isRequest = keys.has('request_id') || keys.has('request_body');
        return isRequest && ['response_status', 'response_body', 'response_id'].some((key) => keys.has(key));
      })
    );
  },
  *index(source, index, options) {
    yield* indexTraces(source, index, {
      lists: LISTS,
      contents: pathsBeside(CONTENTS, options['set']),
      keysOf: (record) => keysOf(record, options),
    });
  },
  read(pieces, { options }) {
    const { records, lost } = readRecords(pieces);
    const requestById = new Map<string, JsonObject>();
    for (const [at, record] of records.entries()) {
      const id = textAt(record, 'request_id') ?? `without id ${at}`;
      requestById.set(id, mergedFields(requestById.get(id), { ...record, request_id: id }));
    }
    const history = new MessageHistory();
    const spans = [...requestById.values()].map((request) => requestSpan(request, history));
    const tree = spanTree(spans);
    const { tops } = tree;
    const ordered = tops.map(({ span }) => requestById.get(span.id)).filter((request) => request !== undefined);
    const run = runOfSpans(tree, { lost });
    const scores = requestScores(ordered);
    const [first = {}] = ordered;
    const id = sessionOf(first) ?? textAt(first, 'request_id');
    // One before the last may have been tried again.
    const error = tops.at(-1)?.span.error ?? null;
    const hasNoBodies = spans.every(({ asked = [], answered = [] }) => asked.length + answered.length === 0);
    return {
      task: taskOf(ordered, run.messages, options) ?? id ?? 'unnamed',
      ...(id !== null && { id }),
      scores,
      ...(error !== null && { error }),
      ...run,
      extra: {
        properties: propertiesOf(first),
        provider: first['provider'] ?? null,
        user: first['request_user_id'] ?? null,
      },
      unsaid: {
        ...(scores.length === 0 && { scores: 'it has neither scores nor feedback' }),
        ...run.unsaid,
        ...joinedReasons(
          'messages',
          hasNoBodies && run.messages === undefined ? 'the bodies of requests and answers were not exported' : null,
          run.unsaid['messages'],
        ),
      },
    } satisfies ImportedRun;
  },
};

function keysOf(record: JsonObject, options: ImportOptions): RecordKeys | null {
  const session = sessionOf(record);
  const request = textAt(record, 'request_id') ?? textAt(record, 'response_id');
  const trace = session === null ? request : `session ${session}`;
  if (trace === null) return null;
  return { trace, set: options['set'] === undefined ? null : wordOf(valueAt(record, options['set'])), isRoot: false };
}

/** Older exports have `request_properties` alone. */
function propertiesOf({ request_properties: older, properties: newer }: JsonObject): JsonObject {
  return { ...(isRecord(older) && (older as JsonObject)), ...(isRecord(newer) && (newer as JsonObject)) };
}

function sessionOf(record: JsonObject): string | null {
  return wordOf(fieldAt(propertiesOf(record), 'Helicone-Session-Id')) ?? wordOf(record['session_id']);
}

/** The task that a request names, else the first question. */
function taskOf(
  requests: readonly JsonObject[],
  messages: ImportedRun['messages'],
  options: ImportOptions,
): string | null {
  const { task: path } = options;
  for (const request of requests) {
    const properties = propertiesOf(request);
    const task =
      path === undefined ? namedTask(properties, ['Task', 'Case']) : wordOf(valueAt({ ...request, properties }, path));
    if (task !== null) return task;
  }
  return path === undefined ? firstAsked(messages) : null;
}
