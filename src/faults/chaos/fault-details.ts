import type { Chaos, ContextAttack, FaultTrigger } from '../../types/chaos.ts';
import { contextAttackTypes } from './context-attack-types.ts';
import { llmFaultTypes } from './llm-fault-types.ts';
import { recordedFailures, recordedReply } from './recorded-responses.ts';
import { shortPayload } from './short-payload.ts';
import { toolFaultTypes } from './tool-fault-types.ts';

/** What each declared fault does, in words, in the order of `faultLabels`; '': its label says all. */
export function faultDetails(chaos: Chaos): readonly string[] {
  return [
    ...chaos.toolFaults.map((fault) => joined(toolFaultTypes[fault.mode].detail(fault), ...triggerDetail(fault))),
    ...chaos.llmFaults.map((fault) => joined(llmFaultTypes[fault.mode].detail(fault), ...triggerDetail(fault))),
    ...chaos.contextAttacks.map((attack) => joined(...attackDetail(attack))),
    ...recordedFailures(chaos).map((failure) => {
      const body = recordedReply(failure)?.body ?? '';
      return joined(
        body === '' ? '' : `"${shortPayload(body)}"`,
        failure.delayMs > 0 ? `after ${failure.delayMs} ms` : '',
      );
    }),
  ];
}

function attackDetail({ type, payloads, strategy, probability, injectTokens, injectAt }: ContextAttack): string[] {
  const others = payloads.length > 1 ? ` or ${payloads.length - 1} more` : '';
  const { strikes, fills } = contextAttackTypes[type];
  return [
    fills === true ? `${injectTokens} words` : `"${shortPayload(payloads[0] ?? '')}"${others}`,
    ...(strikes === 'prompt' && strategy !== 'append' ? [strategy] : []),
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
