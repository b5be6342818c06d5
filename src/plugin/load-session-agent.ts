import { exportedFunction, type ModuleExport } from './import-module.ts';
import type { SessionAgent } from './session-agent.ts';

/** Loads the agent of a module. Throws `PLUGIN` where the module cannot be loaded or exports no such function. */
export async function loadSessionAgent(module: ModuleExport): Promise<SessionAgent> {
  return (await exportedFunction(module, 'The agent')) as SessionAgent;
}
