import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { makeFolder } from '../records/make-folder.ts';

/** A settings file, and what it asks for now. */
export interface Trusted {
  /** The path that was found: a link to a trusted file elsewhere is another file. */
  readonly file: string;
  /** Bytes of a module, or what a file of settings asks for. */
  readonly content: string | Uint8Array;
}

/** Whether this user has agreed to exactly this before. */
export function isRemembered(trusted: Trusted): boolean {
  return existsSync(recordOf(trusted));
}

/** Remembers that this user has agreed. Rejects where their state folder cannot be written. */
export async function remember(trusted: Trusted): Promise<void> {
  const record = recordOf(trusted);
  makeFolder(path.dirname(record), { mode: 0o700 });
  await writeFile(record, `${JSON.stringify({ file: realFile(trusted.file), agreedAt: new Date().toISOString() })}\n`);
}

/** One file for each folder and content. passk asks only whether it is there, so no damage can turn a no into a yes. */
function recordOf({ file, content }: Trusted): string {
  const digest = createHash('sha256').update(realFile(file)).update('\0').update(content).digest('hex');
  return path.join(stateFolder(), 'trusted', digest);
}

/** The path with a real folder. The file itself may be a link: its relative paths start from the link's folder. */
function realFile(file: string): string {
  return path.join(realpathSync.native(path.dirname(file)), path.basename(file));
}

/** Where programs keep state for a user. */
function stateFolder({ env, platform } = process): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, 'passk');
  if (platform === 'win32' && local !== undefined && path.isAbsolute(local)) return path.join(local, 'passk');
  if (platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'passk');
  return path.join(homedir(), '.local', 'state', 'passk');
}
