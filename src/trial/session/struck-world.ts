import { ChaosState } from '../../faults/chaos/chaos-state.ts';
import type { CompiledChaos, ToolCall } from '../../faults/chaos/compile-chaos.ts';
import { toolFaultReply } from '../../faults/chaos/tool-fault-types.ts';
import type { OpenWorld, World } from '../../sessions/world/open-world.ts';
import type { ToolReply } from '../../sessions/world/tool-reply.ts';
import type { ToolFault } from '../../types/chaos.ts';
import type { Json } from '../../types/json.ts';
import type { Strike } from '../../types/record.ts';

/**
 * A world whose tools are struck by declared faults in one trial. A call that is struck is not carried out: the state stays as it
 * is, and the agent gets what the fault gives. What strikes follows from seed, trial, fault and the number of the call.
 */
export function struckWorld(world: World, chaos: CompiledChaos, trial: number): World {
  return { open: () => new StruckWorld(world.open(), chaos, trial) };
}

class StruckWorld implements OpenWorld {
  private readonly inner: OpenWorld;
  private readonly chaos: ChaosState;
  /** One object for all calls of a tool, by which the faults that concern it are kept. */
  private readonly calls = new Map<string, ToolCall>();

  constructor(inner: OpenWorld, chaos: CompiledChaos, trial: number) {
    this.inner = inner;
    this.chaos = new ChaosState(chaos);
    this.chaos.begin(trial);
  }

  get state(): Json {
    return this.inner.state;
  }

  get struck(): readonly Strike[] {
    return this.chaos.struckFaults();
  }

  call(name: string, args: Json): ToolReply {
    const { fault, label } = this.chaos.onTool(this.callOf(name));
    return fault === null ? this.inner.call(name, args) : { ...replyOf(fault), struckBy: label ?? '' };
  }

  private callOf(name: string): ToolCall {
    let call = this.calls.get(name);
    if (call === undefined) {
      call = { names: [name], url: null };
      this.calls.set(name, call);
    }
    return call;
  }
}

function replyOf(fault: ToolFault): ToolReply {
  const reply = toolFaultReply(fault);
  if (reply === null) return { result: null, problem: 'The tool gave no answer in time.', isValid: true };
  const { status, body } = reply;
  return fault.mode === 'error'
    ? { result: null, problem: `${status} ${body}`, isValid: true }
    : { result: body, problem: null, isValid: true };
}
