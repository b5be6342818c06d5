import type { Answer, EnvRequest, FileRequest, HttpRequest, McpRequest, ProcessRequest } from '../plugin/request.ts';
import { MemoryFiles, type SharedFiles } from './memory-files.ts';

/** What a world can be asked for. */
export type WorldRequest = FileRequest | EnvRequest | HttpRequest | ProcessRequest | McpRequest;

/** The outside world of one trial at a time, in memory. */
export interface TrialWorld {
  /** What would have happened. Answers that do not depend on the trial are the same frozen object each time. */
  answer(request: WorldRequest): Answer;
  /** The canonical path behind a path, links followed: what a policy judges. */
  resolve(path: string): string;
  /** What stands at a path now; null: nothing. */
  file(path: string): { readonly kind: 'file' | 'dir'; readonly content: string } | null;
  /** Forgets what the trial did. Costs nothing when it did nothing. */
  reset(): void;
}

/** What all trials of a program share. */
export interface WorldParts {
  readonly files: SharedFiles;
  readonly env: (request: EnvRequest) => Answer;
  readonly http: (request: HttpRequest) => Answer;
  readonly process: (request: ProcessRequest) => Answer;
  readonly mcp: (request: McpRequest) => Answer;
}

/** Opens a world: cheap, and reusable for any number of trials, one after the other. */
export function openTrialWorld(parts: WorldParts): TrialWorld {
  const files = new MemoryFiles(parts.files);
  return {
    answer: (request) => {
      switch (request.port) {
        case 'file':
          return files.answer(request);
        case 'env':
          return parts.env(request);
        case 'http':
          return parts.http(request);
        case 'process':
          return parts.process(request);
        case 'mcp':
          return parts.mcp(request);
      }
    },
    resolve: (path) => parts.files.paths.locate(path).path,
    file: (path) => files.find(path),
    reset: () => files.reset(),
  };
}
