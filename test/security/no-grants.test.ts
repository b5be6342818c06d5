import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aHostilePlace, CANARY, CANARY_VALUE, type HostilePlace } from './hostile-corpus.ts';
import { hasStrace, type Seen, trace } from './system-calls.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PASSK = path.join(ROOT, 'dist/bin/passk.cjs');
const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('strace');

describe.skipIf(!hasStrace() && !required)('seen from outside (needs strace)', () => {
  test('a hostile corpus without grants touches nothing but itself', async () => {
    const { place, hits } = await aScene();
    const innocent = await run(place, 'innocent');
    const hostile = await run(place, 'hostile');

    expect([innocent.status, hostile.status]).toEqual([1, 2]);
    // What loads did run, in workers too; what asks for what only a grant could give did not.
    const { scenarios, timing } = JSON.parse(hostile.stdout) as SuiteReport;
    const ran = scenarios.filter(({ trials }) => trials.executed > 0).map(({ name }) => name);
    expect(ran).toEqual(
      expect.arrayContaining(['read', 'read-environment', 'write', 'folder', 'environment', 'many-reads']),
    );
    expect(scenarios.filter(({ trials }) => trials.passed > 0)).toEqual([]);
    expect(timing.executor).toBe('workers');
    const beyond = opensBeyond(hostile, innocent, place);
    const ofPassk = (file: string): boolean => isCode(file) || isOwn(file);
    expect(beyond.filter((file) => !file.startsWith(`${place.cwd}/hostile`) && !ofPassk(file))).toEqual([]);
    expect([...hostile.changed, ...innocent.changed].filter((file) => !isOwn(file))).toEqual([]);
    expect({ started: hostile.started, network: hostile.network, hits: hits() }).toEqual({
      started: [],
      network: [],
      hits: 0,
    });
    expect(readdirSync(place.secrets).sort()).toEqual(['child.toml', 'key.txt', 'schema.json']);
    for (const canary of place.canaries) expect(hostile.said).not.toContain(canary);
    for (const file of hostile.opened) expect(file).not.toContain('/secrets/');
    expect(hostile.opened).not.toContain(`${place.cwd}/hostile/evil.mjs`);
  });

  test('the same corpus with every grant touches all of it, so that the test above can fail', async () => {
    const { place, hits } = await aScene();
    // Real reads take time.
    const flags = [
      '--trials=2',
      '--allow-net=127.0.0.1',
      '--allow-run',
      '--allow-env',
      '--allow-read',
      `--allow-write=${place.secrets}`,
    ];
    const granted = await run(place, 'hostile', flags);
    expect([...granted.opened]).toEqual(expect.arrayContaining([expect.stringContaining('/secrets/')]));
    expect([...granted.changed].join('\n')).toContain('marker');
    expect(granted.started.join('\n')).toContain('/usr/bin/touch');
    expect(granted.network.join('\n')).toContain('connect(');
    expect(hits()).toBeGreaterThan(0);
    expect(existsSync(place.marker)).toBe(true);
    expect(granted.said).toContain(CANARY_VALUE);
  });

  test('npm start needs no grant, no network, no other program and changes nothing', async () => {
    const scratch = mkdtempSync(path.join(tmpdir(), 'passk-start-'));
    onTestFinished(() => rmSync(scratch, { recursive: true }));
    const seen = await trace([path.join(ROOT, 'scripts/start.mjs'), '--json'], { cwd: ROOT, scratch });
    const report = JSON.parse(seen.stdout) as { scenarios: { effects?: unknown }[]; gate: { verdict: string } };
    expect([seen.status, report.gate.verdict]).toEqual([0, 'pass']);
    expect(report.scenarios.filter(({ effects }) => effects !== undefined)).toEqual([]);
    expect({ started: seen.started, network: seen.network }).toEqual({ started: [], network: [] });
    expect([...seen.changed].filter((file) => !isOwn(file))).toEqual([]);
  });
});

/** A hostile place, and a server that counts who comes. */
async function aScene(): Promise<{ readonly place: HostilePlace; readonly hits: () => number }> {
  let hits = 0;
  const server = createServer((_, response) => {
    hits++;
    response.end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { place: aHostilePlace((server.address() as AddressInfo).port), hits: () => hits };
}

function run({ cwd, scratch }: HostilePlace, folder: string, flags: readonly string[] = []): Promise<Seen> {
  const env = { [CANARY]: CANARY_VALUE, XDG_CACHE_HOME: scratch };
  return trace([PASSK, 'run', folder, '--keep-going', '--workers', '2', '--json', ...flags], { cwd, scratch, env });
}

/** Parts of passk that are loaded when they are needed, such as what explains errors, and the folder they stand in. */
function isCode(file: string): boolean {
  const folder = path.dirname(PASSK);
  return file === folder || (path.dirname(file) === folder && /\.[cm]js$/.test(file));
}

/** For this user it is kept what V8 has compiled of passk, and which files failed; nothing else is ever written. */
function isOwn(file: string): boolean {
  return /^\/dev\/(?:null|tty)$/.test(file) || /\/passk(?:\/(?:compiled|failed)(?:\/[^/]+)?)?$/.test(file);
}

/** Files that one run opened and the other did not, those in the place named as they are. */
function opensBeyond(run: Seen, other: Seen, { cwd }: HostilePlace): readonly string[] {
  return [...run.opened].map((file) => path.resolve(cwd, file)).filter((file) => !other.opened.has(file));
}
