import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { aFolder, runPassk } from './run-passk.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An installed passk of its own, and a folder with a scenario that waits until something has happened to it. */
function aPlace(nodes: string, after = '') {
  const base = aFolder();
  const installed = path.join(base, 'passk');
  mkdirSync(installed);
  for (const name of ['dist/bin', 'dist/schema', 'dist/web/report.html', 'package.json']) {
    cpSync(path.join(ROOT, name), path.join(installed, name), { recursive: true });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(installed, 'node_modules'));
  const cwd = path.join(base, 'work');
  mkdirSync(cwd);
  writeFileSync(
    path.join(cwd, 'nodes.mjs'),
    `import { existsSync, writeFileSync } from 'node:fs';
export const waits = {
  kind: 'node', type: 'waits', summary: 'Waits.', needs: () => [], labels: () => [],
  create: () => ({ reads: [], begin() {
    writeFileSync('waiting', '');
    while (!existsSync('changed'));
    ${after}
    return { kind: 'done', output: null };
  } }),
};`,
  );
  const start = 'start_nodes = [{ name = "main", source = "manual", entry_node = "waits" }]';
  writeFileSync(
    path.join(cwd, 'a.toml'),
    `name = "a"\ntrials = 40\n[workflow]\ninline = '''\nname = "w"\n${start}\n${nodes}\n'''\n[expected]\nstatus = "completed"\n`,
  );
  return {
    cwd,
    installed,
    /** Runs it; `change` is called once a trial waits, and the trial goes on after it. */
    run: (flags: readonly string[], change: () => void) =>
      runPassk(['a.toml', '--plugin', './nodes.mjs', '--workers', '1', ...flags], {
        cwd,
        command: path.join(installed, 'dist/bin/passk.cjs'),
        meanwhile: () => {
          const timer = setInterval(() => {
            if (!existsSync(path.join(cwd, 'waiting'))) return;
            clearInterval(timer);
            change();
            writeFileSync(path.join(cwd, 'changed'), '');
          }, 10);
        },
      }),
  };
}

const WAITS = 'nodes = [{ id = "waits", type = "waits" }]';

test('a run whose package is removed ends as if it were there: reports and requests have what they need', async () => {
  const server = createServer((_request, response) => response.end('fine'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const place = aPlace(
    `nodes = [
  { id = "waits", type = "waits" },
  { id = "text", type = "template_render", template = "${url}", input_from = "trigger" },
  { id = "get", type = "http_request", method = "GET", url_from = "text.rendered" },
]
edges = [{ from = "waits", to = "text" }, { from = "text", to = "get" }]`,
  );
  const reports = ['text', 'json', 'reference-json', 'ndjson', 'junit', 'tap', 'markdown', 'html', 'github'];
  const flags = ['--allow-net=127.0.0.1', ...reports.flatMap((name) => ['-r', `${name}:${name}.out`])];
  const { status, stderr } = await place.run(flags, () => rmSync(place.installed, { recursive: true }));
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(place.cwd).filter((name) => name.endsWith('.out'))).toHaveLength(reports.length);
  expect(readFileSync(path.join(place.cwd, 'html.out'), 'utf8')).toContain('</html>');
});

test.each(['thread', 'process'])('a worker that has to be started anew says what is gone: %s', async (isolation) => {
  const place = aPlace(WAITS, 'process.exit(1)');
  const { status, stdout, stderr } = await place.run(['--isolation', isolation], () =>
    rmSync(place.installed, { recursive: true }),
  );
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    /^passk: Workers cannot be started: their file \S+load-trial-\w+\.cjs is gone, as when passk is installed anew while it runs\./m,
  );
  expect(stderr).not.toContain('internal error');
});

test.each(['thread', 'process'])('results of two versions never stand in one report: %s', async (isolation) => {
  const place = aPlace(WAITS, 'process.exit(1)');
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
  const { status, stdout, stderr } = await place.run(['--isolation', isolation], () => {
    for (const script of ['thread.cjs', 'process.cjs']) {
      const file = path.join(place.installed, 'dist/bin', script);
      writeFileSync(file, readFileSync(file, 'latin1').replaceAll(`"${version}"`, '"100.0.0"'), 'latin1');
    }
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(
    `Workers cannot be started: they are of passk 100.0.0, the run of ${version}, as when passk is installed anew while it runs.`,
  );
});
