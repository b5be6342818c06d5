import type { Json } from '../types/json.ts';

/** A request of a trace as labelled lines: a prompt by its messages, anything else in one line. */
export function requestTexts(port: string, request: Json): readonly (readonly [label: string, text: string])[] {
  const parts = isTable(request) ? request : {};
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
      return [['asks', `mcp: ${text('op')} ${text('target')} ${JSON.stringify(parts['args'] ?? null)}`]];
    case 'children':
      return listOf(parts['runs']).map((run) => ['asks', `workflow: ${isTable(run) ? String(run['workflow']) : ''}`]);
    default:
      return [['asks', `${port}: ${JSON.stringify(request)}`]];
  }
}

function promptTexts(parts: Readonly<Record<string, Json>>): readonly (readonly [string, string])[] {
  const isRepair = parts['repair'] === true;
  const messages = listOf(parts['messages']).filter(isTable);
  // A repair repeats the whole conversation: what is new begins with the answer that was rejected.
  const from = isRepair ? messages.findLastIndex((message) => message['role'] === 'assistant') : 0;
  return [
    ['asks', `model: ${String(parts['backend'])}${isRepair ? ', to repair its answer' : ''}`],
    ...messages
      .slice(Math.max(0, from))
      .map((message) => [String(message['role']), String(message['content'])] as const),
  ];
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function isTable(value: Json): value is Readonly<Record<string, Json>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
