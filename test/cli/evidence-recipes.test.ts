import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { aSample, HEADER, jsonLog } from '../importers/sources/inspect.ts';
import { tracesText } from '../importers/sources/otlp.ts';
import { tauText } from '../suite/recordings/tau-runs.ts';
import { aFolder, type Ended, runPassk } from './run-passk.ts';

const DOCUMENT = readFileSync(new URL('../../docs/evidence.md', import.meta.url), 'utf8');

/** Two attempts at each of two tasks, of which one is hit and miss. */
const ATTEMPTS = [
  ['a', 1, true],
  ['a', 2, true],
  ['b', 1, true],
  ['b', 2, false],
] as const;

/** What the recipes of the document are given, by the names that it uses. */
const FILES: Readonly<Record<string, string>> = {
  'logs/sums.json': jsonLog(
    ATTEMPTS.map(([id, epoch, right]) => aSample(id, epoch, { scores: { exact: { value: right ? 'C' : 'I' } } })),
    HEADER,
  ),
  'results.json': tauText(
    [1, 1, 1, 4].flatMap((successes, task) =>
      [0, 1, 2, 3].map((trial) => ({ task, trial, reward: trial < successes ? 1 : 0 })),
    ),
  ),
  'dump/spans.jsonl': tracesText(
    ...ATTEMPTS.map(([task, attempt, right]) => ({
      trace: `${task}${attempt}`,
      id: 'agent',
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'app.ticket': task, 'app.resolved': right },
    })),
  ),
  ...Object.fromEntries(
    [1, 2, 3].map((run) => [
      `runs/${run}.xml`,
      `<testsuites><testsuite name="s"><testcase classname="c" name="steady"/><testcase classname="c" name="flaky">${
        run === 2 ? '<failure message="no"/>' : ''
      }</testcase></testsuite></testsuites>`,
    ]),
  ),
};

const [, section = ''] = DOCUMENT.split('\n## To a gated report in three commands\n');
const RECIPES = [...(section.split('\n## ')[0] ?? '').matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) =>
  block.trim().split('\n'),
);

test('there is a recipe for each of the four', () => {
  expect(RECIPES.map((commands) => commands.length)).toEqual([3, 3, 3, 3]);
});

test.each([
  // Source, exit codes, and pass^k of the greatest k.
  ['logs', 0, [0, 1, 1], 'pass^2 0.50'],
  ['results.json', 1, [0, 3, 3], 'pass^4 0.25'],
  ['dump', 2, [0, 1, 1], 'pass^2 0.50'],
  ['runs', 3, [0, 1, 1], 'pass^3 0.50'],
] as const)(
  'the recipe for %s in docs/evidence.md gives a report, a verdict and a page',
  async (name, at, codes, rate) => {
    const cwd = aFolder();
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
      writeFileSync(path.join(cwd, file), text);
    }
    const commands = RECIPES[at] ?? [];
    expect(commands[0]).toMatch(new RegExp(`^passk score ${name}`));
    const ends: Ended[] = [];
    for (const command of commands) {
      const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
      ends.push(await runPassk(words.slice(1), { cwd }));
    }
    expect(ends.map(({ status }) => status)).toEqual(codes);
    expect(ends[0]?.stdout).toContain(rate);
    const [, page = ''] = /html:(\S+)/.exec(commands[2] ?? '') ?? [];
    expect(readFileSync(path.join(cwd, page), 'utf8')).toMatch(/^<!doctype html>/i);
  },
);
