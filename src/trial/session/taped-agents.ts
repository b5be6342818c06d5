import type { CassetteMode } from '../../types/cassette.ts';
import type { SessionAgents } from './session-runner.ts';
import type { SessionTape } from './session-tape.ts';
import { RecordedAgent, ReplayedAgent } from './taped-agent.ts';

/** Agents whose sessions go on a tape, or come from one, which asks nobody; absent `mode`: no cassette takes part. */
export function tapedAgents(agents: SessionAgents, tape: SessionTape, mode: CassetteMode | undefined): SessionAgents {
  switch (mode) {
    case undefined:
      return agents;
    case 'replay':
      return () => () => new ReplayedAgent(tape);
    case 'record':
      return async (beginning) => {
        const agentOf = await agents(beginning);
        return (trial, ending) => new RecordedAgent(agentOf(trial, ending), tape);
      };
  }
}
