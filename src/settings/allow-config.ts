import { isTable } from '../source/json-schema.ts';
import type { SourceDocument } from '../source/toml-document.ts';
import type { Issue } from '../types/issue.ts';
import type { Permissions } from '../types/permissions.ts';
import { entryProblem, movedGrant, PERMISSION_KINDS, type PermissionOptions } from './permission-options.ts';

/** Where each grant of `[allow]` stands in its file. */
export type AllowPlaces = Readonly<Partial<Record<`allow.${keyof Permissions}`, string>>>;

/** Entries of `[allow]` that cannot be granted, each where it stands. */
export function allowIssues({ data, locate }: SourceDocument): readonly Issue[] {
  const { allow } = data;
  if (!isTable(allow)) return [];
  return PERMISSION_KINDS.flatMap((kind) => {
    const grant = allow[kind];
    if (!Array.isArray(grant)) return [];
    return grant.flatMap((entry, index): readonly Issue[] => {
      const why = typeof entry === 'string' ? entryProblem(kind, entry) : null;
      if (why === null) return [];
      const at = locate(['allow', kind, index]);
      return [
        { code: 'bad_grant', severity: 'error', message: `allow.${kind}: ${JSON.stringify(entry)}: ${why}.`, at },
      ];
    });
  });
}

/** Files, folders and programs of the table by their absolute paths: they are relative to its own folder. */
export function movedAllow(allow: PermissionOptions, folder: string): PermissionOptions {
  return Object.fromEntries(
    PERMISSION_KINDS.flatMap((kind) => {
      const grant = allow[kind];
      return grant === undefined ? [] : [[kind, movedGrant(kind, grant, folder)] as const];
    }),
  );
}
