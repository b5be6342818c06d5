import path from 'node:path';
import type { RunnerStart } from '../../plugin/runner-type.ts';
import { visibleText } from '../../text/visible-text.ts';
import { EntryProgram } from '../entry-program.ts';
import type { EntryServer } from '../entry-runner.ts';
import { ReflectionHttp } from './reflection-http.ts';
import { removeRuntimeFile, type RuntimeFile, RuntimeFiles } from './runtime-files.ts';

/** Programs that begin at once may choose the same port. */
const STARTS = 5;

/** Starts an entry and finds the reflection server that it opens. Rejects with a sentence when it does not come up in time. */
export async function startReflection(start: RunnerStart, signal: AbortSignal): Promise<EntryServer> {
  for (let tried = 1; ; tried++) {
    const files = new RuntimeFiles([start.cwd, path.dirname(start.entry ?? start.cwd)]);
    const program = new EntryProgram(start);
    try {
      return await comeUp(program, files, { start, signal });
    } catch (error) {
      await program.end();
      signal.throwIfAborted();
      if (tried === STARTS || !program.lostItsPort) throw error;
    }
  }
}

interface Starting {
  readonly start: RunnerStart;
  readonly signal: AbortSignal;
}

async function comeUp(program: EntryProgram, files: RuntimeFiles, { start, signal }: Starting): Promise<EntryServer> {
  const isOurs = ({ id, pid }: RuntimeFile): boolean => id === program.id || (pid !== null && program.has(pid));
  await program.started();
  let file = files.find(isOurs);
  while (file === null) {
    await program.wait('opened no reflection server', signal);
    file = files.find(isOurs);
  }
  const runtimeFile = file;
  const { url, grant } = ownAddress(runtimeFile.url);
  const http = await ReflectionHttp.open(url, [grant], start.env['GENKIT_REFLECTION_SECRET_TOKEN']);
  try {
    while (!(await http.isWell(start.healthTimeoutMs, signal))) {
      await program.wait('has a reflection server that is not healthy', signal);
    }
  } catch (error) {
    await http.close();
    await program.end();
    removeRuntimeFile(runtimeFile);
    throw error;
  }
  return {
    get isOver() {
      return program.isOver;
    },
    run: (asking, question, until) => http.run(asking, question, until),
    isWell: (timeoutMs, until) => http.isWell(timeoutMs, until),
    whyOver: () => program.whyOver(),
    end: async () => {
      await http.close();
      await program.end();
      removeRuntimeFile(runtimeFile);
    },
  };
}

/** Where a child says that its server is, which must be on this machine. */
function ownAddress(url: string): { readonly url: string; readonly grant: string } {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  // Who listens everywhere listens here.
  if (parsed?.hostname === '0.0.0.0' || parsed?.hostname === '[::]') parsed.hostname = '127.0.0.1';
  const isHere = parsed !== null && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(parsed.hostname);
  if (!isHere)
    throw new Error(`The entry names ${visibleText(url)} as its reflection server, which is not on this machine.`);
  return { url: parsed.href, grant: parsed.host };
}
