import { exportedFunction, type ModuleExport } from './import-module.ts';
import type { SessionAgent } from './session-agent.ts';

export interface LoadedAgent {
  readonly create: SessionAgent;
  /** Of its module; null: it is a function of the program that runs passk. */
  readonly url: string | null;
}

/** Loads the agent of a module. Throws `PLUGIN` where the module cannot be loaded or exports no such function. */
export async function loadSessionAgent(module: ModuleExport): Promise<LoadedAgent> {
  return { create: (await exportedFunction(module, 'The agent')) as SessionAgent, url: module.url };
}
