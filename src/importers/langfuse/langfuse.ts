import type { ImportedRun, ImporterType, ImportOptions } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { isRecord } from '../../values/is-json.ts';
import { fieldAt, numberAt, textAt } from '../../values/json-fields.ts';
import { jsonText } from '../../values/json-text.ts';
import { MessageHistory } from '../messages/message-history.ts';
import { shownMessages, unwrapped } from '../messages/any-messages.ts';
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
import { firstAsked, joinedReasons, namedTask, wordOf } from '../spans/trace-names.ts';
import { isRecordHead, langfuseRecord, partsOfTrace } from './langfuse-records.ts';
import { langfuseScores } from './langfuse-scores.ts';
import { observationSpan } from './observation-span.ts';

/** Keys of pages of the API, of sessions, and of the batches that the SDK sends. */
const LISTS = ['data', 'batch', 'traces'];

/** Fields that hold messages and results, in events and traces too. */
const CONTENTS = [[], ['body'], ['trace']].flatMap((at) =>
  ['input', 'output', 'observations'].map((key) => [...at, key]),
);

/** Traces of Langfuse with their observations and scores. */
export const langfuse: ImporterType = {
  kind: 'importer',
  type: 'langfuse',
  summary: 'Traces of Langfuse with observations and scores, as its API lists them or its SDK sends them.',
  options: {
    task: 'dotted path in the trace of what was tried, such as metadata.case',
    set: 'dotted path in the trace of what it belongs to, such as release',
  },
  detects(source) {
    const first = firstRecords(source, LISTS);
    return first.length > 0 && first.every(({ keys, values }) => isRecordHead(keys, values));
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
    const { trace, observations, scores: scoreRecords, item, missing } = partsOfTrace(records);
    const history = new MessageHistory();
    const tree = spanTree(observations.map((observation) => observationSpan(observation, history)));
    const scores = langfuseScores(scoreRecords);
    // The last step that is part of no other says how it ended: one before it may have been tried again.
    const error = tree.tops.at(-1)?.span.error ?? null;
    const usd = numberAt(trace, 'totalCost');
    const run = runOfSpans(tree, {
      // Langfuse writes 0 where it knows no price.
      totals: usd !== null && usd > 0 ? { usd } : {},
      lost,
      said: () => saidIn(trace ?? observations[0]),
    });
    const latency = numberAt(trace, 'latency');
    const hasLatency = run.durationMs === undefined && latency !== null && latency > 0;
    const id = textAt(trace, 'id') ?? observations.map((one) => textAt(one, 'traceId')).find((one) => one !== null);
    const noTrace = trace === null ? 'the record of its trace is not there' : null;
    const gone = missing === 0 ? null : `${missing} of its observations are not there`;
    return {
      task: taskOf({ trace, item, messages: run.messages, options }) ?? id ?? 'unnamed',
      ...(id != null && { id }),
      scores,
      ...(error !== null && { error }),
      ...run,
      ...(hasLatency && { durationMs: latency * 1000 }),
      extra: extraOf(trace),
      unsaid: {
        ...(scores.length === 0 && { scores: 'it has no score' }),
        ...run.unsaid,
        ...joinedReasons('messages', noTrace, gone, run.unsaid['messages']),
        ...joinedReasons('calls', gone, run.unsaid['calls']),
        ...joinedReasons('usage', gone, run.unsaid['usage']),
      },
    } satisfies ImportedRun;
  },
};

function keysOf(record: JsonObject, options: ImportOptions): RecordKeys | null {
  const { kind, body } = langfuseRecord(record);
  const inner = fieldAt(body, 'trace');
  const trace = isRecord(inner) ? (inner as JsonObject) : body;
  const id = kind === 'trace' ? textAt(trace, 'id') : textAt(body, 'traceId');
  if (kind === null || id === null) return null;
  if (kind === 'item') {
    const name = textAt(body, 'datasetRunName') ?? textAt(body, 'runName');
    return { trace: id, set: options['set'] === undefined ? name : null, isRoot: true };
  }
  if (kind !== 'trace') return { trace: id, set: null, isRoot: false };
  const metadata = unwrapped(trace['metadata']);
  const set =
    options['set'] === undefined
      ? (textAt(metadata, 'experiment_run_name') ?? textAt(metadata, 'dataset_run_name'))
      : wordOf(valueAt({ ...trace, metadata }, options['set']));
  return { trace: id, set, isRoot: false };
}

function saidIn(record: JsonObject | null | undefined): ReturnType<typeof shownMessages> {
  return [
    ...shownMessages(unwrapped(fieldAt(record, 'input')), 'user'),
    ...shownMessages(unwrapped(fieldAt(record, 'output')), 'assistant'),
  ];
}

interface TaskFacts {
  readonly trace: JsonObject | null;
  readonly item: JsonObject | null;
  readonly messages: ImportedRun['messages'];
  readonly options: ImportOptions;
}

/** The item of a data set, else a name in the metadata, else the first question. */
function taskOf({ trace, item, messages, options }: TaskFacts): string | null {
  const metadata = unwrapped(fieldAt(trace, 'metadata'));
  if (options['task'] !== undefined) return wordOf(valueAt({ ...trace, metadata } as JsonObject, options['task']));
  const input = fieldAt(trace, 'input') as JsonObject[string] | undefined;
  return (
    textAt(item, 'datasetItemId') ??
    namedTask(metadata, ['dataset_item_id', 'datasetItemId']) ??
    firstAsked(messages) ??
    (input === undefined || input === null ? null : jsonText(input)) ??
    wordOf(fieldAt(trace, 'name'))
  );
}

function extraOf(trace: JsonObject | null): JsonObject {
  const { name = null, sessionId = null, release = null, tags = null, metadata = null, output = null } = trace ?? {};
  return { name, sessionId, release, tags, metadata, output };
}
