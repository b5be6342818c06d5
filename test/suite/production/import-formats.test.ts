import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importTraces, type ImportReport, isSampled, type PasskError, runSuite } from '../../../src/index.ts';
import { cell } from '../../importers/sources/agentdojo.ts';
import { TRAJECTORY } from '../../importers/sources/atif.ts';
import { testCase, testRun } from '../../importers/sources/deepeval.ts';
import { jobFiles, trialResult } from '../../importers/sources/harbor.ts';
import { heliconeSession } from '../../importers/sources/helicone.ts';
import { evalLog, jsonLog } from '../../importers/sources/inspect.ts';
import { langfuseTrace } from '../../importers/sources/langfuse.ts';
import { jsonLines, langsmithTrace } from '../../importers/sources/langsmith.ts';
import { evaluation, row } from '../../importers/sources/promptfoo.ts';
import { results, simulation } from '../../importers/sources/tau2.ts';
import { zipOf } from '../../importers/sources/zip.ts';
import { aFolder } from '../../cli/run-passk.ts';

const TRACES = fileURLToPath(new URL('../../../../shared/reference/traces', import.meta.url));

const MESSAGES = [
  { role: 'user', content: 'Hello.' },
  { role: 'assistant', content: 'Hi.' },
];

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'agentdojo.json': JSON.stringify(cell()),
  'atif.json': JSON.stringify(TRAJECTORY),
  'deepeval.json': testRun([testCase()]),
  'deepeval.zip': zipOf([{ name: 'deepeval.json', content: testRun([testCase()]) }]),
  'helicone.jsonl': jsonLines(heliconeSession(1)),
  'inspect.json': jsonLog(),
  'inspect.eval': evalLog(),
  'junit.xml': '<testsuite name="s"><testcase classname="c" name="one"/></testsuite>',
  'langfuse.json': JSON.stringify(langfuseTrace(1)),
  'langsmith.jsonl': jsonLines(langsmithTrace(1)),
  'messages.json': JSON.stringify(MESSAGES),
  'messages.jsonl': jsonLines([{ id: 'one', task: 'hello', passed: true, messages: MESSAGES }]),
  'promptfoo.json': evaluation([row()]),
  'table.csv': 'task,passed\none,true\n',
  'tau2.json': JSON.stringify({ ...results(), simulations: [simulation({ id: 'a' })] }),
};

const CONSENT = '[consent]\npolicy = "p"\nbasis = "contract"\nat = "2026-05-01"\ncovers = "every trace"\n';

/** A folder with all of them. */
function aFolderOfExports(): string {
  const cwd = aFolder();
  const files = { ...FILES, 'consent.toml': CONSENT };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(cwd, name), bytes);
  for (const [name, bytes] of Object.entries(jobFiles({ a: trialResult() }))) {
    mkdirSync(path.join(cwd, 'harbor', path.dirname(name)), { recursive: true });
    writeFileSync(path.join(cwd, 'harbor', name), bytes);
  }
  return cwd;
}

function imported(cwd: string, file: string, out: string): Promise<ImportReport> {
  return importTraces({ recordings: [file], out, consent: 'consent.toml', key: 'sixteen characters', cwd });
}

/** What became of the traces of a file, in words. */
function told({ traces, imported: count, refused }: ImportReport): string {
  const reasons = refused.map(({ reason, count: times }) => `${reason} ${times}`);
  return [`${count} of ${traces}`, ...reasons].join(', ');
}

test('each format that is read becomes sessions that run, or is refused by the name of what it lacks', async () => {
  const cwd = aFolderOfExports();
  const found: Record<string, string> = {};
  for (const file of [...Object.keys(FILES), 'harbor']) {
    const out = `from-${file}`;
    found[file] = await imported(cwd, file, out).then(told, (error: PasskError) =>
      error.issues.map(({ message }) => message).join(' '),
    );
  }
  expect(found).toMatchInlineSnapshot(`
    {
      "agentdojo.json": "0 of 2, no_id 2",
      "atif.json": "0 of 1, not_text 1",
      "deepeval.json": "0 of 1, no_id 1",
      "deepeval.zip": ""deepeval.zip" is of no format that passk reads.",
      "harbor": "0 of 1, not_text 1",
      "helicone.jsonl": "1 of 1",
      "inspect.eval": "0 of 4, unreadable 1, no_id 3",
      "inspect.json": "0 of 4, unreadable 1, no_id 3",
      "junit.xml": "0 of 1, no_id 1",
      "langfuse.json": "1 of 1",
      "langsmith.jsonl": "1 of 1",
      "messages.json": ""messages.json" is of no format that passk reads.",
      "messages.jsonl": "1 of 1",
      "promptfoo.json": "1 of 1",
      "table.csv": "0 of 1, no_id 1",
      "tau2.json": "0 of 1, begins_with_agent 1",
    }
  `);
}, 120_000);

test('what was imported of a format runs as it was recorded, and is not imported twice', async () => {
  const cwd = aFolderOfExports();
  const files = ['helicone.jsonl', 'langfuse.json', 'langsmith.jsonl', 'messages.jsonl', 'promptfoo.json'];
  const counts = async () => {
    const found: (readonly [file: string, added: number, present: number, wrote: boolean])[] = [];
    for (const file of files) {
      const { imported: added, present, files: written } = await imported(cwd, file, 'sessions');
      found.push([file, added, present, written.length > 0]);
    }
    return found;
  };
  expect(await counts()).toEqual(files.map((file) => [file, 1, 0, true]));
  expect(await counts()).toEqual(files.map((file) => [file, 0, 1, false]));
  const { scenarios } = await runSuite({ paths: ['sessions'], cwd, workers: 0, trials: 2 });
  expect(scenarios.filter(isSampled).map(({ trials, replayMisses }) => [trials.passed, replayMisses])).toEqual(
    files.map(() => [2, undefined]),
  );
}, 120_000);

test.skipIf(!existsSync(TRACES))(
  'published runs are imported, or refused by the name of what they lack',
  async () => {
    const cwd = aFolderOfExports();
    const found: Record<string, string> = {};
    for (const file of [
      'tau-bench/gpt-4o-airline-4-tasks.json',
      'inspect/log_formats.json',
      'inspect/log_formats.eval',
    ]) {
      found[file] = told(await imported(cwd, path.join(TRACES, file), `from-${path.basename(file)}`));
    }
    expect(found).toMatchInlineSnapshot(`
    {
      "inspect/log_formats.eval": "0 of 1, no_id 1",
      "inspect/log_formats.json": "0 of 1, no_id 1",
      "tau-bench/gpt-4o-airline-4-tasks.json": "0 of 16, no_id 16",
    }
  `);
  },
  120_000,
);
