import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createFileEffect } from '../../../src/effects/granted/file-effect.ts';
import { told } from '../a-world.ts';
import { aCall, aDiskFolder, NOTHING } from './a-disk.ts';

const SWAPPER = fileURLToPath(new URL('swap-for-link.mjs', import.meta.url));
const ROUNDS = 700;
/** Rounds until each request has come through between two swaps: how many that takes is up to the scheduler. */
const MOST_ROUNDS = 10 * ROUNDS;
const GRANTED = ['read value', 'write value', 'mkdir value'];
// Where an open folder cannot be named, the documentation promises less.
const onLinux = test.skipIf(process.platform !== 'linux');

onLinux.each([
  ['folder', 'in/a', 'outside'],
  ['file', 'in/a/b/file', 'outside/b/file'],
])(
  'a %s that is swapped for a link all the time never leads out of the grant',
  async (_, thing, elsewhere) => {
    const top = aDiskFolder();
    const at = (name: string): string => path.join(top, name);
    for (const folder of ['in/a/b', 'outside/b']) mkdirSync(at(folder), { recursive: true });
    writeFileSync(at('in/a/b/file'), 'granted');
    writeFileSync(at('outside/b/file'), 'secret');
    const effect = createFileEffect({ ...NOTHING, read: [at('in')], write: [at('in')] }, { scenarioDir: null });
    const file = { port: 'file', path: at('in/a/b/file') } as const;
    const requests = [
      { ...file, op: 'read', as: 'read_file' },
      { ...file, op: 'write', as: 'write_file', content: 'granted' },
      { port: 'file', op: 'mkdir', as: 'create_dir', path: at('in/a/b/made') },
    ] as const;

    await swapping(at(thing), at(elsewhere));
    const seen = new Set<string>();
    const isMissing = (kind: string): boolean => !seen.has(kind);
    for (let round = 0; round < ROUNDS || (round < MOST_ROUNDS && GRANTED.some(isMissing)); round++) {
      for (const request of requests) {
        const { reply } = await effect.perform(request, aCall());
        seen.add(`${request.op} ${reply.kind}`);
        if (request.op === 'read' && reply.kind === 'value') expect(told(reply)).toMatchObject({ content: 'granted' });
      }
    }

    expect([readdirSync(at('outside')), readdirSync(at('outside/b'))]).toEqual([['b'], ['file']]);
    expect(readFileSync(at('outside/b/file'), 'utf8')).toBe('secret');
    // The race took place: what is granted was done, and the link was met.
    expect([...seen]).toEqual(expect.arrayContaining(GRANTED));
    expect([...seen].some((kind) => kind.endsWith('broken'))).toBe(true);
  },
  60_000,
);

async function swapping(thing: string, elsewhere: string): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [SWAPPER, thing, elsewhere], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  if (child.stdout !== null) await once(child.stdout, 'data');
}
