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
  /** Takes the process off the cores: its sockets stay open and nobody answers. */
  pause(): void;
  goOn(): void;
  /** Kills it and starts it again on the same port, after so many milliseconds. */
  restart(options: { readonly keepsData: boolean; readonly awayMs: number }): Promise<void>;
  stop(): Promise<void>;
}

export interface ARedisOptions {
  /** Address that it listens on; default: this machine alone. */
  readonly address?: string;
  /** Each write is on the disk before it is answered. */
  readonly isDurable?: boolean;
}

/** A real server on a free port of this machine, with a password and an empty folder; to be stopped. */
export async function aRedis({ address = '127.0.0.1', isDurable = false }: ARedisOptions = {}): Promise<ARedis> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'passk-redis-'));
  const port = await freePort();
  const kept = isDurable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  const flags = ['--port', String(port), '--bind', address, '--dir', folder, '--save', '', ...kept];
  const start = async (): Promise<ChildProcess> => {
    const started = spawn('redis-server', [...flags, '--requirepass', PASSWORD], { stdio: 'ignore' });
    await listening(port, address, started);
    return started;
  };
  let child = await start();
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://:${PASSWORD}@${address}:${port}`,
    port,
    pause: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    restart: async ({ keepsData, awayMs }) => {
      await kill();
      if (!keepsData) rmSync(path.join(folder, 'appendonlydir'), { recursive: true, force: true });
      await after(awayMs);
      child = await start();
    },
    stop: async () => {
      await kill();
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

async function listening(port: number, address: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const socket = net.connect(port, address);
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
