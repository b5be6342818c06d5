/**
 * What a policy may be asked: the part of a request that decides. Every request of a port fits; ports without a
 * policy family are always allowed.
 */
export type PolicyQuestion =
  | FileQuestion
  | EnvQuestion
  | HttpQuestion
  | ProcessQuestion
  | McpQuestion
  | { readonly port: 'client' | 'model' | 'children' | 'host' };

export interface FileQuestion {
  readonly port: 'file';
  readonly op: 'read' | 'write' | 'mkdir';
  readonly as: string;
  readonly path: string;
}

export interface EnvQuestion {
  readonly port: 'env';
  readonly key: string;
}

export interface HttpQuestion {
  readonly port: 'http';
  readonly method: string;
  readonly url: string;
}

export interface ProcessQuestion {
  readonly port: 'process';
  readonly command: string;
}

export interface McpQuestion {
  readonly port: 'mcp';
  readonly op: 'tool' | 'resource';
  readonly server: string | null;
  readonly target: string;
}

/** The canonical path behind a path, links followed. */
export type ResolvePath = (path: string) => string;
