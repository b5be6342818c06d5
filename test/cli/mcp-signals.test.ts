import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { notesIn } from '../effects/granted/an-mcp-server.ts';
import { allGone } from '../support/processes.ts';
import { aFolder, type Ended, runPassk } from './run-passk.ts';

const SERVER = fileURLToPath(new URL('../effects/granted/fixtures/mcp-stdio-server.mjs', import.meta.url));

/** A workflow that calls one tool of a server that has a child and ends for nobody who merely asks it to. */
function aScenario(name: string, tool: string): string {
  const command = JSON.stringify([process.execPath, SERVER, 'family', '${SCENARIO_DIR}/log']);
  return `name = "${name}"
trials = 2
[workflow]
inline = '''
name = "w"
start_nodes = [{ name = "main", source = "manual", entry_node = "n" }]
nodes = [{ id = "n", type = "call_mcp_tool", tool = "${tool}" }]
edges = []
[[mcp_servers]]
name = "shop"
command = ${command}
'''
[expected]
status = "completed"
`;
}

interface Run {
  readonly cwd: string;
  /** Where passk makes its own folders: elsewhere the next run of anybody would end what this one leaves behind. */
  readonly tmp: string;
}

function aRun(): Run {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'hangs.toml'), aScenario('hangs', 'hang'));
  writeFileSync(path.join(cwd, 'counts.toml'), aScenario('counts', 'count'));
  return { cwd, tmp: aFolder() };
}

function run({ cwd, tmp }: Run, file: string, signal?: NodeJS.Signals): Promise<Ended> {
  return runPassk(['run', file, `--allow-run=${process.execPath}`, '--workers', '1', '--json'], {
    cwd,
    env: { TMPDIR: tmp },
    meanwhile: (child) => {
      if (signal === undefined) return;
      const timer = setInterval(() => {
        if (notesIn(path.join(cwd, 'log'), 'call').length === 0) return;
        clearInterval(timer);
        child.kill(signal);
      }, 20);
      child.on('exit', () => clearInterval(timer));
    },
  });
}

/** The servers that were started, and their children. */
function startedIn({ cwd }: Run): readonly number[] {
  const log = path.join(cwd, 'log');
  return [...notesIn(log, 'start'), ...notesIn(log, 'child')].map(Number);
}

// Elsewhere nobody tells what processes there are.
const testOnLinux = test.runIf(process.platform === 'linux');

testOnLinux(
  'a signal ends a run whose server ignores it with a call in flight, and leaves no process and no folder',
  async () => {
    await Promise.all(
      (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(async (signal) => {
        const place = aRun();
        await run(place, 'hangs.toml', signal);
        const pids = startedIn(place);
        expect(pids.length, signal).toBeGreaterThanOrEqual(2);
        expect(await allGone(pids), signal).toBe(true);
        expect(readdirSync(place.tmp), signal).toEqual([]);
      }),
    );
  },
);

testOnLinux('what a run left behind that was killed itself is ended by the next run that starts a server', async () => {
  const place = aRun();
  await run(place, 'hangs.toml', 'SIGKILL');
  const left = startedIn(place);
  expect(left.length).toBeGreaterThanOrEqual(2);
  const { status } = await run(place, 'counts.toml');
  expect(status).toBe(0);
  expect(await allGone(startedIn(place))).toBe(true);
  expect(startedIn(place).length).toBeGreaterThan(left.length);
  expect(readdirSync(place.tmp)).toEqual([]);
});

testOnLinux('scenarios that name one server share its process in a worker, which ends with the run', async () => {
  const place = aRun();
  for (let at = 0; at < 12; at++) writeFileSync(path.join(place.cwd, `s${at}.toml`), aScenario(`s${at}`, 'count'));
  const { status } = await run(place, 's*.toml');
  expect([status, notesIn(path.join(place.cwd, 'log'), 'start').length]).toEqual([0, 1]);
  expect(await allGone(startedIn(place))).toBe(true);
});
