import { takesBaseline } from '../../checks/invariants/builtin.ts';
import { interferes } from '../../faults/chaos/fault-labels.ts';
import type { ChaosScenario, Contract } from '../../types/contract.ts';
import type { Mutants, MessageMutation } from '../../types/mutations/mutation.ts';
import type { Invariant } from '../../types/invariant.ts';
import type { AgentSubject, Scenario, WorkflowScenario, WorkflowSubject } from '../../types/scenario.ts';
import type { Agent } from '../../types/agent.ts';
import { appliesIn } from './applies-in.ts';
import { comparesTexts } from './compares-texts.ts';
import { withPrompt } from '../../values/with-prompt.ts';
import { groupBy } from '../../values/group-by.ts';

/**
 * The scenarios a contract is planned as: for a workflow one for each column and prompt, for an agent one for each column
 * and list of prompts. Each judges the invariants that apply there; where none does, nothing is planned.
 * `base`: what they have in common; of an agent's contract without a subject.
 */
export function contractScenarios(
  contract: Contract,
  base: CellBase,
  promptKey: readonly string[],
): readonly Scenario[] {
  const tried = contract.subject;
  const { subject } = base;
  return contract.matrix.flatMap((column) =>
    listsIn(contract, column.name).flatMap((list): readonly Scenario[] => {
      const invariants = list.invariants.filter(({ when }) => appliesIn(when, column));
      if (invariants.length === 0) return [];
      const cell: Cell = { contract, base, column, list, invariants };
      if (tried.kind === 'agent') return [agentScenario(cell, tried.agent)];
      if (subject === undefined) return [];
      return list.prompts.map((_, at) => workflowScenario(cell, subject, { at, promptKey }));
    }),
  );
}

type CellBase = Omit<Scenario, 'subject'> & { readonly subject?: WorkflowSubject };

/** Prompts that are asked together, with the invariants that are judged on the answers. */
interface PromptList {
  readonly prompts: readonly string[];
  readonly invariants: readonly Invariant[];
  /** What a model makes of the prompts; absent: nothing. */
  readonly mutation?: MessageMutation;
  /** The name of one of its prompts, or of all, behind the name of the column; '': the column says it all. */
  readonly nameOf: (at: number | null) => string;
}

interface Cell {
  readonly contract: Contract;
  readonly base: CellBase;
  readonly column: ChaosScenario;
  readonly list: PromptList;
  readonly invariants: readonly Invariant[];
}

function listsIn(contract: Contract, column: string): readonly PromptList[] {
  const { mutations, sessions, invariants } = contract;
  if (mutations !== undefined) return mutatedLists(contract, mutations.mutants, column);
  if (sessions === undefined) return listsOf(contract);
  return sessions
    .filter(({ id }) => id === column)
    .map(({ input }) => ({ prompts: [input], invariants, nameOf: () => '' }));
}

/** Each mutant of a column by itself, so that it is counted by itself; in the first column the prompts as they are written. */
function mutatedLists(
  { prompts, invariants }: Contract,
  mutants: readonly Mutants[],
  column: string,
): readonly PromptList[] {
  const made = mutants.find(({ type }) => type === column);
  const texts = made?.texts ?? prompts.map((text, prompt) => ({ prompt, text }));
  return texts.map(({ prompt, text }, at) => ({
    prompts: [text],
    invariants,
    ...(made?.model !== undefined && { mutation: mutationOf(made) }),
    nameOf: () => (made === undefined ? `, prompt ${prompt + 1}` : `, mutant ${at + 1} of prompt ${prompt + 1}`),
  }));
}

function mutationOf({ type, model, template }: Mutants): MessageMutation {
  return { type, ...(model !== undefined && { model }), ...(template !== undefined && { template }) };
}

/** The golden prompts first, then each list of probes once. */
function listsOf({ prompts, invariants, subject }: Contract): readonly PromptList[] {
  const golden = invariants.filter(({ probes }) => probes.length === 0);
  const probed = groupBy(
    invariants.filter(({ probes }) => probes.length > 0),
    ({ probes }) => JSON.stringify(probes),
  );
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

function workflowScenario(
  cell: Cell,
  subject: WorkflowSubject,
  { at, promptKey }: { readonly at: number; readonly promptKey: readonly string[] },
): WorkflowScenario {
  const { list, contract } = cell;
  const prompt = list.prompts[at] ?? '';
  const isAsked = contract.prompts.length > 0 || (cell.invariants[0]?.probes.length ?? 0) > 0;
  const { trigger } = subject;
  const promptTrigger = isAsked ? { ...trigger, payload: withPrompt(trigger.payload, promptKey, prompt) } : trigger;
  return {
    ...scenarioOf(cell, list.nameOf(at), [prompt], at),
    subject: {
      ...subject,
      trigger: promptTrigger,
      ...(isAsked && { prompt }),
      ...(list.mutation !== undefined && { mutation: { ...list.mutation, at: promptKey } }),
    },
  };
}

function agentScenario(cell: Cell, agent: Agent): Scenario<AgentSubject> {
  const { list, invariants } = cell;
  const { prompts, mutation } = list;
  const baselines = invariants.some(({ rule }) => takesBaseline(rule));
  return {
    ...scenarioOf(cell, list.nameOf(null), prompts, 0),
    subject: { kind: 'agent', agent, prompts, baselines, ...(mutation !== undefined && { mutation }) },
  };
}

function scenarioOf(
  { contract, base, column, invariants }: Cell,
  suffix: string,
  prompts: readonly string[],
  at: number,
): Omit<Scenario, 'subject'> {
  const { name: _, ...chaos } = column;
  const { part: __, subject: ___, ...rest } = base;
  const { similarity } = contract;
  const measure = similarity !== undefined && invariants.some(comparesTexts) ? { similarity } : {};
  return {
    ...rest,
    name: `${contract.name}: ${column.name}${suffix}`,
    trials: contract.trials,
    minPassRate: null,
    faults: { ...base.faults, ...(interferes(chaos) ? { chaos } : {}) },
    expected: { ...base.expected, invariants: { list: invariants, ...measure } },
    part: { kind: 'contract', of: contract.name, column: column.name, prompts, at },
  };
}
