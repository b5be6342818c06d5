import path from 'node:path';
import type { Answer, FileRequest } from '../../plugin/request.ts';
import { visibleText } from '../../text/visible-text.ts';
import type { Json } from '../../types/json.ts';
import type { Permissions } from '../../types/permissions.ts';
import { brokenAnswer, deniedAnswer, errorAnswer, valueAnswer } from '../answers.ts';
import type { EffectCall, FileEffect } from '../effect.ts';
import { parentText } from '../memory-files.ts';
import { OS_ERROR } from '../os-error.ts';
import type { SeenFile } from '../trial-world.ts';
import { DEFAULT_LIMITS } from '../world-limits.ts';
import { FileGrants } from './file-grants.ts';
import { openFolder, PathChanged } from './open-folder.ts';
import { isExhaustion, osErrorText } from './os-error-text.ts';
import { holdFile } from './read-held.ts';
import { type RealPath, RealPaths } from './real-paths.ts';
import { NoPlainFile, writeWhole } from './write-whole.ts';

export interface FileFolders {
  /** The real folder behind `${SCENARIO_DIR}`; null: there is none. */
  readonly scenarioDir: string | null;
}

const NO_PLAIN_FILE = 'it is no plain file';
const ATTEMPTS = 16;
const A_FOLDER: SeenFile = Object.freeze({ kind: 'dir', content: '' });

/**
 * Files on disk, in the granted folders and nowhere else. What is used is held open first, found without following a
 * link, and compared with the path that was judged, so that a link put in its place meanwhile leads nowhere.
 */
export function createFileEffect(permissions: Permissions, { scenarioDir }: FileFolders): FileEffect {
  const grants = new FileGrants(permissions);
  const paths = new RealPaths(grants, scenarioDir);
  let isClosed = false;

  const refusal = (request: FileRequest, located = paths.locate(request.path)): string | null => {
    if (located.error !== null || grants.covers(located.path, request.op)) return null;
    const flag = request.op === 'read' ? '--allow-read' : '--allow-write';
    const shown = visibleText(located.path);
    return `${request.as} ${visibleText(request.path)} leads to ${shown}, which needs ${flag}=${shown}.`;
  };

  return {
    covers: (requestPath, op) => {
      const name = paths.name(requestPath);
      return name !== null && grants.covers(name, op);
    },
    resolve: (requestPath) => paths.locate(requestPath).shown,
    look: (requestPath) => {
      const located = paths.locate(requestPath);
      return located.error === null && grants.covers(located.path, 'read') ? look(located.path) : null;
    },
    refusal,
    perform: async (request, call) => {
      if (isClosed) return brokenAnswer(`${request.as} was asked for after the run had ended.`);
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (call.signal.aborted) return stopped(request);
        const located = paths.locate(request.path);
        if (located.error !== null) return fail(`${title(request)}: ${located.error}`);
        const notGranted = refusal(request, located);
        if (notGranted !== null) return brokenAnswer(notGranted);
        const denial = call.recheck({ ...request, path: located.shown });
        if (denial !== null) return deniedAnswer(denial);
        try {
          return await act(request, located, call);
        } catch (error) {
          if (!(error instanceof PathChanged)) return brokenAnswer(`${title(request)}: ${String(error)}`);
        }
      }
      return fail(`${title(request)}: the path changes faster than it can be opened`);
    },
    close: async () => {
      isClosed = true;
    },
  };
}

function act(request: FileRequest, located: RealPath, call: EffectCall): Answer | Promise<Answer> {
  switch (request.op) {
    case 'read':
      return read(request, located);
    case 'write':
      return write(request, located, call);
    case 'mkdir':
      return makeFolders(request, located);
  }
}

