import type { Chaos, ContextAttack, FaultKind, LlmFault, ToolFault } from '../../types/chaos.ts';
import { failureLabel, recordedFailures } from './recorded-responses.ts';

/** True: something is declared that can go wrong around the subject. */
export function hasChaos(chaos: Chaos | undefined): chaos is Chaos {
  if (chaos === undefined) return false;
  const { toolFaults, llmFaults, contextAttacks } = chaos;
  return toolFaults.length + llmFaults.length + contextAttacks.length + recordedFailures(chaos).length > 0;
}

/** True: something stands between the subject and its world: what goes wrong, or what was recorded. */
export function interferes(chaos: Chaos | undefined): chaos is Chaos {
  return chaos !== undefined && (chaos.recorded !== undefined || hasChaos(chaos));
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
 * LLM faults, then context attacks, then recorded failures. Draws derive from the name, so that faults may come and go without reshuffling others.
 */
export function faultLabels(chaos: Chaos): readonly string[] {
  const seen = new Map<string, number>();
  return [
    ...chaos.toolFaults.map(toolLabel),
    ...chaos.llmFaults.map(llmLabel),
    ...chaos.contextAttacks.map(attackLabel),
    ...recordedFailures(chaos).map(failureLabel),
  ].map((label) => {
    const number = (seen.get(label) ?? 0) + 1;
    seen.set(label, number);
    return number === 1 ? label : `${label} #${number}`;
  });
}

/** The kind of each declared fault, in the order of `faultLabels`. */
export function faultKinds(chaos: Chaos): readonly FaultKind[] {
  return [
    ...chaos.toolFaults.map(() => 'tool' as const),
    ...chaos.llmFaults.map(() => 'llm' as const),
    ...chaos.contextAttacks.map(() => 'context' as const),
    ...recordedFailures(chaos).map(() => 'tool' as const),
  ];
}

/** Which of the declared faults nothing reads, in the order of `faultLabels`. */
export function unreadFaults(chaos: Chaos): readonly boolean[] {
  return [
    ...chaos.toolFaults.map(({ unread }) => unread === true),
    ...chaos.llmFaults.map(() => false),
    ...chaos.contextAttacks.map(({ unread }) => unread === true),
    ...recordedFailures(chaos).map(() => false),
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
