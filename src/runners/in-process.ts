import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { refuseProgram } from '../effects/granted/granted-programs.ts';
import { grantsWord } from '../effects/granted-ports.ts';
import type { OpenRunner, RunnerStart } from '../plugin/runner-type.ts';
import { visibleText } from '../text/visible-text.ts';
import type { JsonObject } from '../types/json.ts';
import type { ModelAnswer } from '../types/model-test.ts';
import type { Asking } from './asking.ts';
import { IN_PROCESS_CHILD } from './in-process-child.ts';
import { LinePeer } from './line-peer.ts';
import { PeerRunner } from './peer-runner.ts';
import { runnerEnv } from './start-program.ts';

export function inProcessProblems({ entry, cwd, permissions: { run } }: RunnerStart): readonly string[] {
  if (entry === null) return ['There is no entry module to load.'];
  const shown = visibleText(entry);
  if (!existsSync(entry)) return [`There is no entry module ${shown}.`];
  if (!existsSync(cwd)) return [`There is no folder ${visibleText(cwd)} to run it in.`];
  if (!LOADED.test(entry)) return [`The runner in-process loads JavaScript and TypeScript modules; ${shown} is none.`];
  // Who grants Node grants whatever Node loads.
  const isGranted = grantsWord(run, 'node') || grantsWord(run, entry) || refuseProgram(run, entry) === null;
  if (!isGranted) return [`The module ${shown} needs --allow-run=${shown}.`];
  if (TYPED.test(entry) && loaderOf(entry, cwd) === null) {
    return [`This Node cannot load ${shown}: install tsx beside it, or run a Node that strips types.`];
  }
  return [];
}

/**
 * Asks the module that an entry is, in a process of passk's own Node, so that one that hangs or crashes costs nothing else:
 * through Genkit's `generate` where it exports `ai`, else by its own `generate`.
 */
export async function openInProcess(start: RunnerStart): Promise<OpenRunner> {
  const { entry, cwd, startupTimeoutMs } = start;
  const file = realpathSync(entry ?? '');
  const loader = TYPED.test(file) ? loaderOf(file, cwd) : [];
  const peer = {
    what: 'The entry module',
    program: { file: process.execPath, name: 'node' },
    args: [...(loader ?? []), '--input-type=module', '--eval', IN_PROCESS_CHILD, '--', file],
    cwd,
    env: runnerEnv(start),
    wire: 'channel',
    scrub: start.scrub,
    onLine: start.log,
    startupTimeoutMs,
    cancels: true,
  } as const;
  return PeerRunner.open(start, {
    start: (signal) => LinePeer.open(peer, signal),
    requestOf: ({ model, input, stream }) => ({ model, input, stream }),
    answerIn: moduleAnswer,
  });
}

const LOADED = /\.[cm]?[jt]sx?$/;
const TYPED = /\.(?:[cm]?ts|tsx)$/;

/** The flags that have Node load TypeScript; null: it cannot. */
function loaderOf(file: string, cwd: string): readonly string[] | null {
  if (!file.endsWith('x') && Reflect.get(process.features, 'typescript')) return [];
  for (const place of [file, path.join(cwd, 'package.json')]) {
    try {
      return ['--import', pathToFileURL(createRequire(place).resolve('tsx')).href];
    } catch {
      // It may be found from the next place.
    }
  }
  return null;
}

function moduleAnswer(asking: Asking, { response = null, error, code }: JsonObject): ModelAnswer {
  if (error === undefined) return asking.answer(response);
  const written = typeof code === 'string' || typeof code === 'number' ? code : null;
  return asking.refused({ message: String(error), code: written });
}
