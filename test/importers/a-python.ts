import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Whether tests that need what `.ci/run` installs skip without it: unless it is required (`PASSK_REQUIRE`). */
export function skipsWithout(name: string, installed: string): boolean {
  const isRequired = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes(name);
  return !existsSync(installed) && !isRequired;
}

/** Runs a command with a home of its own, from an empty folder; the folder, when it has ended. Throws where it fails. */
export async function inFolder(
  command: string,
  args: (folder: string) => readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-peer-'));
  const home = mkdtempSync(path.join(tmpdir(), 'passk-home-'));
  await promisify(execFile)(command, args(folder), {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return folder;
}

/** The Python of an environment that `.ci/run` makes. */
export function pythonOf(environment: string): string {
  return fileURLToPath(new URL(`../../.passk/${environment}/bin/python`, import.meta.url));
}
