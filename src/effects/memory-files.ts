import type { Answer, FileRequest } from '../plugin/request.ts';
import { BoundedMemo } from '../policy/bounded-memo.ts';
import { errorAnswer, keptAnswer, valueAnswer } from './answers.ts';
import { canonicalPath, isInside } from '../policy/canonical-path.ts';
import { visibleText } from '../text/visible-text.ts';
import type { Json } from '../types/json.ts';
import { type BaseFiles, type FileNode, FOLDER, parentPath } from './base-files.ts';
import { OS_ERROR } from './os-error.ts';
import { countWork } from '../values/work.ts';
import type { WorldLimits } from './world-limits.ts';
import type { WorldPaths } from './world-paths.ts';
import { WriteSpace } from './write-space.ts';

/** What all trials share: the declared files and the answers that never change. */
export interface SharedFiles {
  readonly base: BaseFiles;
  readonly paths: WorldPaths;
  readonly limits: WorldLimits;
  /** Bytes a run may write by its `[budget]`; Infinity: no budget. */
  readonly budgetBytes: number;
  /** Answers to reads of declared files, by path. */
  readonly declared: BoundedMemo<Answer>;
  /** Other answers that come again, by operation, path and what else they say. */
  readonly answers: BoundedMemo<Answer>;
}

/** The files of one trial at a time: declared ones below, written ones above. */
export class MemoryFiles {
  /** Writes to disk count here as well. */
  readonly space: WriteSpace;
  private readonly shared: SharedFiles;
  private readonly written = new Map<string, FileNode>();
  private readonly onDisk = new Map<string, FileNode>();

  constructor(shared: SharedFiles) {
    this.shared = shared;
    this.space = new WriteSpace(shared.limits, shared.budgetBytes);
  }

  /** Forgets what the trial wrote. */
  reset(): void {
    if (this.written.size > 0) this.written.clear();
    if (this.onDisk.size > 0) this.onDisk.clear();
    this.space.reset();
  }

  answer(request: FileRequest): Answer {
    switch (request.op) {
      case 'read':
        return this.read(request.path);
      case 'write':
        return this.write(request.path, request.content ?? '');
      case 'mkdir':
        return this.makeFolder(request.path);
    }
  }

  /** What stands at a path now, or was put there on disk by the trial; null: nothing. */
  find(path: string): FileNode | null {
    const located = this.shared.paths.locate(path);
    return located.error === null ? (this.node(located.path) ?? this.diskNode(located.path)) : null;
  }

  /** The trial has put this on disk; no content: a folder. Requests are not answered from it. */
  noteOnDisk(path: string, content: string | null): void {
    const located = this.shared.paths.locate(path);
    if (located.error !== null) return;
    const node = content === null ? FOLDER : ({ kind: 'file', content, bytes: Buffer.byteLength(content) } as const);
    this.onDisk.set(located.path, node);
  }

  /** True: a file of the memory stands there, or a declared link is on the way. */
  holds(path: string): boolean {
    const located = this.shared.paths.locate(path);
    if (located.error !== null) return false;
    return this.node(located.path)?.kind === 'file' || located.path !== canonicalPath(path);
  }

  private read(path: string): Answer {
    const located = this.shared.paths.locate(path);
    const node = located.error === null ? this.node(located.path) : null;
    const error = located.error ?? this.readError(path, located.path, node);
    if (node === null || error !== null) {
      const text = error ?? OS_ERROR.notFound;
      return this.keep(`error ${text} ${path}`, () => fail(`read ${visibleText(path)}: ${text}`));
    }
    const { content, bytes } = node;
    if (this.shared.base.nodes.get(located.path) !== node) {
      return this.keep(`read ${path.length} ${path}${content}`, () => give({ path, content, bytes }));
    }
    const hit = this.shared.declared.get(path);
    return hit ?? this.shared.declared.set(path, keptAnswer(give({ path, content, bytes })));
  }

