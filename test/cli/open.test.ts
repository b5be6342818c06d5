import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { renderReport, runSuite } from '../../src/index.ts';
import { aFolder, aGreeting, type Ended, runPassk } from './run-passk.ts';

interface Opened {
  readonly url: string;
  /** Ctrl-C. */
  readonly end: () => Promise<Ended>;
}

/** A project with a scenario and its report, in a folder of its own. */
async function aProject(): Promise<string> {
  const cwd = aFolder();
  mkdirSync(path.join(cwd, 'suite'));
  writeFileSync(path.join(cwd, 'suite', 'a.toml'), aGreeting());
  await writeReport(cwd);
  return cwd;
}

async function writeReport(cwd: string, trials = 8): Promise<void> {
  const report = await runSuite({ cwd, paths: ['suite'], workers: 0, trials });
  writeFileSync(path.join(cwd, 'report.json'), renderReport(report, { reporter: 'json' }));
}

/** Starts a command that serves a page, and waits for its address. */
async function opened(args: readonly string[], cwd: string): Promise<Opened> {
  let child: ChildProcess | undefined;
  let ended: Promise<Ended> | undefined;
  const url = await new Promise<string>((resolve, reject) => {
    ended = runPassk(args, {
      cwd,
      env: { DISPLAY: '', WAYLAND_DISPLAY: '' },
      meanwhile: (started) => {
        child = started;
        started.stderr?.on('data', (text: string) => {
          const address = /http:\/\/\S+\//.exec(text)?.[0];
          if (address !== undefined) resolve(address);
        });
      },
    });
    ended.then(({ stderr }) => reject(new Error(`ended without an address: ${stderr}`)), reject);
  });
  return {
    url,
    end: async () => {
      child?.kill('SIGINT');
      return ended ?? Promise.reject(new Error('not started'));
    },
  };
}

function statusOf(url: string, { method = 'GET', host }: { method?: string; host?: string } = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, ...(host !== undefined && { headers: { host } }) }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject).end();
  });
}

/** The names of the events as they come, up to the wanted one. */
async function eventsUntil(url: string, wanted: string, meanwhile: () => Promise<void>): Promise<readonly string[]> {
  const seen: string[] = [];
  const { body } = await fetch(`${url}events`);
  const decoder = new TextDecoder();
  for await (const bytes of body ?? []) {
    const names = [...decoder.decode(bytes).matchAll(/^event: (.*)$/gm)].map((match) => match[1] ?? '');
    if (seen.length === 0) void meanwhile();
    seen.push(...names);
    if (seen.includes(wanted, 1)) return seen;
  }
  return seen;
}

/** What an events stream says first. */
async function firstFrame(url: string): Promise<string> {
  const { body } = await fetch(`${url}events`);
  for await (const bytes of body ?? []) return new TextDecoder().decode(bytes);
  return '';
}

/** A scenario of an agent that may not be started. */
function anAgentFile(): string {
  return [
    'name = "asked"',
    '[agent]',
    'module = "agent.mjs"',
    '[user]',
    'opening = "Is it open?"',
    '[expected]',
    'says = ["yes"]',
    '',
  ].join('\n');
}

test('open shows a report to those who know its address, and to no other site', async () => {
  const { url, end } = await opened(['open', '--no-browser'], await aProject());
  const { host, port, origin, pathname } = new URL(url);
  expect(host).toBe(`127.0.0.1:${port}`);
  expect({
    page: await statusOf(url),
    report: await statusOf(`${url}report?1`),
    byName: await statusOf(url, { host: `localhost:${port}` }),
    rebound: await statusOf(url, { host: `attacker.example:${port}` }),
    root: await statusOf(`${origin}/`),
    guessed: await statusOf(`${origin}${pathname.slice(0, -2)}${pathname.at(-2) === 'x' ? 'y' : 'x'}/report`),
    posted: await statusOf(url, { method: 'POST' }),
    unknown: await statusOf(`${url}../${pathname.split('/')[1]}/passk.toml`),
  }).toEqual({ page: 200, report: 200, byName: 200, rebound: 403, root: 403, guessed: 403, posted: 405, unknown: 404 });
  const { headers } = await fetch(url);
  expect(headers.get('access-control-allow-origin')).toBe(null);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await (await fetch(`${url}report`)).text()).toContain('"greeting"');
  expect(await end()).toMatchObject({ status: 0, stdout: '' });
});

test('a report that is written anew is told to those who look, and half of one is waited out', async () => {
  const cwd = await aProject();
  const { url, end } = await opened(['open', 'report.json', '--no-browser'], cwd);
  const events = await eventsUntil(url, 'report', () => writeReport(cwd, 12));
  expect(events).toEqual(['report', 'report']);
  expect(await (await fetch(`${url}report`)).text()).toContain('"trials":[12,12,0,12,0,0]');
  await end();
});

test('open shows the very page of the run, step by step, from the JSON report alone', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), aGreeting({ lastNode: 'greet' }));
  const reporters = ['--reporter', 'json:report.json', '--reporter', 'html:page.html'];
  await runPassk(['run', 'a.toml', '--seed', '7', '--sampler', 'reference', '--workers', '0', ...reporters], { cwd });
  const page = readFileSync(path.join(cwd, 'page.html'), 'utf8');
  expect(page).toContain('"steps":[[');
  const { url, end } = await opened(['open', '--no-browser'], cwd);
  expect(await (await fetch(`${url}report`)).text()).toBe(page);
  await end();
});

