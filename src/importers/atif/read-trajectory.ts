import type { ImportedCall, ImportedMessage, ImportedRun } from '../../plugin/importer-type.ts';
import type { Json } from '../../types/json.ts';
import type { MessagePart, Role, ToolResultPart } from '../../types/message.ts';
import { jsonText } from '../../values/json-text.ts';
import { countAt, fieldAt, listAt, textAt } from '../../values/json-fields.ts';
import { textOf } from '../../values/message-text.ts';
import { contentParts, jsonOr } from '../chat-messages.ts';
import { timeBetween } from '../time-between.ts';
import { type Answer, costsOf, priceAt, usageOf } from './trajectory-costs.ts';
import { keysOf, subagentRefs, Trajectories } from './find-trajectories.ts';

/** A trajectory with the name of its file, relative to the source; '': it stands within another. */
export interface Trajectory {
  readonly file: string;
  readonly head: unknown;
}

/** The parts of a run that trajectories hold. */
export type TrajectoryFacts = Pick<ImportedRun, 'messages' | 'calls' | 'costs' | 'durationMs'> & {
  readonly unsaid: Readonly<Record<string, string>>;
};

const ROLES: Readonly<Record<string, Role>> = { system: 'system', user: 'user', agent: 'assistant' };

/** Reads the trajectories of one run: the first one, those that continue it in order, and those of its subagents. */
export function readTrajectories(trajectories: readonly Trajectory[]): TrajectoryFacts {
  const all = [...trajectories, ...trajectories.flatMap(({ head }) => embeddedIn(head, 0))];
  const index = new Trajectories(all);
  const main: Trajectory[] = [];
  for (let one = all[0]; one !== undefined && !main.includes(one); one = index.next(one)) main.push(one);
  const steps = readSteps(main);
  const reading: Reading = { index, steps: new Map([[main, steps]]), missing: 0 };
  const calls = callsOf(main, '', reading);
  const hasSubagents = reading.steps.size > 1 || reading.missing > 0;
  const { costs, unsaid } = costsOf(
    main.map(({ head }) => head),
    [...reading.steps.values()],
  );
  const durationMs = timeBetween(steps.begin, steps.end);
  return {
    messages: steps.messages,
    ...(hasSubagents && { calls }),
    ...(costs !== undefined && { costs }),
    ...(durationMs !== null && { durationMs }),
    unsaid: {
      ...unsaid,
      ...(steps.gaps > 0 && { messages: `${steps.gaps} of its steps are missing, by their numbers` }),
      ...(reading.missing > 0 && { calls: `trajectories of ${reading.missing} subagents are not there` }),
    },
  };
}

/** Trajectories of subagents that stand within their caller's, to a depth that no writer reaches. */
function embeddedIn(head: unknown, depth: number): readonly Trajectory[] {
  if (depth > 16) return [];
  return listAt(head, 'subagent_trajectories').flatMap((one) => [
    { file: '', head: one },
    ...embeddedIn(one, depth + 1),
  ]);
}

/** What the steps of some trajectories say, in order. */
interface RunSteps {
  readonly messages: readonly ImportedMessage[];
  readonly steps: readonly StepFacts[];
  /** Answers of models, without those of copied steps. */
  readonly answers: readonly Answer[];
  readonly begin: string | null;
  readonly end: string | null;
  /** How many numbers are missing between those of steps. */
  readonly gaps: number;
}

interface StepFacts {
  readonly calls: readonly MessagePart[];
  readonly results: readonly ToolResultPart[];
  readonly refs: readonly unknown[];
  readonly trajectory: Trajectory;
}

function readSteps(trajectories: readonly Trajectory[]): RunSteps {
  const messages: ImportedMessage[] = [];
  const steps: StepFacts[] = [];
  const answers: Answer[] = [];
  const times: string[] = [];
  const copies = new CopiedSteps(trajectories);
  let gaps = 0;
  for (const trajectory of trajectories) {
    let expected = 1;
    for (const [at, step] of listAt(trajectory.head, 'steps').entries()) {
      const id = countAt(step, 'step_id') ?? expected;
      gaps += Math.max(0, id - expected);
      expected = Math.max(expected, id) + 1;
      const role = ROLES[textAt(step, 'source') ?? ''];
      if (role === undefined || copies.isRepeat(step) || isAdded(step)) continue;
      const time = textAt(step, 'timestamp');
      if (time !== null) times.push(time);
      const calls = role === 'assistant' ? callParts(step, `${steps.length}.${at}`) : [];
      const results = resultParts(step, calls);
      const answer = role === 'assistant' ? answerOf(step, trajectory) : null;
      const parts = [
        ...(role === 'assistant' ? reasoningOf(step) : []),
        ...contentOf(fieldAt(step, 'message')),
        ...calls,
      ];
      if (answer !== null) answers.push(answer);
      // A step of passk with this role holds results alone, whose calls are unknown.
      if (textAt(step, 'extra', 'passk', 'role') !== 'tool') {
        messages.push({
          role,
          parts,
          ...(answer?.usage != null && { usage: answer.usage }),
          ...(answer !== null && answer.model !== '' && { model: answer.model }),
        });
      }
      if (results.length > 0) messages.push({ role: 'tool', parts: results });
      steps.push({ calls, results, refs: subagentRefs(step), trajectory });
    }
  }
  return { messages, steps, answers, begin: times[0] ?? null, end: times.at(-1) ?? null, gaps };
}

/** Whether passk added the step, because a trajectory must have one. */
function isAdded(step: unknown): boolean {
  return fieldAt(step, 'extra', 'passk', 'added') === true;
}

