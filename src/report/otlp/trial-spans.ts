import type { Json } from '../../types/json.ts';
import type { MessagePart } from '../../types/message.ts';
import type { Call, LedgerLine, TrialRecord, Turn } from '../../types/record.ts';
import type { FailureReport } from '../../types/scenarios/failure-report.ts';
import { jsonText } from '../../values/json-text.ts';
import {
  PASSK_CASE_ID,
  PASSK_COST,
  PASSK_TRIAL_INDEX,
  PASSK_TRIAL_VERDICT,
  PASSK_UNITS,
} from '../../values/passk-attributes.ts';
import { type Attributes, idOf, type RecordToWrite, type SpanToWrite } from './otlp-json.ts';

/** The test case that a trial is one of. */
export interface TrialCase {
  readonly id: string;
  readonly seed: number;
  readonly name: string;
  readonly suite: string;
  /** Of its own span. */
  readonly span: { readonly trace: string; readonly id: string };
  /** When the run began: nanoseconds since 1970. */
  readonly start: bigint;
}

export interface TrialTrace {
  readonly spans: readonly SpanToWrite[];
  readonly records: readonly RecordToWrite[];
}

/** A trial that the report shows in full, as a trace of its own. Its findings are log records. */
export function trialTrace(failure: FailureReport, testCase: TrialCase): TrialTrace {
  const { trial, verdict, record, path, status, findings, brokenBy, reason } = failure;
  const { id: caseId, seed, name, suite, span, start } = testCase;
  // What agents and servers wrote of it hangs below the span that they were told of.
  const { traceContext } = failure;
  const trace = traceContext?.trace ?? idOf(32, 'trial', caseId, seed, trial);
  const id = traceContext?.span ?? idOf(16, trace, 'root');
  const inside = record === undefined ? [] : spansInside(record, { trace, parent: id, start });
  const end = start + lengthOf(record);
  const subjectError = status === 'errored' || status === 'timed_out' ? (reason ?? status) : undefined;
  const error = verdict === 'broken' ? (brokenBy ?? 'The harness failed.') : subjectError;
  const root: SpanToWrite = {
    trace,
    id,
    name: `${record === undefined ? 'invoke_workflow' : 'invoke_agent'} ${name}`,
    kind: 1,
    start,
    end,
    attributes: {
      'gen_ai.operation.name': record === undefined ? 'invoke_workflow' : 'invoke_agent',
      ...(record === undefined && { 'gen_ai.workflow.name': name }),
      'test.suite.name': suite,
      'test.case.name': name,
      ...(verdict === 'failed' && { 'test.case.result.status': 'fail' }),
      [PASSK_CASE_ID]: caseId,
      [PASSK_TRIAL_INDEX]: trial,
      [PASSK_TRIAL_VERDICT]: verdict,
      'passk.status': status,
      'passk.reason': reason,
      'passk.path': path.length === 0 ? null : path,
      'passk.replay': failure.replay,
      'passk.recording.task': record?.recording?.task,
      ...messageAttributes(record),
    },
    ...(error !== undefined && { error }),
    link: span,
  };
  const evaluations = findings.map(
    (finding): Attributes => ({
      'gen_ai.evaluation.name': finding.check,
      'gen_ai.evaluation.score.label': finding.verdict,
      'gen_ai.evaluation.explanation': finding.message,
    }),
  );
  const broken: Attributes = { 'gen_ai.evaluation.name': 'passk', 'error.type': 'broken' };
  const records = (verdict === 'broken' ? [broken] : evaluations).map(
    (attributes): RecordToWrite => ({ trace, span: id, event: 'gen_ai.evaluation.result', time: end, attributes }),
  );
  return { spans: [root, ...inside], records };
}

/** Virtual time of a workflow, measured time of an agent: nanoseconds. */
function lengthOf(record: TrialRecord | undefined): bigint {
  const virtual = record?.workflow?.elapsedUs;
  if (virtual !== undefined) return nanoseconds(virtual / 1000);
  const latencies = (record?.turns ?? []).map(({ answer }) => answer?.latencyMs ?? 0);
  return nanoseconds(record?.recording?.durationMs ?? latencies.reduce((sum, one) => sum + one, 0));
}

function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1e6));
}

interface Place {
  readonly trace: string;
  readonly parent: string;
  readonly start: bigint;
}

/** A span for each call of a model and of a tool. A record does not say when, so all of them begin with the trial. */
function spansInside({ ledger, calls }: TrialRecord, { trace, parent, start }: Place): readonly SpanToWrite[] {
  const base = { trace, parent, kind: 3, start, end: start } as const;
  const models = ledger
    .filter(({ kind }) => kind === 'model')
    .map(
      (line, at): SpanToWrite => ({
        ...base,
        id: idOf(16, trace, 'model', at),
        name: `chat ${line.name}`,
        attributes: modelAttributes(line),
      }),
    );
  const tools = (calls ?? []).map((call, at): SpanToWrite => {
    const [name = 'tool'] = call.names;
    return {
      ...base,
      id: idOf(16, trace, 'tool', at),
      name: `execute_tool ${name}`,
      attributes: toolAttributes(name, call),
      ...(call.problem !== null && { error: call.problem }),
    };
  });
  return [...models, ...tools];
}

function modelAttributes({ name, usage, nanoUsd, units }: LedgerLine): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': name,
    'gen_ai.usage.input_tokens': usage?.promptTokens,
    'gen_ai.usage.output_tokens': usage?.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
    [PASSK_UNITS]: units,
    [PASSK_COST]: nanoUsd,
  };
}

function toolAttributes(name: string, { port, by, args, result, problem, denied, struckBy }: Call): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.arguments': args === null ? null : jsonText(args),
    'gen_ai.tool.call.result': result === null ? null : jsonText(result),
    ...(problem !== null && { 'error.type': denied ? 'denied' : '_OTHER' }),
    'passk.port': port,
    'passk.by': by === '' ? null : by,
    'passk.denied': denied ? true : null,
    'passk.struck_by': struckBy.length === 0 ? null : struckBy,
  };
}

/** The conversation: the last answer is the output, all before it the input. */
function messageAttributes(record: TrialRecord | undefined): Attributes {
  const turns = record?.turns ?? [];
  if (turns.length === 0) return {};
  const last = turns.at(-1);
  const output = last?.role === 'assistant' ? [last] : [];
  const input = output.length === 0 ? turns : turns.slice(0, -1);
  return {
    'gen_ai.input.messages': jsonText(input.map(messageJson)),
    ...(output.length > 0 && {
      'gen_ai.output.messages': jsonText(
        output.map((turn) => ({ ...messageJson(turn), finish_reason: finishOf(turn) })),
      ),
    }),
  };
}

function messageJson({ role, parts }: Turn): { readonly role: string; readonly parts: readonly Json[] } {
  return { role, parts: parts.map(partJson) };
}

function partJson(part: MessagePart): Json {
  switch (part.kind) {
    case 'text':
      return { type: 'text', content: part.text };
    case 'reasoning':
      return { type: 'reasoning', content: part.text };
    case 'media':
      return { type: 'uri', uri: part.url, ...(part.contentType !== null && { mime_type: part.contentType }) };
    case 'tool_call':
      return { type: 'tool_call', id: part.id, name: part.name, arguments: part.args };
    case 'tool_result':
      return { type: 'tool_call_response', id: part.id, name: part.name, response: part.result };
  }
}

const FINISHES = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_call',
  filtered: 'content_filter',
  other: 'other',
};

function finishOf({ answer }: Turn): string {
  if (answer === null || answer.problem !== null) return 'error';
  return FINISHES[answer.finish ?? 'stop'];
}
