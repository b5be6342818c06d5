import { createWorld, type WorldOptions } from '../../src/effects/create-world.ts';
import type { TrialWorld } from '../../src/effects/trial-world.ts';
import type { Reply } from '../../src/plugin/request.ts';
import type { World } from '../../src/types/scenarios/world.ts';

/** An open world that declares nothing but what is given. */
export function aWorld(given: Partial<World> = {}, options: WorldOptions = {}): TrialWorld {
  const world = { env: {}, files: {}, http: [], processes: [], mcp: [], approvals: {}, ...given };
  return createWorld(world, options).open();
}

export function read(world: TrialWorld, path: string): unknown {
  return told(world.answer({ port: 'file', op: 'read', as: 'read_file', path }).reply);
}

export function write(world: TrialWorld, path: string, content: string): unknown {
  return told(world.answer({ port: 'file', op: 'write', as: 'write_file', path, content }).reply);
}

export function makeFolder(world: TrialWorld, path: string): unknown {
  return told(world.answer({ port: 'file', op: 'mkdir', as: 'create_dir', path }).reply);
}

/** The value of a reply, or its category and text. */
export function told(reply: Reply | { readonly kind: 'broken'; readonly message: string }): unknown {
  if (reply.kind === 'value') return reply.value;
  if (reply.kind === 'error') return `${reply.category}: ${reply.message}`;
  if (reply.kind === 'broken') return `broken: ${reply.message}`;
  return reply;
}
