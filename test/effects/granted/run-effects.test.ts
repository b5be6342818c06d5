import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { GrantedEffects } from '../../../src/effects/granted/create-effects.ts';
import { RunEffects } from '../../../src/effects/granted/run-effects.ts';
import { mcpAnswersFor } from '../../../src/effects/mcp-answers.ts';
import { mcpIdentity } from '../../../src/effects/mcp-identity.ts';
import { allGone } from '../../support/processes.ts';
import { aCall, aServer, aToolCall, isAlive, MAY_RUN_NODE, notesIn } from './an-mcp-server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passk-run-effects-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ONE = { granted: { permissions: MAY_RUN_NODE, root: folder }, isStopped: () => false };

/** As `mcpIdentity` gives it. */
function identityOf(log: string): string {
  const answers = mcpAnswersFor(aServer('good', { log }), new Set());
  return mcpIdentity(aServer('good', { log }), { scenarioFile: 'a.toml', answers });
}

function asking(log: string): (effects: GrantedEffects | null) => Promise<void> {
  return async (effects) => {
    const mcpServers = [aServer('good', { log })];
    const opened = await effects?.open({ ports: ['mcp'], mcpServers, secrets: [], scenarioFile: 'a.toml' });
    const answer = await opened?.mcp?.perform(aToolCall('count'), aCall());
    expect(answer).toMatchObject({ reply: { kind: 'value' } });
  };
}

test('a server outlives a piece as long as later ones need it, and another piece starts it again', async () => {
  const log = path.join(folder, 'needed');
  const starts = (): readonly string[] => notesIn(log, 'start');
  const effects = new RunEffects({ env: {} });
  const piece = (needed: readonly string[] | null) => ({ ...ONE, keptServers: { run: 1, needed } });
  await effects.use(piece(null), asking(log));
  await effects.use(piece([identityOf(log), 'other']), asking(log));
  await effects.endServers([identityOf(log)]);
  expect(starts().map(isAlive)).toEqual([true]);
  await effects.endServers(['other']);
  expect(await allGone(starts().map(Number))).toBe(true);
  await effects.use(piece(['other']), asking(log));
  expect(starts()).toHaveLength(2);
  expect(await allGone(starts().map(Number))).toBe(true);
  await effects.close();
});

test('a run that is stopped, and one that has no other pieces, leave no server', async () => {
  const log = path.join(folder, 'ended');
  const effects = new RunEffects({ env: {} });
  const keptServers = { run: 1, needed: null };
  const starts = (): readonly string[] => notesIn(log, 'start');
  await effects.use({ ...ONE, keptServers }, asking(log));
  expect(starts().map(isAlive)).toEqual([true]);
  await effects.use({ ...ONE, keptServers, isStopped: () => true }, asking(log));
  expect(starts().map(isAlive)).toEqual([false]);
  await effects.use({ ...ONE, keptServers: null }, asking(log));
  expect(starts().map(isAlive)).toEqual([false, false]);
});
