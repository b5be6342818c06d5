import type { Json } from '../../types/json.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { spacedJsonText } from '../../values/json-text.ts';

/**
 * A value as the text of an answer: text as it is, nothing as empty text, objects and lists as JSON with a space after
 * each comma and colon, truth values as `True` and `False`. Written as the contracts were that patterns come from. Of what
 * a model, an agent loop or a template gave it is the words, without counts and transcripts.
 */
export function answerText(output: Json): string {
  const value = saidIn(output);
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return spacedJsonText(value);
}

/** What was said in the output of `llm_infer`, `agent_loop` or `template_render`; any other value is as it is. */
function saidIn(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const { content, usage, result, transcript, rendered } = value;
  if (typeof content === 'string' && isJsonObject(usage)) return content;
  if (result !== undefined && Array.isArray(transcript)) return result;
  return typeof rendered === 'string' && Object.keys(value).length === 1 ? rendered : value;
}
