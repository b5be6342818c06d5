import { canonicalPath, isInside } from '../../policy/canonical-path.ts';
import type { FileRequest } from '../../plugin/request.ts';
import type { Grant, Permissions } from '../../types/permissions.ts';
import { realpathSync } from 'node:fs';
import path from 'node:path';

// What lies there is no file of the user's: the environment of this very process, for one.
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev'];

/** The folders and files that are granted, under the names the user gave and the ones behind links. */
export class FileGrants {
  private readonly read: readonly string[];
  private readonly write: readonly string[];

  constructor(permissions: Pick<Permissions, 'read' | 'write'>) {
    this.read = grantedPaths(permissions.read);
    this.write = grantedPaths(permissions.write);
  }

  /** True: this canonical path may be used so. Links are not followed here. */
  covers(canonical: string, op: FileRequest['op']): boolean {
    const granted = op === 'read' ? this.read : this.write;
    const system = SYSTEM_FOLDERS.find((folder) => isInside(folder, canonical));
    return granted.some((root) => isInside(root, canonical) && (system === undefined || isInside(system, root)));
  }

  /** True: whether a link stands there may be looked up. Nothing outside the grants is touched. */
  mayLook(canonical: string): boolean {
    const leads = (root: string): boolean => isInside(root, canonical) || isInside(canonical, root);
    return this.read.some(leads) || this.write.some(leads);
  }
}

function grantedPaths(grant: Grant): readonly string[] {
  if (grant === true) return ['/'];
  if (grant === false) return [];
  const paths = grant.map(canonicalPath).filter((one) => typeof one === 'string');
  const absolute = paths.filter((one) => one.startsWith('/'));
  return [...new Set(absolute.flatMap((one) => [one, realName(one)]))];
}

/** An absolute path without links; what does not exist yet is named by the folder above it that does. */
export function realName(absolute: string): string {
  try {
    return realpathSync(absolute);
  } catch {
    return absolute === '/' ? absolute : path.join(realName(path.dirname(absolute)), path.basename(absolute));
  }
}
