import type { ImportedRun, ImportedScore, ImportOptions } from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { fieldAt } from '../../values/json-fields.ts';
import { isRecord } from '../../values/is-json.ts';
import { jsonText } from '../../values/json-text.ts';
import { textOf as textOfParts } from '../../values/message-text.ts';
import { verdictIn } from '../verdict-words.ts';
import { nestedAt } from './flat-attributes.ts';
import { firstValue, textOf } from './span-facts.ts';
import type { SpanEvent, Trace } from './trace-spans.ts';

/** Attributes that name the task, the most specific first. */
const TASKS = ['test.case.name', 'test.case.id', 'session.id', 'gen_ai.conversation.id'];

/** The task of a trace, and why it has no better name. Outer spans come first and win over inner ones. */
export function taskOf(
  trace: Trace,
  { task }: ImportOptions,
  messages: ImportedRun['messages'] = [],
): Pick<ImportedRun, 'task' | 'unsaid'> {
  for (const name of task === undefined ? TASKS : [task]) {
    const values = valuesOf(trace, name);
    const [first] = values;
    if (first === undefined) continue;
    const others = new Set(values.map(shown)).size - 1;
    const suite = name === 'test.case.name' ? valuesOf(trace, 'test.suite.name')[0] : undefined;
    return {
      task: suite === undefined ? shown(first) : `${shown(suite)} › ${shown(first)}`,
      ...(others > 0 && {
        unsaid: { task: `its spans have ${others + 1} values of ${name}, of which the first counts` },
      }),
    };
  }
  const question = messages.find(({ role, parts }) => role === 'user' && textOfParts(parts) !== '');
  const cause = task === undefined ? 'no attribute names it' : `no span has the attribute ${task}`;
  if (question !== undefined) {
    return { task: textOfParts(question.parts), unsaid: { task: `${cause}: the first question stands for it` } };
  }
  const [root] = trace.spans;
  const name = root?.name ?? '';
  return {
    task: name === '' ? trace.id : name,
    unsaid: { task: `${cause}: the name of its first span stands for it` },
  };
}

/** The scores of a trace. The first one decides: the attribute that the user named, the status of a test, then evaluations. */
export function scoresOf(trace: Trace, { passed }: ImportOptions): readonly ImportedScore[] {
  const scores: ImportedScore[] = [];
  if (passed !== undefined) {
    const [value] = valuesOf(trace, passed);
    if (value !== undefined) scores.push(scoreOf(passed, value));
  }
  const [status] = valuesOf(trace, 'test.case.result.status');
  if (status !== undefined) scores.push(scoreOf('test.case.result.status', status));
  return [...scores, ...evaluationsOf(trace)];
}

/** The values of an attribute: those of spans, outer ones first, then those of log records and of the resource. */
function valuesOf({ spans, events, resource }: Trace, name: string): readonly Json[] {
  const places = [
    ...spans.map(({ attributes }) => attributes),
    ...events.map(({ attributes }) => attributes),
    resource,
  ];
  return places.flatMap((attributes) => {
    const value = fieldAt(attributes, name);
    return value === undefined || value === null || value === '' ? [] : [value as Json];
  });
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}

function scoreOf(name: string, value: Json): ImportedScore {
  const passed = typeof value === 'string' ? verdictIn(value) : undefined;
  if (typeof value === 'string' && passed === undefined && /^-?\d+(?:\.\d+)?$/.test(value)) {
    return { name, value: Number(value) };
  }
  return { name, value: plainScore(value), ...(passed !== undefined && { passed }) };
}

/** Evaluations, those of outer spans first, each span's in order of time. A later one replaces an earlier one of its name. */
function evaluationsOf(trace: Trace): readonly ImportedScore[] {
  const scores = new Map<string, ImportedScore>();
  const take = (events: readonly SpanEvent[], place: number): void => {
    for (const event of [...events].sort((one, other) => (one.time ?? 0) - (other.time ?? 0))) {
      if (event.name !== 'gen_ai.evaluation.result') continue;
      const score = evaluationOf(event);
      scores.set(`${place} ${score.name}`, score);
    }
  };
  take(trace.events, -1);
  for (const [place, { attributes, events }] of trace.spans.entries()) {
    take(events, place);
    for (const score of openInferenceScores(attributes)) scores.set(`${place} ${score.name}`, score);
  }
  return [...scores.values()];
}

function evaluationOf({ attributes, body }: SpanEvent): ImportedScore {
  const fields = { ...(isRecord(body) ? (body as JsonObject) : {}), ...attributes };
  const explanation = textOf(fields, 'gen_ai.evaluation.explanation');
  return judged({
    name: textOf(fields, 'gen_ai.evaluation.name') || 'evaluation',
    value: firstValue(fields, ['gen_ai.evaluation.score.value']),
    label: textOf(fields, 'gen_ai.evaluation.score.label'),
    explanation: explanation === '' ? textOf(fields, 'error.type') : explanation,
  });
}

/** `trace.evaluations.0.evaluation.label` and its like, in either of the two words that OpenInference has for it. */
function openInferenceScores(attributes: JsonObject): readonly ImportedScore[] {
  return ['trace.evaluations', 'trace.annotations', 'evaluations', 'annotations'].flatMap((key) => {
    const list = nestedAt(attributes, key);
    return (Array.isArray(list) ? list : []).flatMap((one: Json) => {
      const fields = fieldAt(one, 'evaluation') ?? fieldAt(one, 'annotation') ?? one;
      const of = (field: string): Json | undefined => fieldAt(fields, field) as Json | undefined;
      const [name, value, label, explanation] = [of('name'), of('score'), of('label'), of('explanation')];
      if (typeof name !== 'string' || (value === undefined && label === undefined)) return [];
      return [judged({ name, value, label: textValue(label), explanation: textValue(explanation) })];
    });
  });
}

function textValue(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

interface Judged {
  readonly name: string;
  readonly value: Json | undefined;
  readonly label: string;
  readonly explanation: string;
}

/** A label that says pass or fail decides, else the number. */
function judged({ name, value, label, explanation }: Judged): ImportedScore {
  const passed = verdictIn(label);
  const score = value === undefined || value === null ? (label === '' ? null : label) : value;
  return {
    name,
    value: score === null ? null : plainScore(score),
    ...(passed !== undefined && { passed }),
    ...(explanation !== '' && { explanation }),
  };
}

function plainScore(value: Json): number | boolean | string {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : jsonText(value);
}
