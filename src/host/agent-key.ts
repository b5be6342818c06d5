import path from 'node:path';
import type { Agent } from '../types/agent.ts';

/** The same for contracts that bind the same agent: of one folder, and called in the same way. They share what it remembers. */
export function agentKey(file: string, agent: Agent): string {
  return JSON.stringify([path.dirname(file), agent]);
}
