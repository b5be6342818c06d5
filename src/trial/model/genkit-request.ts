import type { LiveCallPayload } from '../../plugin/live-node.ts';
import type { JsonObject } from '../../types/json.ts';
import type { Message, OutputFormat, ToolChoice, ToolDeclaration } from '../../types/message.ts';
import { isRecord } from '../../values/is-json.ts';
import { partsOf, roleOf } from './genkit-parts.ts';

/** A request in Genkit's words as passk's clients of models take it. What they have no word for is left out. */
export function requestOf(
  input: JsonObject,
): Pick<LiveCallPayload, 'messages' | 'maxTokens' | 'tools' | 'toolChoice' | 'output'> {
  const tools = listOf(input['tools']).flatMap(toolOf);
  const output = outputOf(input['output']);
  const toolChoice = choiceOf(input['toolChoice']);
  return {
    messages: listOf(input['messages']).flatMap(messageOf),
    maxTokens: maxTokensOf(input['config']),
    ...(tools.length > 0 && { tools }),
    ...(toolChoice !== null && { toolChoice }),
    ...(output !== null && { output }),
  };
}

function messageOf(message: unknown): readonly Message[] {
  return isRecord(message) ? [{ role: roleOf(message.role), parts: partsOf(message.content) }] : [];
}

function toolOf(tool: unknown): readonly ToolDeclaration[] {
  if (!isRecord(tool) || typeof tool.name !== 'string') return [];
  const { name, description, inputSchema } = tool;
  return [
    {
      name,
      ...(typeof description === 'string' && { description }),
      parameters: isRecord(inputSchema) ? (inputSchema as JsonObject) : { type: 'object' },
    },
  ];
}

function outputOf(output: unknown): OutputFormat | null {
  if (!isRecord(output)) return null;
  const { format, schema } = output;
  if (format !== 'json' && !isRecord(schema)) return null;
  return { kind: 'json', schema: isRecord(schema) ? (schema as JsonObject) : null };
}

function choiceOf(choice: unknown): ToolChoice | null {
  return choice === 'auto' || choice === 'none' || choice === 'required' ? choice : null;
}

function maxTokensOf(config: unknown): number | null {
  const most = isRecord(config) ? config.maxOutputTokens : undefined;
  return Number.isSafeInteger(most) && (most as number) > 0 ? (most as number) : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
