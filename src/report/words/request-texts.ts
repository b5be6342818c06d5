import type { Json } from '../../types/json.ts';
import { partsText } from '../text/message-lines.ts';
import { spacedJson } from '../spaced-json.ts';
import { isJsonObject } from '../../values/is-json.ts';

/** A request of a trace as labelled lines: a prompt by its messages, anything else in one line. */
export function requestTexts(port: string, request: Json): readonly (readonly [label: string, text: string])[] {
  const parts = isJsonObject(request) ? request : {};
  const text = (key: string): string => String(parts[key] ?? '');
  switch (port) {
    case 'model':
      return promptTexts(parts);
    case 'file':
      return [['asks', `file: ${text('op')} ${text('path')}`]];
    case 'env':
      return [['asks', `environment: ${text('key')}`]];
    case 'http':
      return [['asks', `http: ${text('method')} ${text('url')}`]];
    case 'process':
      return [['asks', `process: ${[text('command'), ...listOf(parts['args']).map(String)].join(' ')}`]];
    case 'mcp':
      return [['asks', mcpText(text, parts)]];
    case 'client':
      return [['asks', clientText(text)]];
    case 'children':
      return listOf(parts['runs']).map((run) => [
        'asks',
        `workflow: ${isJsonObject(run) ? String(run['workflow']) : ''}`,
      ]);
    default:
      return [['asks', `${port}: ${spacedJson(request)}`]];
  }
}

function clientText(text: (key: string) => string): string {
  return text('op') === 'tools' ? `tools of MCP server ${text('server')}` : `user: ${text('message')}`;
}

function mcpText(text: (key: string) => string, { args = null }: Readonly<Record<string, Json>>): string {
  const server = text('server') === 'null' ? '' : text('server');
  const words = ['mcp:', server, text('op'), text('target'), args === null ? '' : spacedJson(args)];
  return words.filter((word) => word !== '').join(' ');
}

function promptTexts(parts: Readonly<Record<string, Json>>): readonly (readonly [string, string])[] {
  const isRepair = parts['repair'] === true;
  const messages = listOf(parts['messages']).filter(isJsonObject);
  const answer = messages.findLastIndex((message) => message['role'] === 'assistant');
  // Each request repeats the conversation. The new part follows the last answer, or begins with it where it was rejected.
  const from = Math.max(0, isRepair ? answer : answer + 1);
  const hidden = from > 0 && !isRepair ? `, going on after ${from} messages` : '';
  return [
    ['asks', `model: ${String(parts['backend'])}${isRepair ? ', to repair its answer' : hidden}`],
    ...messages.slice(from).map((message) => [String(message['role']), partsText(message['parts'])] as const),
  ];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
