import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const local = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const PYTHON = local('../../../.passk/python-inspect/bin/python');
const isRequired = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('inspect');

/** Tests that need the real Inspect skip without it, unless it is required (`PASSK_REQUIRE`). */
export const skipsInspect: boolean = !existsSync(PYTHON) && !isRequired;

/** What `peer.py` says of a log. */
export interface SeenLog {
  readonly status: string;
  readonly task: string;
  readonly model: string;
  readonly total: number | null;
  readonly completed: number | null;
  readonly epochs: number | null;
  readonly samples: readonly SeenSample[];
  readonly results: readonly {
    readonly name: string;
    readonly scored: number | null;
    readonly unscored: number | null;
    readonly metrics: Readonly<Record<string, number>>;
  }[];
  readonly usage: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface SeenSample {
  readonly task: string;
  readonly attempt: number;
  readonly error: string | null;
  readonly limit: string | null;
  readonly messages: number;
  readonly scores: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Has the real Inspect run evals; the folder of their logs. */
export async function writeLogs(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-inspect-'));
  await peer('write', folder);
  return folder;
}

/** What the real Inspect reads in a log. */
export async function seenBy(file: string): Promise<SeenLog> {
  return JSON.parse(await peer('read', file)) as SeenLog;
}

async function peer(verb: string, place: string): Promise<string> {
  // It keeps notes in the user's folder.
  const env = { ...process.env, HOME: mkdtempSync(path.join(tmpdir(), 'passk-home-')), INSPECT_LOG_LEVEL: 'error' };
  const args = [local('peer.py'), verb, place];
  const { stdout } = await promisify(execFile)(PYTHON, args, { env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
