import type { Pointer } from '../../source/place-tree.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import { textAt } from '../../workflow/raw-data.ts';
import type { Places } from '../places.ts';

/**
 * The name that a scenario has for the code that stands at a place of it, which whoever loads it is given by that name; null:
 * there is none. The name is the same in every run.
 */
export function namedCode(
  { data, codeAt }: SourceDocument,
  at: Pointer,
  { onCode }: Pick<Places, 'onCode'>,
): string | null {
  const code = codeAt?.(at);
  if (code === undefined) return null;
  const name = [textAt(data, 'name') ?? '', ...at].join(' · ');
  onCode?.(name, code);
  return name;
}