function look(canonical: string): SeenFile | null {
  if (canonical === '/') return A_FOLDER;
  try {
    const file = holdFile(canonical);
    try {
      if (file.stats.isDirectory()) return A_FOLDER;
      // What is no plain file is there, but nothing is read from it.
      const content = file.stats.isFile() ? file.read(DEFAULT_LIMITS.valueBytes).toString('utf8') : '';
      return { kind: 'file', content };
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof PathChanged || osErrorText(error) !== null) return null;
    throw error;
  }
}

function read(request: FileRequest, { path: canonical }: RealPath): Answer {
  const limit = DEFAULT_LIMITS.valueBytes;
  return attempt(title(request), () => {
    if (canonical === '/') return OS_ERROR.isADirectory;
    const file = holdFile(canonical);
    try {
      if (file.stats.isDirectory()) return OS_ERROR.isADirectory;
      if (request.path.endsWith('/')) return OS_ERROR.notADirectory;
      if (!file.stats.isFile()) return NO_PLAIN_FILE;
      if (file.stats.size > limit) return tooLarge(file.stats.size, limit);
      const bytes = file.read(limit + 1);
      if (bytes.length > limit) return tooLarge(bytes.length, limit);
      const content = decode(bytes);
      return content === null
        ? 'stream did not contain valid UTF-8'
        : { path: request.path, content, bytes: bytes.length };
    } finally {
      file.close();
    }
  });
}

async function write(request: FileRequest, { path: canonical }: RealPath, call: EffectCall): Promise<Answer> {
  const { path: requestPath, content = '' } = request;
  const bytes = Buffer.byteLength(content);
  const limit = DEFAULT_LIMITS.valueBytes;
  if (bytes > limit) return fail(`${title(request)}: ${tooLarge(bytes, limit)}`);
  const parent = `mkdir_p ${visibleText(parentText(requestPath))}`;
  try {
    const folder = openFolder(path.dirname(canonical), { make: true });
    try {
      if (canonical === '/' || requestPath.endsWith('/')) return fail(`${title(request)}: ${OS_ERROR.isADirectory}`);
      await writeWhole(folder, path.basename(canonical), content, call.signal);
      return give({ path: requestPath, bytes, written: true });
    } catch (error) {
      if (call.signal.aborted) return stopped(request);
      if (!(error instanceof NoPlainFile)) return failed(title(request), error);
      return fail(`${title(request)}: ${error.isFolder ? OS_ERROR.isADirectory : NO_PLAIN_FILE}`);
    } finally {
      folder.close();
    }
  } catch (error) {
    return failed(parent, error);
  }
}

function makeFolders(request: FileRequest, { path: canonical }: RealPath): Answer {
  return attempt(title(request), () => {
    const folder = openFolder(canonical, { make: true });
    try {
      folder.verify();
      return { path: request.path, created: true };
    } finally {
      folder.close();
    }
  });
}

/** The output, or what went wrong after `title`. */
function attempt(title: string, use: () => Json): Answer {
  try {
    const found = use();
    return typeof found === 'string' ? fail(`${title}: ${found}`) : give(found);
  } catch (error) {
    return failed(title, error);
  }
}

/** An error of the operating system is the subject's to handle, unless the machine has run out of something; any other is thrown on. */
function failed(title: string, error: unknown): Answer {
  const text = osErrorText(error);
  if (text === null) throw error;
  if (isExhaustion(error)) return brokenAnswer(`${title}: ${text}.`);
  return fail(`${title}: ${text}`);
}

// Texts of the in-memory files.
function title({ op, path }: FileRequest): string {
  return `${op === 'mkdir' ? 'mkdir_p' : op} ${visibleText(path)}`;
}

function tooLarge(bytes: number, limit: number): string {
  return `${bytes} bytes exceed the limit of ${limit} for one file`;
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function stopped(request: FileRequest): Answer {
  return errorAnswer(`${title(request)}: stopped, the time of the trial is up`, 'effect', 'timeout');
}

function give(output: Json): Answer {
  return valueAnswer(output, 'effect');
}

function fail(message: string): Answer {
  return errorAnswer(message, 'effect');
}
