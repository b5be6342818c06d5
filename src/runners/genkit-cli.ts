import { existsSync } from 'node:fs';
import path from 'node:path';
import { inOwnFolder, sweepLeftovers } from '../effects/granted/own-folder.ts';
import { runProgram } from '../effects/granted/run-program.ts';
import { TextTail } from '../effects/granted/text-tail.ts';
import type { RunnerStart } from '../plugin/runner-type.ts';
import { commandProblems, findRunner, runnerEnv } from './start-program.ts';

/** What `genkit dev:test-model` says of one test. */
export interface CliVerdict {
  readonly model: string;
  /** As Genkit displays it. */
  readonly name: string;
  /** Why it failed, in the words of Genkit; null: it passed. */
  readonly failure: string | null;
}

export interface GenkitCliOptions {
  /** From the start to the last test. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What is not granted or not there, as sentences; []: nothing. */
export function genkitCliProblems(start: RunnerStart): readonly string[] {
  const found = findRunner(genkitOf(start), start);
  return [...(found.kind === 'refused' ? [found.text] : []), ...commandProblems(start, start.entry, 'entry')];
}

/**
 * Runs a whole spec file with Genkit's own command, which judges the answers itself: so it gives verdicts, where runners give
 * answers. Rejects with a sentence where it has run no test, or says something else of the tests than of their number: it exits
 * with 0 after it has run nothing.
 */
export async function runGenkitCli(
  start: RunnerStart,
  { timeoutMs, signal }: GenkitCliOptions,
): Promise<readonly CliVerdict[]> {
  const found = findRunner(genkitOf(start), start);
  if (found.kind === 'refused') throw new Error(found.text);
  const { spec, command, entry, cwd } = start;
  await sweepLeftovers();
  const end = await inOwnFolder((folder) =>
    runProgram({
      ...found.program,
      args: ['dev:test-model', '--non-interactive', '--from-file', spec, '--', ...command, entry ?? ''],
      folder,
      cwd,
      env: runnerEnv(start),
      timeoutMs,
      ends: [signal],
    }),
  );
  signal.throwIfAborted();
  const text = end.stdout.toString('utf8') + end.stderr.toString('utf8');
  if (end.cut === 'time') throw new Error(`genkit did not end within ${timeoutMs} ms${lastLines(text)}.`);
  if (end.cut === 'output') throw new Error(`genkit printed more than can be read${lastLines(text)}.`);
  const verdicts = readCliOutput(text);
  if (typeof verdicts === 'string') throw new Error(`genkit ${verdicts}${lastLines(text)}.`);
  return verdicts;
}

/** Where it is installed with the project, that one. */
function genkitOf({ cwd }: RunnerStart): string {
  const local = path.join(cwd, 'node_modules', '.bin', 'genkit');
  return existsSync(local) ? local : 'genkit';
}

/** The verdicts in what the command prints; a text that completes "genkit …" where they are not to be trusted. */
export function readCliOutput(text: string): readonly CliVerdict[] | string {
  const verdicts: CliVerdict[] = [];
  let model = '';
  let counts: RegExpExecArray | null = null;
  for (const line of text.replaceAll(COLOURS, '').split(/\r?\n/)) {
    model = /Testing model: (.+)$/.exec(line)?.[1] ?? model;
    const passed = /✅ Passed: (.+)$/.exec(line)?.[1];
    const [, failed, why = ''] = /❌ Failed: (.+?)(?: - (.*))?$/.exec(line) ?? [];
    if (passed !== undefined) verdicts.push({ model, name: passed, failure: null });
    else if (failed !== undefined) verdicts.push({ model, name: failed, failure: why });
    counts = /Tests Completed: (\d+) Passed, (\d+) Failed/.exec(line) ?? counts;
  }
  if (counts === null) return 'did not say that its tests are completed';
  const [passes, failures] = [Number(counts[1]), Number(counts[2])];
  if (passes + failures === 0) return 'ran no test';
  const seen = verdicts.filter(({ failure }) => failure === null).length;
  if (seen === passes && verdicts.length - seen === failures) return verdicts;
  return `counted ${passes} passed and ${failures} failed tests, and named ${seen} and ${verdicts.length - seen}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const COLOURS = /\u001b\[[0-9;]*m/g;

function lastLines(text: string): string {
  const tail = new TextTail();
  tail.add(Buffer.from(text));
  const lines = tail.text((line) => line);
  return lines === '' ? '' : `; its last lines: ${lines}`;
}
