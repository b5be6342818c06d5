import type { Answer } from '../plugin/request.ts';
import { BoundedMemo } from '../policy/bounded-memo.ts';
import type { SecretSource } from '../types/workflow.ts';
import type { World } from '../types/scenarios/world.ts';
import { layOutFiles } from './base-files.ts';
import { declaredEnv } from './declared-env.ts';
import { mockClient } from './mock-client.ts';
import { mockHttp } from './mock-http.ts';
import { mockMcp } from './mock-mcp.ts';
import { mockProcesses } from './mock-processes.ts';
import { MockSlots } from './mock-uses.ts';
import { openTrialWorld, type TrialWorld, type WorldParts } from './trial-world.ts';
import { DEFAULT_LIMITS, type WorldLimits } from './world-limits.ts';
import { WorldPaths } from './world-paths.ts';

export interface WorldOptions {
  /** Names of the workflow's `[[mcp_servers]]`. */
  readonly mcpServers?: readonly string[];
  /** Its `[[secrets]]`; absent: none. */
  readonly secrets?: readonly SecretSource[];
  /** Bytes a run may write by its `[budget]`; absent: no budget. */
  readonly maxWrittenBytes?: number;
  readonly limits?: Partial<WorldLimits>;
}

/** A declared world, compiled: opens as many trial worlds as are needed at a time. */
export interface WorldTemplate {
  open(): TrialWorld;
}

/**
 * Compiles `[world]` once per program. Throws `INPUT` for files that cannot be laid out. What declares nothing cannot be
 * wrong: it is compiled when a trial first asks for it, as most never do.
 */
export function createWorld(world: World, options: WorldOptions = {}): WorldTemplate {
  let parts = declaresNothing(world) ? null : compileWorld(world, options);
  const compiled = (): WorldParts => {
    parts ??= compileWorld(world, options);
    return parts;
  };
  return { open: () => openTrialWorld(compiled) };
}

function declaresNothing({ files, env, http, processes, mcp }: World): boolean {
  return [http, processes, mcp, Object.keys(files), Object.keys(env)].every(({ length }) => length === 0);
}

function compileWorld(world: World, options: WorldOptions): WorldParts {
  const base = layOutFiles(world.files);
  const paths = new WorldPaths(base.links);
  const slots = new MockSlots();
  return {
    files: {
      base,
      paths,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      budgetBytes: options.maxWrittenBytes ?? Number.POSITIVE_INFINITY,
      declared: new BoundedMemo<Answer>(),
      answers: new BoundedMemo<Answer>(),
    },
    env: declaredEnv(world.env),
    declaredEnv: new Set(Object.keys(world.env)),
    http: mockHttp(world.http, slots, options.secrets),
    process: mockProcesses(world.processes, slots, (path) => paths.locate(path).path),
    mcp: mockMcp(world.mcp, slots, options.mcpServers ?? []),
    client: mockClient(world.mcp, slots),
    slots,
  };
}
