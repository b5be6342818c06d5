import type { ImporterType } from '../../plugin/importer-type.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { Issue } from '../../types/issue.ts';

/** What the user says about files. */
export interface Mapped {
  /** What the format leaves open. */
  readonly map: Readonly<Record<string, string>>;
}

type Options = Pick<ImporterType, 'type' | 'options'>;

/** Of what the user says, the options that the importer has. */
export function optionsFor({ options = {} }: Options, map: Mapped['map']): Mapped['map'] {
  return Object.fromEntries(Object.entries(map).filter(([name]) => Object.hasOwn(options, name)));
}

/** Names that no importer of these knows. */
export function unknownOptions({ map }: Mapped, read: readonly Options[]): readonly Issue[] {
  const importers = [...new Set(read)];
  if (importers.length === 0) return [];
  const names = [...new Set(importers.flatMap(({ options = {} }) => Object.keys(options)))];
  return Object.keys(map).flatMap((name): readonly Issue[] => {
    if (names.includes(name)) return [];
    const message = `"${name}" says nothing to the format ${importers.map(({ type }) => type).join(', ')}.`;
    return [{ code: 'unknown_option', severity: 'error', message, hint: hintFor(name, names, 'names') }];
  });
}
