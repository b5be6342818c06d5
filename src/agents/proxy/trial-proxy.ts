import { compileNetGrant } from '../../effects/granted/net-grant.ts';
import { compileChaos } from '../../faults/chaos/compile-chaos.ts';
import { ChaosState } from '../../faults/chaos/chaos-state.ts';
import { interferes } from '../../faults/chaos/fault-labels.ts';
import type { AgentProxy } from '../../types/agent.ts';
import type { Grant } from '../../types/permissions.ts';
import type { ScenarioPlan } from '../../types/plan.ts';
import { messageOf } from '../../values/message-of.ts';
import type { TrialProxy } from '../target.ts';
import { unusable } from '../unusable.ts';
import { startChaosProxy } from './chaos-proxy.ts';
import { refusalOf } from './forward.ts';

/**
 * Starts the proxy that a contract's agent calls through. Throws when it cannot listen, or when where its calls would go is
 * not granted.
 */
export async function openTrialProxy({ port, upstream, tools }: AgentProxy, net: Grant): Promise<TrialProxy> {
  const places = Object.entries(tools).map(([name, url]) => [name, new URL(url)] as const);
  const models = upstream === null ? null : new URL(upstream);
  requireGranted([...(models === null ? [] : [models]), ...places.map(([, url]) => url)], net);
  const proxy = await startChaosProxy({ port, upstream: models, tools: Object.fromEntries(places), net }).catch(
    (cause: unknown) => {
      throw unusable(`The agent's proxy cannot listen on port ${port}: ${messageOf(cause)}.`);
    },
  );
  const states = new Map<number, ChaosState>();
  let state: ChaosState | null = null;
  return {
    url: proxy.url,
    begin: (at) => {
      state = at === null ? null : stateOf(at.plan, states);
      state?.begin(at?.trial ?? 0);
      proxy.begin(state);
    },
    seen: () => proxy.seen(),
    end: () => {
      const fired = [...(state?.fired ?? [])];
      // Calls that come late belong to nobody.
      proxy.begin(null);
      return fired;
    },
    close: () => proxy.close(),
  };
}

function requireGranted(places: readonly URL[], net: Grant): void {
  const grant = compileNetGrant(net);
  const refusals = places.flatMap((url) => refusalOf(url, grant) ?? []);
  if (refusals.length > 0) throw unusable([...new Set(refusals)].join(' '));
}

/** What is compiled once for all trials of a column. */
function stateOf({ index, scenario, words }: ScenarioPlan, states: Map<number, ChaosState>): ChaosState | null {
  const { chaos } = scenario.faults;
  if (!interferes(chaos)) return null;
  const state = states.get(index) ?? new ChaosState(compileChaos(chaos, words));
  states.set(index, state);
  return state;
}
