import { NOTHING } from '../effects/granted/a-disk.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { OpenRunner, RunnerStart } from '../../src/plugin/runner-type.ts';
import { builtinRunners } from '../../src/runners/builtin.ts';
import type { JsonObject } from '../../src/types/json.ts';
import type { ModelAnswer, ModelQuestion } from '../../src/types/model-test.ts';

export const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));

export function aStart(given: Partial<RunnerStart> = {}): RunnerStart {
  return {
    plugin: 'fake',
    runtime: 'js',
    entry: null,
    command: [process.execPath],
    executor: null,
    spec: path.join(FIXTURES, 'model-conformance.yaml'),
    cwd: FIXTURES,
    url: null,
    models: ['fake/one'],
    env: {},
    permissions: { ...NOTHING, run: true },
    startupTimeoutMs: 60_000,
    healthTimeoutMs: 3000,
    signal: new AbortController().signal,
    scrub: (text) => text,
    log: () => undefined,
    ...given,
  };
}

/** For what another process prints beside its answer, on a machine that has much to do. */
export const PATIENCE = { timeout: 30_000 } as const;

/** A folder of the test's own, or of who removes it by `atEnd`. */
export function aFolder(atEnd: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-runner-'));
  atEnd(() => rmSync(folder, { recursive: true }));
  return folder;
}

export interface TestedRunner extends OpenRunner {
  /** What its processes printed until now. */
  readonly printed: readonly string[];
  /** One question that says this to the model. */
  say(text: string, given?: Partial<ModelQuestion>, signal?: AbortSignal): Promise<ModelAnswer>;
}

/** A runner of passk that is closed when the test is over. */
export async function aRunner(type: string, given: Partial<RunnerStart> = {}): Promise<TestedRunner> {
  const runner = await openRunner(type, given);
  onTestFinished(() => runner.close());
  return runner;
}

/** A runner of passk that its caller closes. */
export async function openRunner(type: string, given: Partial<RunnerStart> = {}): Promise<TestedRunner> {
  const runner = builtinRunners.find((one) => one.type === type);
  if (runner === undefined) throw new Error(`There is no runner ${type}.`);
  const printed: string[] = [];
  const open = await runner.open(aStart({ log: (line) => printed.push(line), ...given }));
  return {
    get atOnce() {
      return open.atOnce;
    },
    printed,
    close: () => open.close(),
    ask: (question, signal) => open.ask(question, signal),
    say: (text, question, signal = new AbortController().signal) =>
      open.ask(
        { model: 'fake/one', input: said(text), stream: false, validators: [], timeoutMs: 30_000, ...question },
        signal,
      ),
  };
}

export function said(text: string): JsonObject {
  return { messages: [{ role: 'user', content: [{ text }] }] };
}

/** What was answered, as text; null: nothing was. */
export function textOf(answer: ModelAnswer): string | null {
  if (answer.kind !== 'answer') return null;
  const response = answer.response as {
    readonly message?: { readonly content?: readonly { readonly text?: string }[] };
  };
  return (response.message?.content ?? []).map(({ text = '' }) => text).join('');
}

/** The texts of the pieces that came. */
export function piecesOf({ chunks }: ModelAnswer): readonly string[] | null {
  if (chunks === null) return null;
  return chunks.map(({ chunk }) => {
    const { content } = chunk as { readonly content: readonly { readonly text?: string }[] };
    return content.map(({ text = '' }) => text).join('');
  });
}
