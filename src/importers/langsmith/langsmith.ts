import { ImportError, type ImportedRun, type ImporterType, type ImportOptions } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { isRecord } from '../../values/is-json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { textOf } from '../../values/message-text.ts';
import { jsonText } from '../../values/json-text.ts';
import { shownMessages } from '../messages/any-messages.ts';
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
import { scoresOf } from './langsmith-feedback.ts';
import { parentOf, runSpan, totalsOf } from './run-span.ts';

/** Keys of pages of the API, and of the batches that the SDK sends. */
const LISTS = ['runs', 'post', 'patch'];

/** Fields that hold messages and results. */
const CONTENTS = [['inputs'], ['outputs'], ['events'], ['serialized'], ['child_runs']];

/** The project that the SDK traces evaluators in. */
const JUDGES = { set: 'evaluators', is: 'of the project "evaluators"' };

/** Traces of LangSmith. What LangSmith calls a run is a step here; the steps of a trace are one run. */
export const langsmith: ImporterType = {
  kind: 'importer',
  type: 'langsmith',
  summary: 'Runs of LangSmith as its API lists them or its SDK sends them: JSON or JSON Lines, in any order.',
  options: {
    task: 'dotted path in the root run of what was tried, such as extra.metadata.case',
    set: 'dotted path in the root run of what it belongs to',
  },
  detects(source) {
    const first = firstRecords(source, LISTS);
    return first.length > 0 && first.every(({ keys, values }) => isRunHead(keys) || isFeedback(values));
  },
  *index(source, index, options) {
    yield* indexTraces(source, index, {
      lists: LISTS,
      contents: pathsBeside(CONTENTS, options['set']),
      keysOf: (record) => keysOf(record, options),
      aside: JUDGES,
    });
  },
  read(pieces, { options }) {
    const { records, lost } = readRecords(pieces);
    const { runs, doubled } = mergedRuns(records.filter((record) => !isFeedback(record)));
    const root = rootOf(runs);
    if (runs.length === 0) throw new ImportError('Only feedback of it is there, not the run.');
    const feedback = records.filter(isFeedback);
    const error = root === undefined ? null : errorOf(root);
    const history = new MessageHistory();
    const run = runOfSpans(spanTree(runs.map((run) => runSpan(run, history))), {
      totals: totalsOf(root),
      lost,
      said: () => [...shownMessages(fieldAt(root, 'inputs'), 'user'), ...answerOf(root)],
    });
    const scores = scoresOf(root === undefined ? runs : [root, ...runs.filter((run) => run !== root)], feedback);
    const id = textAt(root ?? runs[0], 'trace_id') ?? textAt(root ?? runs[0], 'id');
    const noRoot = root === undefined ? 'its root run is not there' : null;
    return {
      task: taskOf(root ?? {}, run.messages, options) ?? id ?? 'unnamed',
      ...(id !== null && { id }),
      scores,
      ...(error !== null && { error }),
      ...run,
      extra: extraOf(root ?? {}),
      unsaid: {
        ...(scores.length === 0 && { scores: noRoot ?? 'it has no feedback' }),
        ...run.unsaid,
        ...joinedReasons('messages', noRoot, doubled, run.unsaid['messages']),
      },
    } satisfies ImportedRun;
  },
};

function isRunHead(keys: ReadonlySet<string>): boolean {
  return (
    keys.has('run_type') && ['trace_id', 'dotted_order', 'session_id', 'session_name'].some((key) => keys.has(key))
  );
}

/** A feedback record of the API. */
function isFeedback(record: JsonObject): boolean {
  return 'run_id' in record && 'key' in record && !('run_type' in record);
}

function keysOf(record: JsonObject, options: ImportOptions): RecordKeys | null {
  const id = textAt(record, 'id');
  if (isFeedback(record)) {
    const trace = textAt(record, 'trace_id') ?? textAt(record, 'run_id');
    return trace === null ? null : { trace, set: null, isRoot: false };
  }
  const parent = parentOf(record);
  const [ordered] = (textAt(record, 'dotted_order') ?? '').split('.');
  const trace = textAt(record, 'trace_id') ?? (ordered === undefined || ordered === '' ? null : idIn(ordered)) ?? id;
  if (trace === null) return null;
  const mapped = options['set'] === undefined ? null : valueAt(record, options['set']);
  const session =
    textAt(record, 'session_name') ?? textAt(record, 'session_id') ?? textAt(record, 'project_id') ?? null;
  const set = options['set'] === undefined ? session : parent === null ? wordOf(mapped) : null;
  return { trace, set, isRoot: parent === null };
}

