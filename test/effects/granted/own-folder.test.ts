import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import type * as OwnFolder from '../../../src/effects/granted/own-folder.ts';
import { isAlive } from './an-mcp-server.ts';

test.skipIf(process.platform !== 'linux')(
  'what a killed passk left behind is ended before the first folder is lent',
  async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const space = readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
    const folder = mkdtempSync(path.join(tmpdir(), `passk-run-${space}-${dead}-`));
    const orphan = spawn('sleep', ['600'], { cwd: folder, detached: true, stdio: 'ignore' });
    expect(isAlive(String(orphan.pid))).toBe(true);
    // A module sweeps once: this copy of it has not been used yet.
    const copy = new URL('../../../dist/src/effects/granted/own-folder.js?copy', import.meta.url).href;
    const { inOwnFolder } = (await import(copy)) as typeof OwnFolder;
    const seen = await inOwnFolder(async () => [existsSync(folder), isAlive(String(orphan.pid))]);
    expect(seen).toEqual([false, false]);
  },
);
