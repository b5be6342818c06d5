import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { GrantedEffects } from '../../../src/effects/granted/create-effects.ts';
import { RunEffects } from '../../../src/effects/granted/run-effects.ts';
import { allGone } from '../../support/processes.ts';
import { aCall, aServer, aToolCall, isAlive, MAY_RUN_NODE, notesIn } from './an-mcp-server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-run-effects-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GRANTED = { permissions: MAY_RUN_NODE, root: folder };

function asking(log: string): (effects: GrantedEffects | null) => Promise<void> {
  return async (effects) => {
    const mcpServers = [aServer('good', { log })];
    const opened = await effects?.open({ ports: ['mcp'], mcpServers, secrets: [], scenarioFile: 'a.toml' });
    const answer = await opened?.mcp?.perform(aToolCall('count'), aCall());
    expect(answer).toMatchObject({ reply: { kind: 'value' } });
  };
}

test('a server that no piece of the run asks for too long ends by itself, and another piece starts it again', async () => {
  const log = path.join(folder, 'idle');
  const effects = new RunEffects({ env: {}, idleMs: 1 });
  const piece = { granted: GRANTED, run: 1, isStopped: () => false };
  await effects.use(piece, asking(log));
  expect(await allGone(notesIn(log, 'start').map(Number))).toBe(true);
  await effects.use(piece, asking(log));
  expect(notesIn(log, 'start')).toHaveLength(2);
  await effects.close();
});

test('a run that is stopped, and one that has no other pieces, leave no server', async () => {
  const log = path.join(folder, 'ended');
  const effects = new RunEffects({ env: {} });
  const starts = (): readonly string[] => notesIn(log, 'start');
  await effects.use({ granted: GRANTED, run: 1, isStopped: () => false }, asking(log));
  expect(starts().map(isAlive)).toEqual([true]);
  await effects.use({ granted: GRANTED, run: 1, isStopped: () => true }, asking(log));
  expect(starts().map(isAlive)).toEqual([false]);
  await effects.use({ granted: GRANTED, run: null, isStopped: () => false }, asking(log));
  expect(starts().map(isAlive)).toEqual([false, false]);
});