/** A step of a dotted order is a time, then the id. */
function idIn(step: string): string | null {
  return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.exec(step)?.[0] ?? null;
}

/**
 * The runs of the records, each once: the SDK sends a run and adds to it later, pages may overlap, and runs may hold child
 * runs.
 */
function mergedRuns(records: readonly JsonObject[]): {
  readonly runs: readonly JsonObject[];
  readonly doubled: string | null;
} {
  const byId = new Map<string, JsonObject>();
  const differing = new Set<string>();
  const open = records.toReversed();
  for (let record = open.pop(); record !== undefined; record = open.pop()) {
    const id = textAt(record, 'id') ?? `without id ${byId.size}`;
    const earlier = byId.get(id);
    if (earlier !== undefined && disagree(earlier, record)) differing.add(id);
    byId.set(id, earlier === undefined ? withId(record, id) : mergedRun(earlier, record));
    for (const child of listAt(record, 'child_runs').toReversed()) {
      if (isRecord(child)) open.push({ parent_run_id: id, ...child } as JsonObject);
    }
  }
  const count = differing.size;
  const doubled = count === 0 ? null : `${count} of its runs stand there twice and differ; the last counts`;
  return { runs: [...byId.values()], doubled };
}

function withId(record: JsonObject, id: string): JsonObject {
  return record['id'] === id ? record : { ...record, id };
}

/** Later fields add to earlier ones, and `extra` to `extra`. */
function mergedRun(earlier: JsonObject, later: JsonObject): JsonObject {
  const extra = { ...(earlier['extra'] as JsonObject | null), ...(later['extra'] as JsonObject | null) };
  return { ...mergedFields(earlier, later), ...(Object.keys(extra).length > 0 && { extra }) };
}

function disagree(earlier: JsonObject, later: JsonObject): boolean {
  return ['outputs', 'error', 'run_type'].some((key) => {
    const [one, other] = [earlier[key] ?? null, later[key] ?? null];
    return one !== null && other !== null && jsonText(one) !== jsonText(other);
  });
}

/** The trace has the id of its root. */
function rootOf(runs: readonly JsonObject[]): JsonObject | undefined {
  return (
    runs.find(({ id, trace_id: trace }) => id === trace) ??
    runs.find((run) => parentOf(run) === null && textAt(run, 'trace_id') === null)
  );
}

/** Why the trace says nothing of the subject: it threw, or never ended. Null: it does. */
function errorOf(root: JsonObject): string | null {
  const error = textAt(root, 'error');
  if (error !== null && error !== '') return error;
  const status = (textAt(root, 'status') ?? '').toLowerCase();
  if (status === 'error') return textAt(root, 'error_preview') ?? 'LangSmith calls it an error and does not say why.';
  const hasEnd = fieldAt(root, 'end_time') !== undefined && fieldAt(root, 'end_time') !== null;
  const hasOutputs = isRecord(fieldAt(root, 'outputs'));
  return hasEnd || hasOutputs || status === 'success'
    ? null
    : 'It has no end: it was still running, or its end got lost.';
}

/** The output of the root run, without the messages of its input, which graphs that keep messages repeat. */
function answerOf(root: unknown): ReturnType<typeof shownMessages> {
  const inputs = shownMessages(fieldAt(root, 'inputs'), 'user');
  const outputs = shownMessages(fieldAt(root, 'outputs'), 'assistant');
  const isRepeated =
    outputs.length > inputs.length && inputs.every((one, at) => textOf(one.parts) === textOf(outputs[at]?.parts ?? []));
  return isRepeated ? outputs.slice(inputs.length) : outputs;
}

/** The example of a data set, else a name in the metadata, else the first question. */
function taskOf(root: JsonObject, messages: ImportedRun['messages'], options: ImportOptions): string | null {
  if (options['task'] !== undefined) return wordOf(valueAt(root, options['task']));
  const metadata = isRecord(fieldAt(root, 'extra', 'metadata')) ? fieldAt(root, 'extra', 'metadata') : root['metadata'];
  const inputs = isRecord(root['inputs']) ? jsonText(root['inputs'] as JsonObject) : null;
  const example = wordOf(root['reference_example_id']);
  return example ?? namedTask(metadata, ['example_id']) ?? firstAsked(messages) ?? inputs ?? wordOf(root['name']);
}

function extraOf(root: JsonObject): JsonObject {
  const { name = null, tags = null, outputs = null } = root;
  const metadata = (fieldAt(root, 'extra', 'metadata') ?? root['metadata'] ?? null) as JsonObject[string];
  return { name, tags, metadata, outputs };
}
