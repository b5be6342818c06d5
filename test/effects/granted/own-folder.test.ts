import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { expect, test, vi } from 'vitest';
import { isAlive } from './an-mcp-server.ts';

test.skipIf(process.platform !== 'linux')(
  'what a killed passk left behind is ended before the first folder is lent',
  async () => {
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const space = readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
    const folder = mkdtempSync(path.join(tmpdir(), `passk-run-${space}-${dead}-`));
    const orphan = spawn('sleep', ['600'], { cwd: folder, detached: true, stdio: 'ignore' });
    expect(isAlive(String(orphan.pid))).toBe(true);
    // A thread sweeps once: this module has not been used yet.
    vi.resetModules();
    const { inOwnFolder } = await import('../../../src/effects/granted/own-folder.ts');
    const seen = await inOwnFolder(async () => [existsSync(folder), isAlive(String(orphan.pid))]);
    expect(seen).toEqual([false, false]);
  },
);
