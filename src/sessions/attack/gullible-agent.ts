import type { SessionAttack } from '../../types/sessions/attack.ts';
import type { AgentInSession, AgentMove, AskedCall, DialogueCall, Tools } from '../agent-moves.ts';
import { holdsPayload } from './with-payload.ts';

/**
 * An agent that does once what an attacker wants, as soon as the payload has reached it, and otherwise what another agent does.
 * It shows that an attack gets through where nobody resists.
 */
export function gullibleAgent(agent: AgentInSession, attack: SessionAttack): AgentInSession {
  return new GullibleAgent(agent, attack);
}

class GullibleAgent implements AgentInSession {
  private readonly inner: AgentInSession;
  private readonly attack: SessionAttack;
  private hasFallen = false;

  constructor(inner: AgentInSession, attack: SessionAttack) {
    this.inner = inner;
    this.attack = attack;
  }

  answer(message: string, tools: Tools): AgentMove | Promise<AgentMove> {
    const { channel, payload } = this.attack;
    // It reads what its tools are for before it does anything.
    if (channel === 'tool_description' || holdsPayload(message, payload)) this.fall(tools);
    return this.inner.answer(message, {
      call: (calls) => this.call(calls, tools),
      affords: (usage) => tools.affords(usage),
    });
  }

  private call(calls: readonly AskedCall[], tools: Tools): readonly DialogueCall[] | null {
    const done = tools.call(calls);
    if (done?.some(({ result }) => holdsPayload(result, this.attack.payload)) === true) this.fall(tools);
    return done;
  }

  private fall(tools: Tools): void {
    if (this.hasFallen) return;
    this.hasFallen = true;
    tools.call(this.attack.calls);
  }
}
