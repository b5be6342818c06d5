import type { Json } from '../../../types/json.ts';
import { listAt, textAt } from '../../../values/json-fields.ts';

/** The text of a content: as it is, or of a list of parts that hold texts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listAt(content)
    .map((part) => textAt(part, 'text') ?? '')
    .join('');
}

/** The content with other text: parts that hold text become one of this type, other parts stay behind it. */
export function contentWithText(content: unknown, text: string, type: string): Json {
  if (!Array.isArray(content)) return text;
  const others = content.filter((part) => textAt(part, 'text') === null) as Json[];
  return [{ type, text }, ...others];
}
