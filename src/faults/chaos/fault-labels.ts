import type { Chaos, ContextAttack, FaultKind, LlmFault, ToolFault } from '../../types/chaos.ts';

/** True: something is declared that can go wrong around the subject. */
export function hasChaos(chaos: Chaos | undefined): chaos is Chaos {
  return chaos !== undefined && chaos.toolFaults.length + chaos.llmFaults.length + chaos.contextAttacks.length > 0;
}

/**
 * True: what goes wrong is drawn, so that trials differ although their answers are the same. False: it follows from the
 * number of a call alone.
 */
export function isDrawn({ toolFaults, llmFaults, contextAttacks }: Chaos): boolean {
  const isChance = (probability: number | null): boolean => probability !== null && probability > 0 && probability < 1;
  return (
    toolFaults.some(({ probability }) => isChance(probability)) ||
    llmFaults.some(({ probability }) => isChance(probability)) ||
    contextAttacks.some(
      ({ probability, payloads }) => isChance(probability) || (probability > 0 && payloads.length > 1),
    )
  );
}

/**
 * One name for each declared fault, no two alike, in the order in which all counts of faults are kept: tool faults, then
 * LLM faults, then context attacks. Draws derive from the name, so that faults may come and go without reshuffling others.
 */
export function faultLabels({ toolFaults, llmFaults, contextAttacks }: Chaos): readonly string[] {
  const seen = new Map<string, number>();
  return [...toolFaults.map(toolLabel), ...llmFaults.map(llmLabel), ...contextAttacks.map(attackLabel)].map((label) => {
    const number = (seen.get(label) ?? 0) + 1;
    seen.set(label, number);
    return number === 1 ? label : `${label} #${number}`;
  });
}

/** The kind of each declared fault, in the order of `faultLabels`. */
export function faultKinds({ toolFaults, llmFaults, contextAttacks }: Chaos): readonly FaultKind[] {
  return [
    ...toolFaults.map(() => 'tool' as const),
    ...llmFaults.map(() => 'llm' as const),
    ...contextAttacks.map(() => 'context' as const),
  ];
}

/** Which of the declared faults nothing reads, in the order of `faultLabels`. */
export function unreadFaults({ toolFaults, llmFaults, contextAttacks }: Chaos): readonly boolean[] {
  return [
    ...toolFaults.map(({ unread }) => unread === true),
    ...llmFaults.map(() => false),
    ...contextAttacks.map(({ unread }) => unread === true),
  ];
}

function toolLabel({ tool, matchUrl, mode }: ToolFault): string {
  return `tool ${matchUrl ?? tool}: ${mode}`;
}

function llmLabel({ mode, driftType }: LlmFault): string {
  return mode === 'response_drift' ? `llm: ${mode} ${driftType}` : `llm: ${mode}`;
}

function attackLabel({ type }: ContextAttack): string {
  return `context: ${type}`;
}
