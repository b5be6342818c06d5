import path from 'node:path';
import { parseNetEntry } from '../effects/granted/net-grant.ts';
import { displayName } from '../source/source-file.ts';
import type { Issue } from '../types/issue.ts';
import type { Grant, Permissions } from '../types/permissions.ts';

/** What passk may do on this machine; what is absent is not allowed. `true` allows everything of that kind. */
export type PermissionOptions = Partial<Permissions>;

/** Every kind by name, with what an entry of its list is. */
const KINDS: Readonly<Record<keyof Permissions, (entry: string) => string | null>> = {
  net: netProblem,
  run: runProblem,
  env: envProblem,
  read: pathProblem,
  write: pathProblem,
};

/** What cannot be granted, and why; [] when everything can. */
export function permissionIssues(permissions: unknown): readonly Issue[] {
  if (permissions === undefined) return [];
  if (permissions === null || typeof permissions !== 'object' || Array.isArray(permissions)) {
    return [problem('`permissions` must be a table, such as { net: ["127.0.0.1:8080"], run: true }.')];
  }
  return Object.entries(permissions).flatMap(([kind, grant]) => grantIssues(kind, grant));
}

/** Relative paths start at `cwd`. Lists are sorted and without repeats: the same grants are the same run. */
export function resolvePermissions(permissions: PermissionOptions, cwd: string): Permissions {
  const resolved = (kind: keyof Permissions): Grant => {
    const grant = movedGrant(kind, permissions[kind] ?? false, cwd);
    if (typeof grant === 'boolean') return grant;
    return grant.length === 0 ? false : [...new Set(grant)].sort();
  };
  return {
    net: resolved('net'),
    run: resolved('run'),
    env: resolved('env'),
    read: resolved('read'),
    write: resolved('write'),
  };
}

/** The grant with paths made absolute from `folder`; a program without a slash is a name. */
export function movedGrant(kind: keyof Permissions, grant: Grant, folder: string): Grant {
  if (typeof grant === 'boolean') return grant;
  return grant.map((entry) => (isPath(kind, entry) ? path.resolve(folder, entry) : entry));
}

function isPath(kind: keyof Permissions, entry: string): boolean {
  return kind === 'read' || kind === 'write' || (kind === 'run' && entry.includes('/'));
}

/** The flags that grant the same from `cwd`, in a fixed order; [] when nothing is granted. */
export function grantFlags(permissions: Permissions, cwd: string): readonly string[] {
  return PERMISSION_KINDS.flatMap((kind) => {
    const grant = permissions[kind];
    if (grant === false) return [];
    if (grant === true) return [`--allow-${kind}`];
    const shown = grant.map((entry) => (isPath(kind, entry) ? shownPath(kind, displayName(entry, cwd)) : entry));
    return [`--allow-${kind}=${shown.join(',')}`];
  });
}

/** A program beside the user must not be taken for a name. */
function shownPath(kind: keyof Permissions, shown: string): string {
  return kind === 'run' && !shown.includes('/') ? `./${shown}` : shown;
}

function grantIssues(kind: string, grant: unknown): readonly Issue[] {
  if (!isKind(kind)) {
    return [problem(`\`permissions\` has no \`${kind}\`; there are ${PERMISSION_KINDS.join(', ')}.`)];
  }
  if (grant === undefined || typeof grant === 'boolean') return [];
  if (!Array.isArray(grant)) return [problem(`\`permissions.${kind}\` must be true, false or a list of texts.`)];
  return grant.flatMap((entry: unknown) => {
    const why = typeof entry === 'string' ? entryProblem(kind, entry) : 'it is no text';
    return why === null ? [] : [problem(`\`permissions.${kind}\` cannot list ${JSON.stringify(entry)}: ${why}.`)];
  });
}

/** Why a word cannot stand in the list of a kind; null: it can. Completes the sentence "… because …". */
export function entryProblem(kind: keyof Permissions, entry: string): string | null {
  if (entry.trim() === '') return 'it is empty';
  if (entry === '*' && kind !== 'net') return 'it is no list entry; `true` grants everything';
  if (entry.includes('\0')) return 'it holds a NUL character';
  return KINDS[kind](entry);
}

/** In the order in which they are shown. */
export const PERMISSION_KINDS: readonly (keyof Permissions)[] = ['net', 'run', 'env', 'read', 'write'];

function isKind(kind: string): kind is keyof Permissions {
  return Object.hasOwn(KINDS, kind);
}

function netProblem(entry: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(entry))
    return 'it is a URL; name the host, or host:port, without scheme and path';
  return parseNetEntry(entry) === null ? 'it is no host, host:port or *.host' : null;
}

function runProblem(entry: string): string | null {
  return /\s/.test(entry) && !entry.includes('/') ? 'it is no name of a program; arguments cannot be granted' : null;
}

function envProblem(entry: string): string | null {
  return /[=\s]/.test(entry) ? 'it is no name of a variable' : null;
}

function pathProblem(entry: string): string | null {
  return /[*?]/.test(entry) ? 'it holds a wildcard; name the folder, which covers all below it' : null;
}

function problem(message: string): Issue {
  return { code: 'bad_option', severity: 'error', message };
}
