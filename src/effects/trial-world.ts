import type { Answer, ClientRequest, EnvRequest, FileRequest, HttpRequest, ProcessRequest } from '../plugin/request.ts';
import type { McpRequest } from '../plugin/mcp-request.ts';
import { MemoryFiles, type SharedFiles } from './memory-files.ts';
import { type MockSlots, MockUses } from './mock-uses.ts';
import type { WriteSpace } from './write-space.ts';

/** What a world can be asked for. */
export type WorldRequest = FileRequest | EnvRequest | HttpRequest | ProcessRequest | McpRequest;

/** What a check sees at a path; a folder has no content. */
export interface SeenFile {
  readonly kind: 'file' | 'dir';
  readonly content: string;
}

/** The outside world of one trial at a time, in memory. */
export interface TrialWorld {
  /** What would have happened. Answers that do not depend on the trial are the same frozen object each time. */
  answer(request: WorldRequest): Answer;
  /** What the user of the subject answers to a server of MCP, and which tools mocks answer for. */
  answerClient(request: ClientRequest): Answer;
  /** True: declared, or put there by the trial, so that no granted effect takes its place. Mocks say it by answering. */
  holds(request: FileRequest | EnvRequest): boolean;
  /** The canonical path behind a path, links followed: what a policy judges. */
  resolve(path: string): string;
  /** What stands at a path now, or was put there on disk by the trial; null: nothing. */
  file(path: string): SeenFile | null;
  /** A granted effect has put this on disk for the trial; no content: a folder. */
  noteOnDisk(path: string, content: string | null): void;
  /** What the trial may still write, also where a granted effect writes it. */
  readonly space: WriteSpace;
  /** Forgets what the trial did. Costs nothing when it did nothing. */
  reset(): void;
}

/** What all trials of a program share. */
export interface WorldParts {
  readonly files: SharedFiles;
  readonly env: (request: EnvRequest) => Answer;
  readonly declaredEnv: ReadonlySet<string>;
  readonly http: (request: HttpRequest, uses: MockUses) => Answer;
  readonly process: (request: ProcessRequest, uses: MockUses) => Answer;
  readonly mcp: (request: McpRequest, uses: MockUses) => Answer;
  readonly client: (request: ClientRequest, uses: MockUses) => Answer;
  readonly slots: MockSlots;
}

/** A world for any number of trials, one after the other. It is opened when a trial first asks it for something. */
export function openTrialWorld(parts: () => WorldParts): TrialWorld {
  return new OpenedWorld(parts);
}

class OpenedWorld implements TrialWorld {
  private readonly parts: () => WorldParts;
  private opened: OpenParts | null = null;

  constructor(parts: () => WorldParts) {
    this.parts = parts;
  }

  answer(request: WorldRequest): Answer {
    const { parts, files, uses } = this.open();
    switch (request.port) {
      case 'file':
        return files.answer(request);
      case 'env':
        return parts.env(request);
      case 'http':
        return parts.http(request, uses);
      case 'process':
        return parts.process(request, uses);
      case 'mcp':
        return parts.mcp(request, uses);
    }
  }

  answerClient(request: ClientRequest): Answer {
    const { parts, uses } = this.open();
    return parts.client(request, uses);
  }

  holds(request: FileRequest | EnvRequest): boolean {
    const { parts, files } = this.open();
    return request.port === 'env' ? parts.declaredEnv.has(request.key) : files.holds(request.path);
  }

  resolve(path: string): string {
    return this.open().parts.files.paths.locate(path).path;
  }

  file(path: string): SeenFile | null {
    return this.open().files.find(path);
  }

  noteOnDisk(path: string, content: string | null): void {
    this.open().files.noteOnDisk(path, content);
  }

  get space(): WriteSpace {
    return this.open().files.space;
  }

  reset(): void {
    this.opened?.files.reset();
    this.opened?.uses.reset();
  }

  private open(): OpenParts {
    if (this.opened === null) {
      const parts = this.parts();
      this.opened = { parts, files: new MemoryFiles(parts.files), uses: new MockUses(parts.slots) };
    }
    return this.opened;
  }
}

interface OpenParts {
  readonly parts: WorldParts;
  readonly files: MemoryFiles;
  readonly uses: MockUses;
}