  private write(path: string, content: string): Answer {
    const bytes = Buffer.byteLength(content);
    countWork(bytes >> 2);
    const noSpace = this.space.claim(path, bytes);
    if (noSpace !== null) return fail(noSpace);
    const error = this.tryWrite(path, { kind: 'file', content, bytes });
    if (error !== null) {
      this.space.release(bytes);
      return fail(error);
    }
    return this.keep(`write ${bytes} ${path}`, () => give({ path, bytes, written: true }));
  }

  private makeFolder(path: string): Answer {
    const located = this.shared.paths.locate(path);
    const error = located.error ?? this.makeFolders(located.path);
    if (error !== null) return fail(`mkdir_p ${visibleText(path)}: ${error}`);
    return this.keep(`mkdir ${path}`, () => give({ path, created: true }));
  }

  private tryWrite(path: string, file: FileNode): string | null {
    const located = this.shared.paths.locate(path);
    if (located.error !== null) return `write ${visibleText(path)}: ${located.error}`;
    const parent = parentPath(located.path);
    const folderError = parent === null ? null : this.makeFolders(parent);
    if (folderError !== null) return `mkdir_p ${visibleText(parentText(path))}: ${folderError}`;
    if (path.endsWith('/') || this.node(located.path)?.kind === 'dir')
      return `write ${visibleText(path)}: ${OS_ERROR.isADirectory}`;
    const isFull = this.isFull(located.path);
    if (isFull !== null) return `write ${visibleText(path)}: ${isFull}`;
    this.written.set(located.path, file);
    return null;
  }

  private makeFolders(path: string): string | null {
    let existing: string | null = path;
    const missing: string[] = [];
    while (existing !== null && this.node(existing) === null) {
      missing.push(existing);
      existing = parentPath(existing);
    }
    if (existing !== null && this.node(existing)?.kind === 'file') {
      return missing.length === 0 ? OS_ERROR.exists : OS_ERROR.notADirectory;
    }
    for (const folder of missing) {
      const isFull = this.isFull(folder);
      if (isFull !== null) return isFull;
      this.written.set(folder, FOLDER);
    }
    return null;
  }

  private isFull(path: string): string | null {
    const { entries } = this.shared.limits;
    if (this.written.size < entries || this.written.has(path)) return null;
    return `one trial may make at most ${entries} files and folders`;
  }

  private readError(requestPath: string, path: string, node: FileNode | null): string | null {
    if (node === null) return this.isBelowFile(path) ? OS_ERROR.notADirectory : OS_ERROR.notFound;
    if (node.kind === 'dir') return OS_ERROR.isADirectory;
    return requestPath.endsWith('/') ? OS_ERROR.notADirectory : null;
  }

  private isBelowFile(path: string): boolean {
    for (let folder = parentPath(path); folder !== null; folder = parentPath(folder)) {
      const node = this.node(folder);
      if (node !== null) return node.kind === 'file';
    }
    return false;
  }

  private diskNode(path: string): FileNode | null {
    if (this.onDisk.size === 0) return null;
    const noted = this.onDisk.get(path);
    if (noted !== undefined) return noted;
    return [...this.onDisk.keys()].some((one) => isInside(path, one)) ? FOLDER : null;
  }

  private node(path: string): FileNode | null {
    const written = this.written.size === 0 ? undefined : this.written.get(path);
    return written ?? this.shared.base.nodes.get(path) ?? null;
  }

  // Only what is really kept is frozen: a driver keeps what follows from frozen answers, and unique ones are not worth it.
  private keep(key: string, make: () => Answer): Answer {
    const hit = this.shared.answers.get(key);
    if (hit !== undefined) return hit;
    const answer = make();
    return BoundedMemo.keeps(key) ? this.shared.answers.set(key, keptAnswer(answer)) : answer;
  }
}

function give(output: Json): Answer {
  return valueAnswer(output, 'memory');
}

function fail(message: string): Answer {
  return errorAnswer(message, 'memory');
}

/** What `mkdir_p` shows: the folder part of the path as it was given. */
export function parentText(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  return trimmed.slice(0, Math.max(trimmed.lastIndexOf('/'), 0)) || '/';
}
