import type { Json } from '../types/json.ts';
import { selectSegments, splitPath } from '../values/select-path.ts';
import { isJsonObject } from '../values/is-json.ts';
import { countWork } from '../values/work.ts';
import { plainText } from './plain-text.ts';

/** `value`: keys walk arrays and skip empty segments. `prompt`: neither. */
export type TemplateMode = 'value' | 'prompt';

/** Longer renderings are given up, so that a small template and a large value cannot fill the memory. */
export const MAX_RENDERED_CHARS = 8 * 1024 * 1024;

/** Fills a value into a template; null: the text would be longer than `MAX_RENDERED_CHARS`. Never throws. */
export type Template = (data: Json) => string | null;

/** Compiles `{{path}}` markers; what is not found stays as a marker, and inserted text is not scanned again. */
export function compileTemplate(text: string, mode: TemplateMode): Template {
  const parts = splitTemplate(text, mode);
  const [only] = parts;
  if (only === undefined) return () => '';
  if (parts.length === 1 && only.find === null) return () => only.text;
  return (data) => {
    let rendered = '';
    countWork(parts.length);
    for (const part of parts) {
      const found = part.find === null ? undefined : part.find(data);
      const text = found === undefined ? part.text : plainText(found);
      countWork(text.length >> 2);
      rendered += text;
      if (rendered.length > MAX_RENDERED_CHARS) return null;
    }
    return rendered;
  };
}

/** The error for a rendering that was given up. */
export function tooLong(template: string): string {
  return `${template} renders to more than ${MAX_RENDERED_CHARS} characters`;
}

interface Part {
  /** Literal text, or the marker to show when nothing is found. */
  readonly text: string;
  readonly find: ((data: Json) => Json | undefined) | null;
}

function splitTemplate(text: string, mode: TemplateMode): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    const close = open < 0 ? -1 : text.indexOf('}}', open + 2);
    if (close < 0) break;
    if (open > at) parts.push({ text: text.slice(at, open), find: null });
    const key = text.slice(open + 2, close).trim();
    parts.push({ text: `{{${key}}}`, find: finder(key, mode) });
    at = close + 2;
  }
  if (at < text.length) parts.push({ text: text.slice(at), find: null });
  return parts;
}

function finder(key: string, mode: TemplateMode): (data: Json) => Json | undefined {
  if (key === '') return (data) => data;
  if (mode === 'value') {
    const segments = splitPath(key);
    return (data) => selectSegments(data, segments);
  }
  const segments = key.split('.');
  return (data) => {
    let found: Json | undefined = data;
    for (const segment of segments) found = found === undefined ? undefined : ownEntry(found, segment);
    return found;
  };
}

function ownEntry(value: Json, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