/** Finds steps that are copied after a compaction. */
class CopiedSteps {
  /** Keys of the steps so far; null: no step is copied. */
  private readonly keys: Set<string> | null;

  constructor(trajectories: readonly Trajectory[]) {
    const some = trajectories.some(({ head }) => listAt(head, 'steps').some(isCopied));
    this.keys = some ? new Set() : null;
  }

  /** Whether the step is a copy of an earlier one. Adds it to those. */
  isRepeat(step: unknown): boolean {
    if (this.keys === null) return false;
    const key = jsonText(['source', 'message', 'tool_calls'].map((name) => (fieldAt(step, name) ?? null) as Json));
    const isRepeat = isCopied(step) && this.keys.has(key);
    this.keys.add(key);
    return isRepeat;
  }
}

function isCopied(step: unknown): boolean {
  return fieldAt(step, 'is_copied_context') === true;
}

/** The answer of a step; null: it asked no model, or it is a copy. */
function answerOf(step: unknown, { head }: Trajectory): Answer | null {
  if (isCopied(step) || countAt(step, 'llm_call_count') === 0) return null;
  return {
    model: textAt(step, 'model_name') ?? textAt(head, 'agent', 'model_name') ?? '',
    usage: usageOf(fieldAt(step, 'metrics')),
    usd: priceAt(step, 'metrics', 'cost_usd'),
  };
}

function reasoningOf(step: unknown): readonly MessagePart[] {
  const text = textAt(step, 'reasoning_content');
  return text === null || text === '' ? [] : [{ kind: 'reasoning', text }];
}

/** Text, parts, or a plain value in their place. */
function contentOf(content: unknown): readonly MessagePart[] {
  if (typeof content === 'number' || typeof content === 'boolean') return [{ kind: 'text', text: String(content) }];
  if (!Array.isArray(content)) return contentParts(content);
  return content.flatMap((part: unknown): readonly MessagePart[] => {
    if (typeof part === 'number') return [{ kind: 'text', text: String(part) }];
    const url = textAt(part, 'source', 'path');
    if (url !== null) return [{ kind: 'media', contentType: textAt(part, 'source', 'media_type'), url }];
    return contentParts([part]);
  });
}

function callParts(step: unknown, prefix: string): readonly (MessagePart & { readonly kind: 'tool_call' })[] {
  return listAt(step, 'tool_calls').map((call, i) => {
    const text = fieldAt(call, 'arguments');
    const id = textAt(call, 'tool_call_id') ?? `${prefix}.${i}`;
    const name = textAt(call, 'function_name') ?? '';
    if (typeof text !== 'string') return { kind: 'tool_call', id, name, args: (text ?? {}) as Json };
    const args = jsonOr(text, undefined);
    return args === undefined
      ? { kind: 'tool_call', id, name, args: text, problem: 'The arguments are not JSON.' }
      : { kind: 'tool_call', id, name, args };
  });
}

function resultParts(
  step: unknown,
  calls: readonly (MessagePart & { readonly kind: 'tool_call' })[],
): readonly ToolResultPart[] {
  const results = listAt(step, 'observation', 'results');
  return results.map((result) => {
    // A result that names no call belongs to the step, and so to the only call of the step.
    const only = calls.length === 1 && results.length === 1 ? calls[0]?.id : undefined;
    const id = textAt(result, 'source_call_id') ?? only ?? '';
    return {
      kind: 'tool_result',
      id,
      name: calls.find((call) => call.id === id)?.name ?? '',
      result: (fieldAt(result, 'content') ?? null) as Json,
      ...(fieldAt(result, 'extra', 'is_error') === true && { isError: true as const }),
    };
  });
}

interface Reading {
  readonly index: Trajectories<Trajectory>;
  /** The steps of the run and of each subagent so far, by their trajectories. */
  readonly steps: Map<readonly Trajectory[], RunSteps>;
  /** References to trajectories that are not there. */
  missing: number;
}

/** The calls of an agent in order. Those of a subagent follow the call that started it. */
function callsOf(trajectories: readonly Trajectory[], by: string, reading: Reading): readonly ImportedCall[] {
  const { steps } = reading.steps.get(trajectories) ?? readSteps(trajectories);
  return steps.flatMap(({ calls, results, refs, trajectory }) => [
    ...calls.flatMap((call) => (call.kind === 'tool_call' ? [callOf(call, results, by)] : [])),
    ...refs.flatMap((ref) => {
      const sub = reading.index.find(keysOf(ref), trajectory);
      if (sub === undefined) reading.missing++;
      if (sub === undefined || [...reading.steps.keys()].some((one) => one.includes(sub))) return [];
      const subs = [sub];
      reading.steps.set(subs, readSteps(subs));
      return callsOf(subs, textAt(sub.head, 'agent', 'name') ?? 'subagent', reading);
    }),
  ]);
}

function callOf(
  { id, name, args, problem }: MessagePart & { readonly kind: 'tool_call' },
  results: readonly ToolResultPart[],
  by: string,
): ImportedCall {
  const result = results.find((one) => one.id === id);
  const why = problem ?? (result?.isError === true ? resultText(result.result) : undefined);
  return {
    name,
    ...(by !== '' && { by }),
    args,
    ...(result !== undefined && { result: result.result }),
    ...(why !== undefined && { problem: why }),
  };
}

function resultText(result: Json): string {
  return typeof result === 'string' ? result : textOf(contentOf(result)) || jsonText(result);
}
