import { hasChaos } from '../faults/chaos/fault-labels.ts';
import type { ChaosScenario, Contract } from '../types/contract.ts';
import type { Invariant } from '../types/invariant.ts';
import type { Scenario } from '../types/scenario.ts';
import { AGENT_NODE } from './agent-base.ts';
import { appliesIn } from './applies-in.ts';
import { comparesTexts } from './compares-texts.ts';
import { withPrompt } from './with-prompt.ts';

/**
 * The scenarios a contract is planned as: for a workflow one for each column and prompt, for an agent one for each column
 * and list of prompts. Each judges the invariants that apply there; where none does, nothing is planned.
 */
export function contractScenarios(
  contract: Contract,
  base: Scenario,
  promptKey: readonly string[],
): readonly Scenario[] {
  const lists = listsOf(contract);
  return contract.matrix.flatMap((column) =>
    lists.flatMap((list) => {
      const invariants = list.invariants.filter(({ when }) => appliesIn(when, column));
      if (invariants.length === 0) return [];
      const cell: Cell = { contract, base, column, list, invariants };
      if (contract.subject.kind === 'agent') return [agentScenario(cell)];
      return list.prompts.map((_, at) => workflowScenario(cell, at, promptKey));
    }),
  );
}

/** Prompts that are asked together, with the invariants that are judged on the answers. */
interface PromptList {
  readonly prompts: readonly string[];
  readonly invariants: readonly Invariant[];
  /** The name of one of its prompts, or of all, behind the name of the column; '': the column says it all. */
  readonly nameOf: (at: number | null) => string;
}

interface Cell {
  readonly contract: Contract;
  readonly base: Scenario;
  readonly column: ChaosScenario;
  readonly list: PromptList;
  readonly invariants: readonly Invariant[];
}

/** The golden prompts first, then each list of probes once. */
function listsOf({ prompts, invariants, subject }: Contract): readonly PromptList[] {
  const golden = invariants.filter(({ probes }) => probes.length === 0);
  const probed = new Map<string, Invariant[]>();
  for (const invariant of invariants) {
    if (invariant.probes.length === 0) continue;
    const key = JSON.stringify(invariant.probes);
    probed.set(key, [...(probed.get(key) ?? []), invariant]);
  }
  // A workflow that is given no prompt starts as its trigger says.
  const unprompted = subject.kind === 'workflow' && prompts.length === 0;
  const first: PromptList = {
    prompts: unprompted ? [''] : prompts,
    invariants: golden,
    nameOf: (at) => (unprompted || at === null ? '' : `, prompt ${at + 1}`),
  };
  const probes = [...probed.values()].map((sharing, index): PromptList => {
    const number = probed.size === 1 ? '' : ` ${index + 1}`;
    return {
      prompts: sharing[0]?.probes ?? [],
      invariants: sharing,
      nameOf: (at) =>
        at === null ? `, probes${number}` : `, ${number === '' ? '' : `probes${number}, `}probe ${at + 1}`,
    };
  });
  return [first, ...probes].filter((list) => list.invariants.length > 0 && list.prompts.length > 0);
}

function workflowScenario(cell: Cell, at: number, promptKey: readonly string[]): Scenario {
  const { base, list, contract } = cell;
  const prompt = list.prompts[at] ?? '';
  const isAsked = contract.prompts.length > 0 || (cell.invariants[0]?.probes.length ?? 0) > 0;
  const { subject } = base;
  const { trigger } = subject;
  const asked = isAsked ? { ...trigger, payload: withPrompt(trigger.payload, promptKey, prompt) } : trigger;
  return { ...scenarioOf(cell, 'outcome', list.nameOf(at), [prompt], at), subject: { ...subject, trigger: asked } };
}

function agentScenario(cell: Cell): Scenario {
  const { base, contract, column, list, invariants } = cell;
  const baselines = invariants.some(({ rule }) => rule.type === 'behavior_unchanged' && rule.baseline === null);
  const config = { contract: contract.name, column: column.name, prompts: list.prompts, baselines };
  const { subject } = base;
  const nodes = subject.workflow.nodes.map((node) => (node.id === AGENT_NODE ? { ...node, config } : node));
  return {
    ...scenarioOf(cell, 'agent', list.nameOf(null), list.prompts, 0),
    subject: { ...subject, workflow: { ...subject.workflow, nodes } },
  };
}

function scenarioOf(
  { contract, base, column, invariants }: Cell,
  of: 'outcome' | 'agent',
  suffix: string,
  prompts: readonly string[],
  at: number,
): Scenario {
  const { name: _, ...chaos } = column;
  const { contract: __, ...rest } = base;
  const { similarity } = contract;
  const measure = similarity !== undefined && invariants.some(comparesTexts) ? { similarity } : {};
  return {
    ...rest,
    name: `${contract.name}: ${column.name}${suffix}`,
    trials: contract.trials,
    minPassRate: null,
    faults: { ...base.faults, ...(hasChaos(chaos) ? { chaos } : {}) },
    expected: { ...base.expected, invariants: { of, list: invariants, ...measure } },
    contract: { contract: contract.name, column: column.name, prompts, at },
  };
}
