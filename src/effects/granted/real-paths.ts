import { readlinkSync } from 'node:fs';
import { canonicalPath, climbs, isInside, joinPath, SCENARIO_DIR, splitPath } from '../../policy/canonical-path.ts';
import { OS_ERROR } from '../os-error.ts';
import { isTooLong, MAX_LINKS } from '../world-paths.ts';
import { type FileGrants, realName } from './file-grants.ts';

/** Where a path leads on disk. */
export interface RealPath {
  /** Absolute, links followed as they stood. */
  readonly path: string;
  /** The same as the subject may see it: below `${SCENARIO_DIR}` where it was asked so. */
  readonly shown: string;
  /** Why nothing can be there; null: something can. */
  readonly error: string | null;
}

/** Follows the links of the disk, but only where something is granted. */
export class RealPaths {
  private readonly grants: FileGrants;
  private readonly scenarioDir: string | null;

  constructor(grants: FileGrants, scenarioDir: string | null) {
    this.grants = grants;
    this.scenarioDir = scenarioDir === null ? null : realName(scenarioDir);
  }

  /** The absolute name of a path, links not followed; null: it has none on disk. */
  name(path: string): string | null {
    const canonical = canonicalPath(path);
    if (typeof canonical !== 'string') return null;
    if (canonical.startsWith('/')) return canonical;
    if (this.scenarioDir === null || !isInside(SCENARIO_DIR, canonical)) return null;
    return joinPath('', [...segmentsOf(this.scenarioDir), ...segmentsOf(canonical.slice(SCENARIO_DIR.length))]);
  }

  // The same walk as in memory: `..` after a link is the parent of its target; what does not exist is kept as named.
  locate(path: string): RealPath {
    const parts = splitPath(path);
    if ('problem' in parts) return { path, shown: path, error: path === '' ? OS_ERROR.notFound : parts.problem };
    const isSymbolic = parts.root === SCENARIO_DIR;
    const found = (segments: readonly string[], error: string | null): RealPath => {
      const real = joinPath('', segments);
      return { path: real, shown: isSymbolic ? this.symbolic(real) : real, error };
    };
    const segments = isSymbolic ? [...segmentsOf(this.scenarioDir ?? '/')] : [];
    // Nothing above a symbolic root can be named from below it.
    let floor = segments.length;
    if (isTooLong(path, parts)) return found([...segments, ...parts.segments], OS_ERROR.nameTooLong);
    const pending = parts.segments.toReversed();
    let followed = 0;
    for (let segment = pending.pop(); segment !== undefined; segment = pending.pop()) {
      if (segment === '.') continue;
      if (segment === '..') {
        if (floor > 0 && segments.length === floor) return found(segments, climbs(SCENARIO_DIR).problem);
        segments.pop();
        continue;
      }
      segments.push(segment);
      const target = this.linkAt(joinPath('', segments));
      if (target === null) continue;
      if (++followed > MAX_LINKS) return found(segments, OS_ERROR.tooManyLinks);
      const next = splitPath(target);
      if ('problem' in next) return found(segments, next.problem);
      segments.pop();
      if (target.startsWith('/')) {
        segments.length = 0;
        floor = 0;
      }
      pending.push(...segmentsOf(target).toReversed());
    }
    return found(segments, null);
  }

  private symbolic(real: string): string {
    if (this.scenarioDir === null || !isInside(this.scenarioDir, real)) return real;
    return `${SCENARIO_DIR}${real.slice(this.scenarioDir === '/' ? 0 : this.scenarioDir.length)}`;
  }

  private linkAt(path: string): string | null {
    if (!this.grants.mayLook(path)) return null;
    try {
      return readlinkSync(path);
    } catch {
      // No link, or nothing at all: opening it will tell.
      return null;
    }
  }
}

// A link's text is split as it is: the symbolic roots mean nothing on disk.
function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
