import { PasskError } from '../errors.ts';
import { importModule } from './import-module.ts';
import type { SessionAgent } from './session-agent.ts';

export interface AgentModule {
  /** As a `file:` URL. */
  readonly url: string;
  /** As messages name it. */
  readonly file: string;
  readonly exported: string;
}

/** Loads the agent of a module. Throws `PLUGIN` where the module cannot be loaded or exports no such function. */
export async function loadSessionAgent({ url, file, exported }: AgentModule): Promise<SessionAgent> {
  const module = await importModule(url, `The agent ${file}`);
  const found = module[exported];
  if (typeof found === 'function') return found as SessionAgent;
  const names = Object.keys(module).join(', ');
  throw new PasskError('PLUGIN', `The agent ${file} exports no function "${exported}".`, {
    hint: names === '' ? 'It exports nothing.' : `It exports: ${names}.`,
  });
}
