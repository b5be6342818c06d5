import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { visibleText } from '../../policy/visible-text.ts';
import type { Grant } from '../../types/permissions.ts';
import { grantsWord } from '../granted-ports.ts';

/** Where programs without a folder are looked for, and the PATH of what is started. Not the user's: it may name anything. */
export const PROGRAM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The sentence that names the flag; null: the grant lists this program as it is written here. */
export function refuseProgram(run: Grant, program: string): string | null {
  if (grantsWord(run, program)) return null;
  const shown = visibleText(program);
  return `The program ${shown} needs --allow-run=${shown}.`;
}

/** The file behind a bare name on the fixed path, or an absolute one; null: there is none that can be run. */
export function findProgram(program: string): string | null {
  if (program.includes('\0')) return null;
  if (path.isAbsolute(program)) return isExecutable(program) ? program : null;
  if (program === '' || program.includes('/') || program === '.' || program === '..') return null;
  const places = PROGRAM_PATH.split(':').map((folder) => path.join(folder, program));
  return places.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