test('run --open shows the run while and after it goes on, and ends with its verdict', async () => {
  const cwd = await aProject();
  writeFileSync(path.join(cwd, 'suite', 'a.toml'), aGreeting({ lastNode: 'greet' }));
  const { url, end } = await opened(['suite', '--open', '--workers', '0'], cwd);
  await vi.waitUntil(async () => (await statusOf(`${url}report`)) === 200, { timeout: 60_000 });
  const { status, stdout } = await end();
  expect(status).toBe(1);
  expect(stdout).toContain('✗ FAIL   greeting');
});

test.each([
  ['--open=run', ''],
  ['--open in a CI', 'true'],
])('%s ends with the run; whoever looks has the report before', async (flag, ci) => {
  const cwd = await aProject();
  let page: Promise<string> | undefined;
  // Asks for the report as a browser does: when the events say that it is there.
  const look = async (url: string): Promise<string> => {
    await eventsUntil(url, 'report', async () => undefined);
    return (await fetch(`${url}report`)).text();
  };
  const { status, stderr } = await runPassk(
    ['suite', flag.split(' ')[0] ?? '', '--workers', '0', '--trials', '3000000'],
    {
      cwd,
      env: { DISPLAY: '', WAYLAND_DISPLAY: '', CI: ci },
      meanwhile: (child) => {
        child.stderr?.on('data', (text: string) => {
          const address = /http:\/\/\S+\//.exec(text)?.[0];
          if (address !== undefined) page ??= look(address);
        });
      },
    },
  );
  expect(status).toBe(0);
  expect(stderr).toContain('; it ends with the run.');
  expect(await page).toContain('"greeting"');
});

test('whoever looks has the report of a run that Ctrl-C stopped', async () => {
  const cwd = await aProject();
  const { url, end } = await opened(['suite', '--open', '--workers', '0', '--trials', '100000000'], cwd);
  let page = '';
  const looking = eventsUntil(url, 'report', async () => undefined).then(async () => {
    page = await (await fetch(`${url}report`)).text();
  });
  await vi.waitUntil(async () => (await firstFrame(url)).includes('"stage":"running"'), { timeout: 60_000 });
  expect((await end()).status).toBe(130);
  await looking;
  expect(page).toContain('"partial":true');
});

test('a run whose files do not load names no page, which nobody could see', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'a.toml'), `${aGreeting()}[nonsense]\n`);
  for (const flag of ['--open', '--open=run']) {
    const { status, stderr } = await runPassk(['run', 'a.toml', flag], { cwd, env: { DISPLAY: '', CI: '' } });
    expect(status).toBe(2);
    expect(stderr).toContain('"nonsense" is not a known key');
    expect(stderr).not.toContain('http://127.0.0.1');
  }
});

test('whoever looks hears why a run has no report', async () => {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'agent.mjs'), 'export default () => "yes";');
  writeFileSync(path.join(cwd, 'a.toml'), anAgentFile());
  // A browser that comes late, as each does that has to be started.
  const browser = path.join(cwd, 'xdg-open');
  const look = `sleep 1; ${process.execPath} -e "fetch(process.argv[1] + 'events').then((r) => r.text()).then(console.log)"`;
  writeFileSync(browser, `#!/bin/sh\n${look} "$1" > '${cwd}/seen'\n`, { mode: 0o755 });
  const { status, stderr } = await runPassk(['run', 'a.toml', '--open'], {
    cwd,
    env: { DISPLAY: ':1', CI: '', PATH: `${cwd}:${process.env['PATH']}` },
  });
  await vi.waitUntil(() => readFileSync(path.join(cwd, 'seen'), 'utf8').includes('event: end'), { timeout: 60_000 });
  const [, problem = '""'] = /event: problem\ndata: (.*)/.exec(readFileSync(path.join(cwd, 'seen'), 'utf8')) ?? [];
  expect(status).toBe(2);
  expect(JSON.parse(problem)).toContain('--allow-run');
  expect(stderr).toContain(JSON.parse(problem));
});

test.each([
  ['nowhere.json', 'there is no such file or folder'],
  ['suite', 'there is a folder in its place'],
  ['suite/a.toml', 'it is no JSON'],
  ['other.json', 'it is not of the schema passk-report/3'],
  ['cut.json', 'it has another shape'],
  ['record.json', 'it is the record of a release'],
  ['utf16.json', 'it is not UTF-8'],
  // Its mark is no part of it.
  ['marked.json', 'it is not of the schema passk-report/3'],
])('%s cannot be opened: %s', async (file, why) => {
  const cwd = await aProject();
  writeFileSync(path.join(cwd, 'other.json'), '{}');
  writeFileSync(path.join(cwd, 'marked.json'), '\ufeff{}');
  writeFileSync(path.join(cwd, 'utf16.json'), '\ufeff{}', 'utf16le');
  writeFileSync(path.join(cwd, 'record.json'), '{"schema":"passk.evalresult/1"}');
  writeFileSync(path.join(cwd, 'cut.json'), '{"schema":"passk-report/3"}');
  const { status, stderr } = await runPassk(['open', file], { cwd });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining(`The report ${file} cannot be used: ${why}.`),
  });
});
