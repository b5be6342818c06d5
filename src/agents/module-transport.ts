import path from 'node:path';
import type { Agent, AgentTarget } from '../types/agent.ts';
import type { JsonObject } from '../types/json.ts';
import { agentFile, agentEnv } from './agent-program.ts';
import { MODULE_RUNNER } from './module-runner.ts';
import { createResidentTransport } from './resident-transport.ts';
import type { Transport, TargetOptions } from './target.ts';

export type ModuleAgent = Extract<AgentTarget, { readonly kind: 'module' }>;

/** A function of a JavaScript module, in a process of passk's own Node. */
export function createModuleTransport(
  { timeoutMs }: Agent,
  { file, exported, inputKey }: ModuleAgent,
  options: TargetOptions,
): Transport {
  const { permissions, folder, root } = options;
  const target = { file: agentFile(path.resolve(root, file), folder, permissions), exported, inputKey };
  const start = {
    program: { file: process.execPath, name: 'node' },
    args: ['--input-type=module', '--eval', MODULE_RUNNER, '--', JSON.stringify(target)],
    cwd: folder,
    ...agentEnv(options),
  };
  const resetMessage = ({ module, attribute }: { readonly module: string; readonly attribute: string }): JsonObject => {
    // Beside the contract; what is granted may load what it likes.
    return { reset: { file: path.resolve(folder, module), exported: attribute } };
  };
  return createResidentTransport(start, { timeoutMs, resetMessage });
}
