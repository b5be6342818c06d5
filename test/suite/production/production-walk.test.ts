import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { aFolder, runPassk } from '../../cli/run-passk.ts';
import { otlpTraces, traceId } from './otlp-traces.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../../docs/production.md', import.meta.url)), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].map(([, kind = '', text = '']) => ({ kind, text }));

/** The file on the page that begins with its name. */
function fileOnPage(name: string): string {
  const found = BLOCKS.find(({ text }) => text.startsWith(`# ${name}\n`) || text.startsWith(`// ${name}\n`));
  if (found === undefined) throw new Error(`The page has no ${name}.`);
  return found.text;
}

const outcome = (at: number): string =>
  JSON.stringify({
    id: `req-${at}`,
    at: new Date(Date.UTC(2026, 10, 26, 9, 0, at)).toISOString(),
    arm: 'candidate',
    version: '1.4.0',
    passed: true,
    cost_usd: 0.02,
    percent: 0,
  });

test('the commands of docs/production.md lead from a dump of traces to a rehearsed rollout, one after the other', async () => {
  const cwd = aFolder();
  const orders = [0, 1, 2, 3, 4, 5, 6, 7];
  const files: Readonly<Record<string, string>> = {
    'traces.jsonl': otlpTraces(
      orders.map((at) => ({ id: traceId(at), order: `R-${at}`, mail: `user${at}@example.com`, plain: true })),
    ),
    'outcomes.jsonl': Array.from({ length: 400 }, (_, at) => `${outcome(at)}\n`).join(''),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(cwd, name), text);
  for (const name of ['consent.toml', 'canary.toml', 'now.mjs', 'next.mjs', 'now.toml', 'next.toml']) {
    writeFileSync(path.join(cwd, name), fileOnPage(name));
  }
  const commands = BLOCKS.filter(({ kind }) => kind === 'sh walk').flatMap(({ text }) => text.trimEnd().split('\n'));
  expect(commands.length).toBe(9);
  const said: string[] = [];
  for (const line of commands) {
    const [, command = '', code = '0'] = /^passk (.*?)(?:\s+# exit code (\d).*)?$/.exec(line) ?? [];
    const { status, stdout, stderr } = await runPassk(command.split(/\s+/), { cwd });
    expect({ command, status, said: status === Number(code) ? '' : `${stdout}${stderr}` }).toEqual({
      command,
      status: Number(code),
      said: '',
    });
    said.push(stdout);
  }
  expect(said[0]).toMatch(/imported\s+8/);
  const issues = readFileSync(path.join(cwd, 'issues.jsonl'), 'utf8').trimEnd().split('\n');
  // The task is named by the order that the candidate no longer pays back, and by its trace.
  expect(issues.map((line) => [line.includes(traceId(3)), line.includes('example.com')])).toEqual([[true, false]]);
  // Of eight requests the candidate does not pay one back, and it answers all in words of its own.
  expect(said.find((text) => text.startsWith('shadow'))).toMatch(/same answer +0 of 8,[\s\S]*same calls +7 of 8,/);
  expect(said.at(-1)).toMatch(/5 %/);
  rmSync(cwd, { recursive: true, force: true });
});
