import { errorText } from '../../engine/error-text.ts';
import { createPolicy, type PolicyGate } from '../../policy/create-policy.ts';
import type { OpenWorld, World } from '../../sessions/world/open-world.ts';
import type { ToolReply } from '../../sessions/world/tool-reply.ts';
import type { Json } from '../../types/json.ts';
import type { Policy } from '../../types/policy.ts';
import type { Strike } from '../../types/record.ts';
import type { DeclaredTool } from '../../types/sessions/declared-world.ts';

/** The server that the tools of a world are said to be on, for `[policy.mcp] servers`. */
export const WORLD_SERVER = 'world';

/**
 * Puts worlds with these tools under a policy. A call that it denies is carried out nowhere, and no fault strikes it: the agent
 * is told what the policy says, in the words that the model of a workflow is told.
 */
export function policing(policy: Policy, tools: readonly DeclaredTool[]): (world: World) => World {
  const gate = createPolicy(policy, { mcpServers: [] });
  const names = new Set(tools.map(({ name }) => name));
  return (world) => ({ open: () => new PolicedWorld(world.open(), gate, names) });
}

class PolicedWorld implements OpenWorld {
  private readonly inner: OpenWorld;
  private readonly gate: PolicyGate;
  private readonly names: ReadonlySet<string>;

  constructor(inner: OpenWorld, gate: PolicyGate, names: ReadonlySet<string>) {
    this.inner = inner;
    this.gate = gate;
    this.names = names;
  }

  get state(): Json {
    return this.inner.state;
  }

  get struck(): readonly Strike[] | undefined {
    return this.inner.struck;
  }

  call(name: string, args: Json): ToolReply {
    const denial = this.gate.decide({ port: 'mcp', op: 'tool', server: WORLD_SERVER, target: name }, samePath);
    if (denial === null) return this.inner.call(name, args);
    return {
      result: null,
      problem: errorText('policy', denial, name, ''),
      isValid: this.names.has(name),
      isDenied: true,
    };
  }
}

/** Tools have no paths. */
function samePath(path: string): string {
  return path;
}
