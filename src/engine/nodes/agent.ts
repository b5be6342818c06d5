import type { NodeType } from '../../plugin/node-type.ts';
import { AGENT_CALL } from '../../plugin/live-node.ts';
import { doneWith } from '../reply-move.ts';

/** A column of a contract with a list of prompts. No file can write it: contracts are expanded into it. */
export interface AgentNode {
  readonly contract: string;
  readonly column: string;
  readonly prompts: readonly string[];
  /** True: the answers come with those of a world without chaos. */
  readonly baselines: boolean;
}

/** Asks the agent of a contract, once for each prompt: {answers, fired}. */
export const agentNode: NodeType<AgentNode> = {
  kind: 'node',
  type: 'agent',
  summary: 'Asks the agent that a contract binds.',
  needs: () => ['host'],
  labels: () => [],
  create: ({ contract, column, prompts, baselines }) => ({
    reads: [],
    begin: () => ({
      kind: 'ask',
      request: { port: 'host', name: AGENT_CALL, payload: { contract, column, prompts, baselines } },
      state: null,
    }),
    after: (_, reply) => doneWith(reply),
  }),
};
