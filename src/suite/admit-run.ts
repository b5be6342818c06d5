import path from 'node:path';
import { planDifferences } from '../records/compare-plans.ts';
import { identifyModules, identifyPlan } from '../records/plan-digest.ts';
import type { QueuedRun } from '../queue/queue-frames.ts';
import type { Admission } from '../queue/serve-queue.ts';
import type { Grant, Permissions } from '../types/permissions.ts';
import { grantFlags, PERMISSION_KINDS, permissionIssues, resolvePermissions } from '../settings/permission-options.ts';

/** What the user of the worker's machine allows and brings. Nothing of it comes from the queue. */
export interface WorkerGrants {
  readonly cwd: string;
  /** Modules of this machine, as `file:` URLs. */
  readonly plugins: readonly string[];
  readonly permissions: Permissions;
}

/**
 * Whether a worker takes part in a run of a queue. It must be the same passk with the same plug-ins, and where the run
 * may reach the real world, this machine's user must have granted at least what the host's user has, and its modules, such
 * as agents, must be those of the host.
 */
export async function admitRun(
  { identity, asksWorld, root }: QueuedRun,
  { cwd, plugins, permissions }: WorkerGrants,
): Promise<Admission> {
  const { seed, bail, stopEarly = null, grants = [] } = identity;
  const here = await identifyPlan(
    { scenarios: [], plugins, hostFunctions: [] },
    { seed, bail, stopEarly, grantFlags: grants },
  );
  const { scenarios, modules = [] } = identity;
  const differences = planDifferences({ ...here, scenarios, ...(modules.length > 0 && { modules }) }, identity);
  if (differences.length > 0) return { refused: differences.join('; ') };
  const base = { plugins, hostFunctions: [] };
  if (!asksWorld) return { base };
  const needed = permissionsOf(grants, cwd);
  if (needed === null) return { refused: `its grants (${grants.join(' ')}) cannot be read` };
  const lacking = PERMISSION_KINDS.filter((kind) => !covers(kind, permissions[kind], needed[kind]));
  if (lacking.length > 0) {
    const flags = grantFlags(needed, cwd).filter((flag) => lacking.some((kind) => flagKind(flag) === kind));
    return { refused: `it needs ${flags.join(' ')}, which this worker does not grant` };
  }
  const folder = path.resolve(cwd, root);
  const ours = await identifyModules(modules.map(({ name }) => [name, path.resolve(folder, name)]));
  const other = modules.find(({ name, digest }) => !ours.some((one) => one.name === name && one.digest === digest));
  if (other !== undefined) return { refused: `its module ${other.name} is another one here, or is not here` };
  return { base: { ...base, granted: { permissions: needed, root: folder } } };
}

/** The permissions that flags grant, with paths as seen from this machine; null: they are no flags of passk. */
function permissionsOf(flags: readonly string[], cwd: string): Permissions | null {
  const grants = new Map<string, Grant>();
  for (const flag of flags) {
    const kind = flagKind(flag);
    if (!PERMISSION_KINDS.some((one) => one === kind)) return null;
    const equals = flag.indexOf('=');
    grants.set(kind, equals < 0 ? true : flag.slice(equals + 1).split(','));
  }
  const permissions = Object.fromEntries(grants);
  return permissionIssues(permissions).length > 0 ? null : resolvePermissions(permissions, cwd);
}

function flagKind(flag: string): string {
  return flag.replace(/^--allow-/, '').replace(/=.*$/s, '');
}

/** True when the permissions that a run needs are among those granted. */
function covers(kind: keyof Permissions, granted: Grant, needed: Grant): boolean {
  if (needed === false) return true;
  if (needed === true) return granted === true;
  // A grant of the whole net means public addresses only, so hosts that the run names must be named here, too.
  if (granted === true && kind !== 'net') return true;
  const list = typeof granted === 'boolean' ? [] : granted;
  return needed.every((entry) => {
    if (list.includes(entry)) return true;
    return (kind === 'read' || kind === 'write') && list.some((folder) => isInside(entry, folder));
  });
}

function isInside(entry: string, folder: string): boolean {
  const relative = path.relative(folder, entry);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
