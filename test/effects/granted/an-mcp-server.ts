import { NOTHING } from './a-disk.ts';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EffectCall } from '../../../src/effects/effect.ts';
import type { McpRequest } from '../../../src/plugin/mcp-request.ts';
import { defineScenario, type ScenarioDefinition } from '../../../src/scenario/objects/define-scenario.ts';
import type { Permissions } from '../../../src/types/permissions.ts';
import type { McpServer } from '../../../src/types/workflow.ts';

const SERVER = fileURLToPath(new URL('fixtures/mcp-stdio-server.mjs', import.meta.url));

/** Grants nothing but the program of the tests' servers. */
export const MAY_RUN_NODE: Permissions & { readonly run: readonly string[] } = {
  ...NOTHING,
  run: [process.execPath],
};

/** A server over stdio that behaves as named; it may note in a file what happens to it. */
export function aServer(behaviour: string, parts: Partial<McpServer> & { readonly log?: string } = {}): McpServer {
  const { log, ...rest } = parts;
  const command = [process.execPath, SERVER, behaviour, ...(log === undefined ? [] : [log])];
  return { name: 'shop', command, allowTools: [], allowResources: [], env: {}, ...rest };
}

/** A scenario whose trials each make one call of the server; its name is that of the tool. */
export function askingOnce(server: McpServer, trials: number, tool = 'echo'): ScenarioDefinition {
  return defineScenario({
    name: tool,
    trials,
    timeoutMs: 60_000,
    trigger: { payload: {} },
    workflow: {
      inline: {
        name: 'w',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'ask' }],
        nodes: [{ id: 'ask', type: 'call_mcp_tool', tool, argsFrom: 'trigger' }],
        mcpServers: [server],
      },
    },
    expected: { status: 'completed' },
  });
}

export function aToolCall(target: string, args: McpRequest['args'] = null): McpRequest {
  return { port: 'mcp', op: 'tool', server: 'shop', target, args };
}

export function aResourceRead(target: string): McpRequest {
  return { port: 'mcp', op: 'resource', server: 'shop', target, args: null };
}

export function aCall(signal: AbortSignal = new AbortController().signal): EffectCall {
  return { scenario: 'shop', trial: 0, signal, recheck: () => null };
}

/** Lines that a server noted, by their first word. */
export function notesIn(log: string, word: string): readonly string[] {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  return lines.filter((line) => line.split(' ')[0] === word).map((line) => line.split(' ')[1] ?? '');
}

/** Whether a process is there and not merely waiting to be collected. */
export function isAlive(pid: string): boolean {
  const stat = `/proc/${pid}/stat`;
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(stat, 'utf8'));
  } catch {
    return false;
  }
}
