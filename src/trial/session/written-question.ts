import { anyMessages } from '../../importers/messages/any-messages.ts';
import type { ModelRequest } from '../../plugin/request.ts';
import type { JsonObject } from '../../types/json.ts';
import type { ToolDeclaration } from '../../types/message.ts';
import { isJsonObject } from '../../values/is-json.ts';
import { fieldAt, listAt, textAt } from '../../values/json-fields.ts';

/** What an agent wrote for a model, in any of the formats, in the words of functions that stand for models. */
export function questionIn(body: JsonObject): Pick<ModelRequest, 'messages' | 'tools'> {
  const messages = (anyMessages(body, 'user') ?? []).map(({ role, parts }) => ({ role, parts }));
  const tools = listAt(body, 'tools').flatMap(declarationsOf).flatMap(toolOf);
  return tools.length === 0 ? { messages } : { messages, tools };
}

/** Gemini puts functions under one of its tools. */
function declarationsOf(tool: unknown): readonly unknown[] {
  const declared = listAt(tool, 'functionDeclarations');
  return declared.length === 0 ? [tool] : declared;
}

/** Tools that the provider has itself are none that a function can call. */
function toolOf(tool: unknown): readonly ToolDeclaration[] {
  const own = fieldAt(tool, 'function') ?? tool;
  const name = textAt(own, 'name');
  const parameters = fieldAt(own, 'parametersJsonSchema') ?? fieldAt(own, 'parameters') ?? fieldAt(own, 'input_schema');
  if (name === null || !isJsonObject(parameters as JsonObject | undefined)) return [];
  const description = textAt(own, 'description');
  return [{ name, ...(description !== null && { description }), parameters: parameters as JsonObject }];
}
