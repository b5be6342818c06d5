import { BoundedMemo } from '../policy/bounded-memo.ts';
import { canonicalPath, climbs, joinPath, type PathParts, splitPath } from '../policy/canonical-path.ts';
import { OS_ERROR } from './os-error.ts';
import { NAME_BYTES, PATH_BYTES } from './world-limits.ts';

/** Where a path leads. */
export interface Located {
  /** Canonical, with links followed as far as they lead somewhere. */
  readonly path: string;
  /** Why nothing can be there; null: something can. */
  readonly error: string | null;
}

/** Links on one path, as Linux bounds them. */
export const MAX_LINKS = 40;

/** Follows the links that a world declares. Links are never made by a subject, so an answer holds for all trials. */
export class WorldPaths {
  private readonly links: ReadonlyMap<string, PathParts>;
  private readonly memo = new BoundedMemo<Located>();

  /** Links by the canonical path they stand at. */
  constructor(links: ReadonlyMap<string, PathParts>) {
    this.links = links;
  }

  locate(path: string): Located {
    return this.memo.get(path) ?? this.memo.set(path, this.follow(path));
  }

  // As the kernel does it: `..` after a link is the parent of the link's target. What does not exist is kept as named.
  private follow(path: string): Located {
    const canonical = canonicalPath(path);
    if (path === '') return { path, error: OS_ERROR.notFound };
    const parts = splitPath(path);
    if ('problem' in parts) return { path, error: parts.problem };
    if (isTooLong(path, parts)) {
      return { path: typeof canonical === 'string' ? canonical : path, error: OS_ERROR.nameTooLong };
    }
    const segments: string[] = [];
    const pending = parts.segments.toReversed();
    let root = parts.root;
    let followed = 0;
    for (let segment = pending.pop(); segment !== undefined; segment = pending.pop()) {
      if (segment === '.') continue;
      if (segment === '..') {
        if (segments.length === 0 && root !== '') return { path: `${root}/..`, error: climbs(root).problem };
        segments.pop();
        continue;
      }
      segments.push(segment);
      const target = this.links.size === 0 ? undefined : this.links.get(joinPath(root, segments));
      if (target === undefined) continue;
      if (++followed > MAX_LINKS) return { path: joinPath(root, segments), error: OS_ERROR.tooManyLinks };
      segments.pop();
      if (!target.isRelative) {
        root = target.root;
        segments.length = 0;
      }
      pending.push(...target.segments.toReversed());
    }
    return { path: joinPath(root, segments), error: null };
  }
}

/** True when Linux would not take the path, or one of its names. */
export function isTooLong(path: string, parts: PathParts): boolean {
  if (Buffer.byteLength(path) > PATH_BYTES) return true;
  return parts.segments.some((segment) => Buffer.byteLength(segment) > NAME_BYTES);
}
