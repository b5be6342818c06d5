import type { Pointer } from '../../source/place-tree.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import { tableAt, textAt } from '../../workflow/raw-data.ts';
import { MEMORY } from '../../values/name-from-root.ts';
import type { Places } from '../places.ts';

/**
 * The name that a scenario, or a contract, has for the code that stands at a place of it, which whoever loads it is given by that
 * name; null: there is none. The name is the same in every run.
 */
export function namedCode(
  { data, source, codeAt }: SourceDocument,
  at: Pointer,
  { onCode }: Pick<Places, 'onCode'>,
): string | null {
  const code = codeAt?.(at);
  if (code === undefined) return null;
  // Contracts of one name may stand in several modules.
  const file = source.name === MEMORY ? [] : [source.name];
  const called = textAt(data, 'name') ?? textAt(tableAt(data, 'contract'), 'name') ?? '';
  const name = [...file, called, ...at].join(' · ');
  onCode?.(name, code);
  return name;
}
