import type { CountedTrial, ImportedMessage, ImportedRun, ImporterType } from '../../plugin/importer-type.ts';
import type { JsonObject } from '../../types/json.ts';
import { countAt, fieldAt } from '../../values/json-fields.ts';
import { PASSK_TRIAL_INDEX, PASSK_TRIAL_VERDICT } from '../../values/passk-attributes.ts';
import { headJson } from '../head-json.ts';
import { MessageHistory } from '../messages/message-history.ts';
import { countedRun } from '../passk/counted-run.ts';
import { runOfSpans } from '../spans/run-of-spans.ts';
import { type SpanTree, spanTree } from '../spans/span-tree.ts';
import { joinedReasons } from '../spans/trace-names.ts';
import { CountedTrials } from './counted-trials.ts';
import { findSpans, REQUEST_KEYS } from './find-spans.ts';
import { type OtlpSpan, otlpSpan } from './otlp-span.ts';
import { messagesOf } from './span-messages.ts';
import { SpanPlaces } from './span-places.ts';
import { readTrace, type Trace } from './trace-spans.ts';
import { scoresOf, taskOf } from './trace-verdict.ts';

/** Traces in OTLP's JSON with their log records. Each trace is a run. */
export const otlp: ImporterType = {
  kind: 'importer',
  type: 'otlp',
  summary:
    'OpenTelemetry traces and logs in OTLP/JSON, with GenAI conventions old and new, or OpenInference (Phoenix).',
  options: {
    task: 'attribute of what was tried: traces of one task are attempts at it',
    passed: 'attribute of whether the run succeeded',
    set: 'attribute of the resource that says what the run belongs to',
  },
  joinsFiles: true,
  detects(source) {
    if (source.files.length !== 1) return false;
    const { keys } = headJson(source.head(0));
    return REQUEST_KEYS.some((key) => keys.has(key));
  },
  *index(source, index, options) {
    const places = new SpanPlaces();
    const counted = new CountedTrials();
    for (const file of source.files.keys()) yield* findSpans(source, file, { places, counted, options, index });
    let others = 0;
    let withoutSpans = 0;
    for (const { set, pieces, hasSpans, isRun } of places.traces()) {
      if (isRun) index.set(set).add(...pieces);
      else if (hasSpans) others++;
      else withoutSpans++;
    }
    counted.addTo(index);
    if (others > 0) {
      const message = `Traces without a span of a model, a tool, an agent or a test are left out: ${others}.`;
      index.problem({ message, file: 0 });
    }
    if (withoutSpans > 0) {
      const message = `Log records of traces of which no span is here are left out: those of ${withoutSpans}.`;
      index.problem({ message, file: 0 });
    }
  },
  read(pieces, { options, counted }) {
    if (counted !== null) return countedTrial(pieces, counted);
    const sent = readTrace(pieces);
    const history = new MessageHistory();
    const tree = spanTree(sent.spans.map((span) => otlpSpan(span, history)));
    const trace = { ...sent, spans: tree.nodes.map(({ span }) => span) };
    const run = runOfSpans(tree, { lost: sent.lost, said: () => saidByTops(tree) });
    const { unsaid: ofTask, task } = taskOf(trace, options, run.messages);
    const scores = scoresOf(trace, options);
    const [root] = trace.spans;
    const failure = tree.tops.find(({ span }) => span.error !== null)?.span.error ?? null;
    const isBroken = failure !== null && (scores.length === 0 || isBrokenTrial(root?.attributes));
    const attempt = countAt(root?.attributes, PASSK_TRIAL_INDEX);
    const silent = run.messages === undefined ? 'its spans keep nothing of what was said' : null;
    return {
      task,
      ...(attempt !== null && { attempt }),
      id: trace.id,
      scores,
      ...(isBroken && { error: failure }),
      ...(failure !== null && !isBroken && { ending: { status: 'errored', reason: failure } as const }),
      ...run,
      extra: { resource: trace.resource, spans: trace.spans.length, attributes: root?.attributes ?? {} },
      unsaid: {
        ...ofTask,
        ...run.unsaid,
        ...joinedReasons('messages', silent, doubledIn(trace), run.unsaid['messages']),
      },
    } satisfies ImportedRun;
  },
};

/** The messages of the outermost spans, for traces whose model calls keep no content. */
function saidByTops({ tops }: SpanTree<OtlpSpan>): readonly ImportedMessage[] {
  for (const { span } of tops) {
    if (span.kind === 'judge') continue;
    const { input, output } = messagesOf(span);
    if (input.length + output.length > 0) return [...input, ...output];
  }
  return [];
}

/** A trial of passk's own reporter that has no span: the span of its test case, the last piece, counts it. */
function countedTrial(pieces: readonly Uint8Array[], { outcome }: CountedTrial): ImportedRun {
  const { task } = taskOf(readTrace(pieces.slice(-1)), {});
  return countedRun(task, {
    outcome,
    error: 'The report counts it as broken.',
    unsaid: { scores: 'the report counts this trial and shows nothing of it' },
  });
}

function isBrokenTrial(attributes: JsonObject | undefined): boolean {
  return fieldAt(attributes, PASSK_TRIAL_VERDICT) === 'broken';
}

function doubledIn({ repeated }: Trace): string | null {
  return repeated === 0
    ? null
    : `${repeated} of its spans stand there twice and differ; the one that tells more counts`;
}
