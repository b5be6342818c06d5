import type { Role, TextStyle } from '../report/text-style.ts';
import { hangText } from '../report/wrap-text.ts';

/** A text that hangs beside its first word, which alone is painted. */
export function hangPainted(
  first: string,
  text: string,
  { role, style }: { readonly role: Role; readonly style: TextStyle },
): readonly string[] {
  return hangText(first, text, style.columns).map((line, at) =>
    at === 0 ? `${style.paint(role, line.slice(0, first.length))}${line.slice(first.length)}` : line,
  );
}
