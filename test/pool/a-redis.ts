import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as after } from 'node:timers/promises';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** Tests that need `redis-server` skip without it, unless it is required (`PASSK_REQUIRE`). */
export const skipsRedis: boolean = !hasRedis && !(process.env['PASSK_REQUIRE'] ?? '').split(',').includes('redis');

export const PASSWORD = 'pass-of-the-queue';

export interface ARedis {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** A real server on a free port of this machine, with a password and an empty folder; to be stopped. */
export async function aRedis(): Promise<ARedis> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'passk-redis-'));
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', [...flags, '--requirepass', PASSWORD], { stdio: 'ignore' });
  await listening(port, child);
  return {
    url: `redis://:${PASSWORD}@127.0.0.1:${port}`,
    port,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('There is no free port.');
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = net.connect(port, '127.0.0.1');
    const isUp = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isUp) return;
    await after(20);
  }
  throw new Error('redis-server did not start.');
}
