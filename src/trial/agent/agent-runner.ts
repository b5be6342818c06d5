import { brokenAnswer } from '../../effects/answers.ts';
import { type CompiledChaos, compileChaos } from '../../faults/chaos/compile-chaos.ts';
import { hasChaos } from '../../faults/chaos/fault-labels.ts';
import type { Answer, HostRequest, Ports, Request } from '../../plugin/request.ts';
import { AGENT_CALL, type AgentRun } from '../../types/agent.ts';
import type { AgentPlan } from '../../types/plan.ts';
import type { RealTime } from '../../types/real-time.ts';
import type { TrialRecord } from '../../types/record.ts';
import { messageOf } from '../../values/message-of.ts';
import { openTape, type TrialTape } from '../cassette/trial-tape.ts';
import type { SubjectRunner } from '../record/record-program.ts';
import type { HostCall } from '../trial-ports.ts';
import { recordAgent } from './record-agent.ts';

export interface AgentRunnerParts {
  readonly plan: AgentPlan;
  /** Null where no function of the host can be called. */
  readonly callHost: HostCall | null;
  readonly startClock: () => RealTime;
}

/** Has the host ask an agent, or takes what it said from a cassette. */
export class AgentRunner implements SubjectRunner {
  private readonly parts: AgentRunnerParts;
  private readonly ports: Ports;
  /** Null: nothing is declared to go wrong. */
  private readonly chaos: CompiledChaos | null;
  /** Null: no cassette takes part. */
  private readonly tape: TrialTape | null;
  /** What the host is asked for each trial; a cassette knows it by this. */
  private readonly request: HostRequest;

  constructor(parts: AgentRunnerParts) {
    const { plan, callHost } = parts;
    const { subject, faults } = plan.scenario;
    const { prompts, baselines } = subject;
    this.parts = parts;
    this.chaos = hasChaos(faults.chaos) ? compileChaos(faults.chaos, plan.words) : null;
    this.request = { port: 'host', name: AGENT_CALL, payload: { prompts, baselines } };
    const inner = new AgentPorts(parts);
    this.tape =
      plan.cassette === undefined || callHost === null
        ? null
        : openTape(plan.cassette, { ports: inner, scenario: plan.index, callHost });
    this.ports = this.tape?.ports ?? inner;
  }

  async run(trial: number, signal: AbortSignal): Promise<TrialRecord> {
    const { tape, ports, request, chaos } = this;
    await tape?.begin(trial, this.parts.startClock());
    try {
      const at = { trial, walk: '', node: AGENT_CALL, visit: 1, attempt: 1, call: 1, fromModel: false };
      const { reply } = await ports.ask(request, at, signal);
      if (reply.kind !== 'value') throw new Error('message' in reply ? reply.message : 'The agent gave no answer.');
      if (!signal.aborted) await tape?.end();
      // Made by the function that asks agents.
      return recordAgent(trial, reply.value as unknown as AgentRun, chaos);
    } finally {
      tape?.drop();
    }
  }
}

/** The one port of an agent: the host asks it. */
class AgentPorts implements Ports {
  private readonly parts: AgentRunnerParts;

  constructor(parts: AgentRunnerParts) {
    this.parts = parts;
  }

  async ask(_request: Request, { trial }: { readonly trial: number }, signal?: AbortSignal): Promise<Answer> {
    const { callHost, plan } = this.parts;
    if (callHost === null) return brokenAnswer('Nobody is there who asks the agent.');
    try {
      const payload = { scenario: plan.index, trial };
      const value = await callHost(AGENT_CALL, payload, plan.traits.longestMs, signal);
      return { reply: { kind: 'value', value }, delayUs: 0, source: 'host', fault: null };
    } catch (error) {
      return brokenAnswer(messageOf(error));
    }
  }

  mayAskOutside(): boolean {
    return true;
  }

  /** An agent writes nothing that passk keeps. */
  noteWritten(): void {}
}
