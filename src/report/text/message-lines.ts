import { shortenDataUris } from '../../text/data-uris.ts';
import type { Json } from '../../types/json.ts';
import { spacedJson } from '../spaced-json.ts';

/** The parts of a message of a trace, in one line: texts as they are, other parts in brackets. */
export function partsText(parts: Json | undefined): string {
  return (Array.isArray(parts) ? (parts as readonly Json[]) : []).map(partText).join(' ').trim();
}

function partText(part: Json): string {
  if (part === null || typeof part !== 'object' || Array.isArray(part)) return spacedJson(part);
  const { kind, text, name, args, result, url, contentType } = part as Readonly<Record<string, Json>>;
  switch (kind) {
    case 'text':
      return String(text);
    case 'reasoning':
      return `[thinks: ${String(text)}]`;
    case 'media':
      return `[${contentType === null ? 'media' : String(contentType)} ${shortenDataUris(String(url))}]`;
    case 'tool_call':
      return `[calls ${String(name)} ${spacedJson(args ?? null)}]`;
    case 'tool_result':
      return `[${String(name)} gives ${spacedJson(result ?? null)}]`;
    default:
      return spacedJson(part);
  }
}
