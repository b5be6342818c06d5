import type { Chaos, ContextAttack, FaultTrigger, LlmFault, ToolFault } from '../../types/chaos.ts';

/** What each declared fault does, in words, in the order of `faultLabels`; '': its label says all. */
export function faultDetails({ toolFaults, llmFaults, contextAttacks }: Chaos): readonly string[] {
  return [
    ...toolFaults.map((fault) => joined(...toolDetail(fault), ...triggerDetail(fault))),
    ...llmFaults.map((fault) => joined(...llmDetail(fault), ...triggerDetail(fault))),
    ...contextAttacks.map((attack) => joined(...attackDetail(attack))),
  ];
}

/** Characters of a text of the file. */
const LONGEST = 80;

function toolDetail({ mode, errorCode, message, delayMs, payload }: ToolFault): readonly string[] {
  switch (mode) {
    case 'error':
      return [`${errorCode} ${shown(message)}`];
    case 'slow':
      return [`${delayMs} ms late`];
    case 'timeout':
      return [`after ${delayMs} ms`];
    case 'malicious_response':
      return [`"${shown(payload)}"`];
    case 'malformed':
      return [];
  }
}

function llmDetail({ mode, maxTokens, delayMs, severity, direction, factor, driftType }: LlmFault): readonly string[] {
  switch (mode) {
    case 'truncated_response':
      return [`${maxTokens} ${maxTokens === 1 ? 'word' : 'words'}`];
    case 'timeout':
      return [`after ${delayMs} ms`];
    case 'response_drift':
      return [driftType === 'verbosity_shift' ? `${direction} by ${factor}` : severity];
    case 'rate_limit':
    case 'empty':
    case 'garbage':
      return [];
  }
}

function attackDetail({ type, payloads, strategy, probability, injectTokens, injectAt }: ContextAttack): string[] {
  const others = payloads.length > 1 ? ` or ${payloads.length - 1} more` : '';
  const isPrompt = type !== 'indirect_injection' && type !== 'injection_via_context';
  return [
    type === 'overflow' ? `${injectTokens} words` : `"${shown(payloads[0] ?? '')}"${others}`,
    ...(isPrompt && strategy !== 'append' ? [strategy] : []),
    ...chanceDetail(probability),
    ...(injectAt === null ? [] : [`call ${injectAt} only`]),
  ];
}

function triggerDetail({ probability, afterCalls }: FaultTrigger): readonly string[] {
  return [...chanceDetail(probability), ...(afterCalls > 0 ? [`from call ${afterCalls + 1} on`] : [])];
}

function chanceDetail(probability: number | null): readonly string[] {
  return probability === null || probability === 1 ? [] : [`${Number((100 * probability).toPrecision(3))} % of calls`];
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

function shown(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
