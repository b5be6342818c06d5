import type { Json } from '../../types/json.ts';
import type { MessagePart, Role, ToolResultPart } from '../../types/message.ts';
import type { AnswerFacts, TrialRecord, Turn } from '../../types/record.ts';
import { countAt, fieldAt, listAt, textAt } from '../../values/json-fields.ts';

const ROLES: Readonly<Record<string, Role>> = { system: 'system', user: 'user', agent: 'assistant' };

/** The record in a trajectory that passk wrote, as it was; null: there is none in it. */
export function recordOfAtif(trajectory: unknown): TrialRecord | null {
  const rest = fieldAt(trajectory, 'extra', 'passk', 'record');
  if (rest === undefined || rest === null) return null;
  return { ...(rest as Omit<TrialRecord, 'turns'>), turns: listAt(trajectory, 'steps').flatMap(turnsOf) };
}

/** The turn of a step, and the turns that answer its calls. */
function turnsOf(step: unknown): readonly Turn[] {
  const extra = fieldAt(step, 'extra', 'passk');
  if (fieldAt(extra, 'added') === true) return [];
  const role = textAt(extra, 'role') === 'tool' ? 'tool' : (ROLES[textAt(step, 'source') ?? ''] ?? 'system');
  const parts = (fieldAt(extra, 'parts') as readonly MessagePart[] | undefined) ?? partsOf(step);
  const turn: Turn = { role, parts, intended: textAt(extra, 'intended'), answer: answerIn(step) };
  if (role === 'tool') return [turn];
  const results = resultsIn(step);
  const sizes = fieldAt(extra, 'results') === undefined ? [results.length] : (listAt(extra, 'results') as number[]);
  let from = 0;
  const answers = sizes.flatMap((size): readonly Turn[] => {
    from += size;
    return size === 0 ? [] : [{ role: 'tool', parts: results.slice(from - size, from), intended: null, answer: null }];
  });
  return [turn, ...answers];
}

/** The parts that a step holds in the words of the format alone. */
export function partsOf(step: unknown): readonly MessagePart[] {
  const thought = textAt(step, 'reasoning_content');
  const message = fieldAt(step, 'message');
  const content = typeof message === 'string' ? (message === '' ? [] : [{ type: 'text', text: message }]) : message;
  return [
    ...(thought === null ? [] : [{ kind: 'reasoning' as const, text: thought }]),
    ...(Array.isArray(content) ? content : []).map((part: unknown): MessagePart => {
      const url = textAt(part, 'source', 'path');
      if (url === null) return { kind: 'text', text: textAt(part, 'text') ?? '' };
      return { kind: 'media', contentType: textAt(part, 'source', 'media_type'), url };
    }),
    ...listAt(step, 'tool_calls').map((call): MessagePart => {
      const [id, name] = [textAt(call, 'tool_call_id') ?? '', textAt(call, 'function_name') ?? ''];
      return { kind: 'tool_call', id, name, args: fieldAt(call, 'arguments') as Json };
    }),
  ];
}

function resultsIn(step: unknown): readonly ToolResultPart[] {
  const calls = listAt(step, 'tool_calls');
  return listAt(step, 'observation', 'results').map((result) => {
    const id = textAt(result, 'source_call_id') ?? '';
    const content = textAt(result, 'content');
    const isJson = fieldAt(result, 'extra', 'passk', 'json') === true;
    return {
      kind: 'tool_result',
      id,
      name:
        textAt(
          calls.find((call) => textAt(call, 'tool_call_id') === id),
          'function_name',
        ) ?? '',
      result: isJson && content !== null ? (JSON.parse(content) as Json) : content,
      ...(fieldAt(result, 'extra', 'is_error') === true && { isError: true as const }),
    };
  });
}

function answerIn(step: unknown): AnswerFacts | null {
  const facts = fieldAt(step, 'extra', 'passk', 'answer');
  if (facts === undefined) return null;
  if (textAt(step, 'source') !== 'agent') return facts as AnswerFacts;
  const metrics = fieldAt(step, 'metrics');
  const usage = {
    promptTokens: countAt(metrics, 'prompt_tokens'),
    completionTokens: countAt(metrics, 'completion_tokens'),
    cachedTokens: countAt(metrics, 'cached_tokens'),
    cacheWriteTokens: countAt(metrics, 'extra', 'cache_creation_input_tokens'),
    reasoningTokens: countAt(metrics, 'extra', 'reasoning_output_tokens'),
  };
  return {
    ...(facts as Omit<AnswerFacts, 'model' | 'usage'>),
    model: textAt(step, 'model_name'),
    usage: metrics === undefined ? null : usage,
  };
}
