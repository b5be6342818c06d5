import { contextAttackTypes } from '../../faults/chaos/context-attack-types.ts';
import { recordedFailures } from '../../faults/chaos/recorded-responses.ts';
import type { Chaos, ContextAttack } from '../../types/chaos.ts';
import type { ContractSubject } from '../../types/contract.ts';

/** Where each declared fault can strike this subject, in the order of `faultLabels`; null: nowhere. */
export function faultPlaces(chaos: Chaos, subject: ContractSubject): readonly (string | null)[] {
  const { toolFaults, llmFaults, contextAttacks } = chaos;
  const places = placesIn(subject);
  return [
    ...toolFaults.map(() => places.tool),
    ...llmFaults.map(() => places.model),
    ...contextAttacks.map((attack) => attackPlace(attack, places)),
    ...recordedFailures(chaos).map(() => (seesCalls(subject) ? places.tool : null)),
  ];
}

/** True: its calls of tools pass by passk, so that something can come instead of them. */
export function seesCalls(subject: ContractSubject): boolean {
  return subject.kind === 'workflow' || subject.agent.proxy !== null;
}

interface Places {
  readonly tool: string | null;
  readonly model: string;
  readonly prompt: string;
  readonly result: string | null;
  readonly document: string | null;
}

const WORKFLOW: Places = {
  tool: 'calls of tools',
  model: 'model requests',
  prompt: 'prompts of model requests',
  result: 'results of tools',
  document: 'files, resources and results of GET',
};
const PROXY: Places = {
  tool: 'its calls of tools, at the proxy',
  model: 'its model calls, at the proxy',
  prompt: 'its input, and its model calls at the proxy',
  result: 'results of its tools, at the proxy',
  document: 'instructions of its model calls, at the proxy',
};
const BOUNDARY: Places = {
  tool: null,
  model: 'its answer',
  prompt: 'its input',
  result: null,
  document: null,
};

function placesIn(subject: ContractSubject): Places {
  if (subject.kind === 'workflow') return WORKFLOW;
  const { proxy, target } = subject.agent;
  if (proxy !== null) return PROXY;
  return target.kind === 'http' ? { ...BOUNDARY, tool: 'the request to it' } : BOUNDARY;
}

function attackPlace(attack: ContextAttack, { prompt, result, document }: Places): string | null {
  return { prompt, result, document }[contextAttackTypes[attack.type].strikes];
}
