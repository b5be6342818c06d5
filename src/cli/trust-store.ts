import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** A settings file and what its owner wants of this machine, as it stands now. */
export interface Trusted {
  /** As it was found: a link to a trusted file elsewhere is another file. */
  readonly file: string;
  /** Bytes of a module, or what a file of settings asks for. */
  readonly content: string | Uint8Array;
}

/** True: the user of this machine has agreed to just this before. */
export function isRemembered(trusted: Trusted): boolean {
  return existsSync(recordOf(trusted));
}

/** Remembers for this user that they have agreed. Rejects where their state folder cannot be written. */
export async function remember(trusted: Trusted): Promise<void> {
  const record = recordOf(trusted);
  await mkdir(path.dirname(record), { recursive: true, mode: 0o700 });
  await writeFile(record, `${JSON.stringify({ file: realFile(trusted.file), agreedAt: new Date().toISOString() })}\n`);
}

/** One file for each folder and content: nothing is read back, so there is nothing to damage. */
function recordOf({ file, content }: Trusted): string {
  const digest = createHash('sha256').update(realFile(file)).update('\0').update(content).digest('hex');
  return path.join(stateFolder(), 'trusted', digest);
}

/** Its folder without links; the file itself may be one, whose relative paths still start from here. */
function realFile(file: string): string {
  return path.join(realpathSync.native(path.dirname(file)), path.basename(file));
}

/** Where programs keep what they have to remember for a user. */
function stateFolder({ env, platform } = process): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, 'passk');
  if (platform === 'win32' && local !== undefined && path.isAbsolute(local)) return path.join(local, 'passk');
  if (platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'passk');
  return path.join(homedir(), '.local', 'state', 'passk');
}
