import {
  accessSync,
  constants,
  lstatSync,
  openSync,
  closeSync,
  readSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { canonicalPath } from '../../policy/canonical-path.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Grant } from '../../types/permissions.ts';
import { OS_ERROR } from '../os-error.ts';
import { MAX_LINKS } from '../world-paths.ts';
import { osErrorText, systemCode } from './os-error-text.ts';

/** The PATH of what is started, and where granted names are looked for: the system's, not the user's. */
export const PROGRAM_PATH = '/usr/local/bin:/usr/bin:/bin';

const FOLDERS = PROGRAM_PATH.split(':');

/** A program that is granted, or why it cannot be started. */
export type FoundProgram =
  | {
      readonly kind: 'program';
      /** What is started: no link is left in it. */
      readonly file: string;
      /** What policy judges: links outside the system's own folders are followed. */
      readonly judged: string;
    }
  | { readonly kind: 'failed'; readonly text: string };

/** The sentence that names the flag; null: the program is granted, or no program at all. */
export function refuseProgram(run: Grant, command: string): string | null {
  if (run === true || !path.posix.isAbsolute(command)) return null;
  if (run !== false && run.some((word) => isSameProgram(word, command))) return null;
  return needsRun(command);
}

/** Why a JavaScript module may not be loaded; null: it is granted by its path, or by its name beside the file of `folder` that names it. */
export function refuseModule(run: Grant, file: string, folder: string): string | null {
  const name = path.relative(folder, file);
  const isNamed = Array.isArray(run) && run.includes(name);
  if (isNamed || refuseProgram(run, file) === null) return null;
  // The shorter word is the same wherever the folder lies.
  return needsRun(name.startsWith('..') ? file : name, 'module');
}

/** What a program or module needs of the user, in words. */
export function needsRun(name: string, noun = 'program'): string {
  const shown = visibleText(name);
  return `The ${noun} ${shown} needs --allow-run=${shown}.`;
}

/** The file behind an absolute path. */
export function findProgram(command: string): FoundProgram {
  const shown = visibleText(command);
  const canonical = canonicalPath(command);
  if (typeof canonical !== 'string' || !command.startsWith('/')) {
    return { kind: 'failed', text: `shell_run requires an absolute path, not \`${shown}\`` };
  }
  try {
    const file = realpathSync(command);
    const refusal = startError(file);
    if (refusal !== null) return { kind: 'failed', text: `spawn ${shown}: ${refusal}` };
    return { kind: 'program', file, judged: judgedName(canonical) };
  } catch (error) {
    const text = osErrorText(error);
    if (text === null) throw error;
    return { kind: 'failed', text: `resolve ${shown}: ${text}` };
  }
}

// One file may be many programs and look at the name it was called by: the name must be the granted one.
function isSameProgram(word: string, command: string): boolean {
  const granted = path.posix.isAbsolute(word) ? word : onProgramPath(word);
  if (granted === null || path.basename(granted) !== path.basename(command)) return false;
  const [one, other] = [realName(granted), realName(command)];
  return one !== null && other !== null ? one === other : path.normalize(granted) === path.normalize(command);
}

/** The file that a name stands for; null: nothing there that can be started. */
export function onProgramPath(name: string): string | null {
  if (name === '' || name.includes('/')) return null;
  const places = FOLDERS.map((folder) => `${folder}/${name}`);
  return places.find((place) => realName(place) !== null && startError(place) === null) ?? null;
}

function realName(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}

/** Why the operating system would not start a file, asked beforehand so that the C library tries no shell instead. */
function startError(file: string): string | null {
  if (!statSync(file).isFile()) return OS_ERROR.denied;
  try {
    accessSync(file, constants.X_OK);
  } catch {
    return OS_ERROR.denied;
  }
  if (process.platform !== 'linux') return null;
  const start = firstBytes(file);
  return start === null || start === '\u007fELF' || start.startsWith('#!') ? null : OS_ERROR.execFormat;
}

function firstBytes(file: string): string | null {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(4);
      return bytes.toString('latin1', 0, readSync(descriptor, bytes));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    // What may be run but not read, a shell could not read either.
    if (systemCode(error) === 'EACCES') return null;
    throw error;
  }
}

// Links in the system's folders are the system's own: `/bin/sh` is judged as `/bin/sh`, whatever shell that is.
function judgedName(canonical: string): string {
  let name = canonical;
  for (let followed = 0; followed <= MAX_LINKS; followed++) {
    if (FOLDERS.includes(path.dirname(name))) return name;
    name = path.join(realpathSync(path.dirname(name)), path.basename(name));
    if (FOLDERS.includes(path.dirname(name)) || !lstatSync(name).isSymbolicLink()) return name;
    name = path.resolve(path.dirname(name), readlinkSync(name));
  }
  return realpathSync(canonical);
}
