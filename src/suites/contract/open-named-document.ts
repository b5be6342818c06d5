import type { TSchema } from 'typebox';
import { checkSchema } from '../../source/check-schema.ts';
import { hiddenProblem } from '../../source/hidden-problem.ts';
import { readSource } from '../../source/source-file.ts';
import { parseToml, type SourceDocument } from '../../source/toml-document.ts';
import { parseYaml } from '../../source/yaml-document.ts';
import type { Issue } from '../../types/issue.ts';
import { laxDocument } from './lax-document.ts';
import type { ContractPlaces } from './reading.ts';
import { unknownAsWarning } from './unknown-keys.ts';

/** What a file must be. */
export interface NamedForm {
  /** In words, such as `a chaos profile`. */
  readonly what: string;
  readonly fits: (document: SourceDocument) => boolean;
  readonly schema: TSchema;
}

/**
 * Opens a file that a contract names, checked: TOML, YAML or JSON by its ending. What is wrong stands among the issues; null:
 * it cannot be read, or is something else, of which nothing is shown.
 */
export async function openNamedDocument(
  path: string,
  places: ContractPlaces,
  { what, fits, schema }: NamedForm,
): Promise<{ readonly document: SourceDocument | null; readonly issues: readonly Issue[] }> {
  const read = readSource(path, places);
  if (!read.ok) return { document: null, issues: read.issues };
  // JSON is YAML.
  const parsed = path.endsWith('.toml') ? { issues: [], ...parseToml(read.source) } : await parseYaml(read.source);
  if (!parsed.ok) return { document: null, issues: [hiddenProblem(read.source, 'readable', parsed.issues)] };
  if (!fits(parsed.document)) return { document: null, issues: [hiddenProblem(read.source, what)] };
  const document = path.endsWith('.toml') ? parsed.document : laxDocument(parsed.document, schema);
  return { document, issues: [...parsed.issues, ...checkSchema(document, [], schema).map(unknownAsWarning)] };
}
