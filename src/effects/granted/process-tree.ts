import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { isInside } from '../../policy/canonical-path.ts';
import { systemCode } from './os-error-text.ts';

const ROUND_MS = 5;
const PATIENCE_MS = 5000;
const IS_LINUX = process.platform === 'linux';

interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Ticks since the machine started: with the pid, a name that is never used twice. */
  readonly startedAt: number;
}

/**
 * A program with a group of its own and all that came out of it, also what left the group or was orphaned: found by
 * descent, group, session, and by the folder that is theirs alone (as current folder, or as TMPDIR of their
 * environment). What gives up all of these on purpose is not found; elsewhere than on Linux only the group is.
 */
export class ProcessTree {
  private readonly root: number | null;
  private readonly folder: string;
  private readonly startedAt: number;

  /**
   * Right after the start, when the program cannot have been forgotten yet. `root` null: it is not known any more, only
   * its folder is. `folder` is canonical.
   */
  constructor(root: number | null, folder: string) {
    this.root = root;
    this.folder = folder;
    this.startedAt = IS_LINUX && root !== null ? (readEntry(root)?.startedAt ?? 0) : 0;
  }

  /** Kills until nothing is left; false: something will not die. */
  async end(): Promise<boolean> {
    // The group at one blow, before it can fork again: no longer once others may have taken its number.
    if (this.root !== null) sendKill(-this.root);
    const givenUpAt = performance.now() + PATIENCE_MS;
    while (this.killAmong(IS_LINUX ? await entriesSoon() : [])) {
      if (performance.now() > givenUpAt) return false;
      await sleep(ROUND_MS);
    }
    return true;
  }

  /** Kills what is there now; true: there was something. */
  kill(): boolean {
    return this.killAmong(IS_LINUX ? readEntries() : []);
  }

  private killAmong(entries: readonly Entry[]): boolean {
    const { root } = this;
    if (!IS_LINUX) return root !== null && sendKill(-root);
    const living = this.members(entries);
    if (root !== null && living.some(({ group }) => group === root)) sendKill(-root);
    for (const { pid } of living) sendKill(pid);
    return living.length > 0;
  }

  /** True: it is the program, or came out of it. Elsewhere than on Linux only the program itself is known. */
  has(pid: number): boolean {
    return IS_LINUX ? this.members(readEntries()).some((entry) => entry.pid === pid) : pid === this.root;
  }

  private members(entries: readonly Entry[]): readonly Entry[] {
    // A number that now names a later process no longer names our group.
    const isReused = entries.some(({ pid, startedAt }) => pid === this.root && startedAt !== this.startedAt);
    const ids = new Set<number>(this.root === null || isReused ? [] : [this.root]);
    const members = new Set<Entry>();
    for (let before = -1; before !== members.size; ) {
      before = members.size;
      for (const entry of entries) {
        if (members.has(entry) || entry.pid === process.pid || entry.startedAt < this.startedAt) continue;
        const { pid, parent, group, session } = entry;
        if (![pid, parent, group, session].some((id) => ids.has(id)) && !this.isMarked(pid)) continue;
        members.add(entry);
        ids.add(pid);
      }
    }
    return [...members];
  }

  private isMarked(pid: number): boolean {
    try {
      if (isInside(this.folder, readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, ''))) return true;
      const environ = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      return environ.some((one) => one.startsWith('TMPDIR=') && isInside(this.folder, one.slice('TMPDIR='.length)));
    } catch {
      // Gone, or another user's.
      return false;
    }
  }
}

/** Living processes that this one has started; [] elsewhere than on Linux. */
export function ownChildren(): readonly number[] {
  if (!IS_LINUX) return [];
  return readEntries().flatMap(({ pid, parent }) => (parent === process.pid ? [pid] : []));
}

let looking: Promise<readonly Entry[]> | null = null;

/** All living processes, read after this was asked: programs that end together look once. */
function entriesSoon(): Promise<readonly Entry[]> {
  looking ??= nextTurn().then(() => {
    looking = null;
    return readEntries();
  });
  return looking;
}

/** All living processes; the dead that wait to be reaped are none. */
function readEntries(): readonly Entry[] {
  const seen = new Set<string>();
  const entries: Entry[] = [];
  // One that starts the next and ends, while others are read, would be missed together with the next: those that came
  // meanwhile are read as well.
  for (let round = 0; round < MOST_LISTINGS; round++) {
    const fresh = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !seen.has(name));
    if (fresh.length === 0) break;
    for (const pid of fresh) {
      seen.add(pid);
      const entry = readEntry(Number(pid), true);
      if (entry !== null) entries.push(entry);
    }
  }
  return entries;
}

/** A busy machine starts processes all the time. */
const MOST_LISTINGS = 10;

function readEntry(pid: number, mustLive = false): Entry | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // "pid (name) state parent group session …": the name may hold anything, closing brackets too.
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (mustLive && (state === 'Z' || state === 'X')) return null;
  const [parent = 0, group = 0, session = 0] = fields.slice(0, 3).map(Number);
  return { pid, parent, group, session, startedAt: Number(fields[18]) };
}

/** True: there was something to kill. */
function sendKill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch (error) {
    if (systemCode(error) === 'ESRCH' || systemCode(error) === 'EPERM') return false;
    throw error;
  }
}
