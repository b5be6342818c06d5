import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, sep } from 'node:path';

const SETTINGS = new Set(['passk.toml', 'conform.toml']);

/** Folders that never hold scenarios of their own: histories, caches, and what package managers install. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  '.hg',
  '.svn',
  '.nox',
  '.passk',
  '.tox',
  '.venv',
  '__pycache__',
  'node_modules',
  'site-packages',
]);

/** Whether a file found in a folder or by a glob may be a scenario: `passk.toml` and `conform.toml` are configuration, most YAML is not ours. */
export function mayBeScenario(path: string): boolean {
  if (path.endsWith('.toml')) return !SETTINGS.has(basename(path));
  return isYamlFile(path) && OURS.test(basename(path));
}

/** True for the name of a file that holds YAML, which contracts and specs of models are written in; JSON is YAML, too. */
export function isYamlFile(path: string): boolean {
  return path.endsWith('.yaml') || path.endsWith('.yml') || path.endsWith('.json');
}

/** True for the name of a module, which may make scenarios. One is run only where it is named: its folder alone names it not. */
export function isModuleFile(path: string): boolean {
  return /(?<!\.d)\.[cm]?[jt]s$/.test(path);
}

/** True for the name of a file that scenarios may stand in. Of JSON nobody can tell by its name: it may be recorded runs. */
export function isSuiteFile(path: string): boolean {
  return path.endsWith('.toml') || (isYamlFile(path) && !path.endsWith('.json')) || isModuleFile(path);
}

/** `flakestorm.yaml`, any name that ends so: `support.contract.yaml`, and `model-conformance.yaml`, which Genkit takes in JSON, too. */
const OURS = /^flakestorm\.ya?ml$|\.contract\.ya?ml$|^model-conformance\.(?:ya?ml|json)$/;

/** What is behind a path once links are followed; nothing also when it cannot be looked at. */
export function kindOf(path: string): 'file' | 'folder' | 'other' | 'nothing' {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'other';
  } catch {
    // Missing, a link to nothing, a link to itself, or behind a folder that may not be entered.
    return 'nothing';
  }
}

/**
 * All `.toml` files and contracts in YAML below a folder, hidden ones included, `passk.toml` and folders of tools left out. A link that leads
 * nowhere is listed, too: whoever reads it reports it. Links to folders are followed after everything that is really there, and no folder
 * is entered twice, so that links in a circle end.
 */
export function scenarioFilesIn(folder: string): {
  readonly files: readonly string[];
  readonly unreadable: readonly string[];
} {
  const files: string[] = [];
  const unreadable: string[] = [];
  const entered = new Set<string>();
  const waiting = [folder];
  const linked: string[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop() ?? linked.shift()) {
    const entries = enter(next, folder, entered);
    if (entries === null) unreadable.push(next);
    const before = next.endsWith(sep) ? next : next + sep;
    for (const entry of entries ?? []) {
      const path = before + entry.name;
      const kind = kindOfEntry(entry, path);
      if (kind === 'folder' && !SKIPPED_FOLDERS.has(entry.name)) (entry.isSymbolicLink() ? linked : waiting).push(path);
      if ((kind === 'file' || kind === 'nothing') && mayBeScenario(entry.name)) files.push(path);
    }
  }
  return { files, unreadable };
}

/** Names of YAML files that stand in a folder itself, whoever they are for. */
export function yamlFilesIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort();
}

/** The listing says it, except of links, and on file systems that leave it out. */
function kindOfEntry(entry: Dirent, path: string): ReturnType<typeof kindOf> {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : kindOf(path);
}

/** The entries in a fixed order; none when the folder was entered before or leads out of `top`; null: unreadable. */
function enter(folder: string, top: string, entered: Set<string>): readonly Dirent[] | null {
  try {
    const real = realpathSync(folder);
    // A link to a folder that contains the top one leads to what was not asked for.
    if (entered.has(real) || realpathSync(top).startsWith(real.endsWith(sep) ? real : real + sep)) return [];
    entered.add(real);
    // Which of several links to a folder counts must not depend on the file system's order.
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return null;
  }
}
