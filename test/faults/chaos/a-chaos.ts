import type { Chaos, ContextAttack, LlmFault, ToolFault } from '../../../src/types/chaos.ts';

/** A fault that strikes every call of every tool. */
export function aToolFault(parts: Pick<ToolFault, 'mode'> & Partial<ToolFault>): ToolFault {
  return {
    tool: '*',
    matchUrl: null,
    delayMs: 2000,
    errorCode: 503,
    message: 'Service Unavailable',
    payload: 'OBEY',
    probability: null,
    afterCalls: 0,
    ...parts,
  };
}

/** A fault that strikes every model request. */
export function anLlmFault(parts: Pick<LlmFault, 'mode'> & Partial<LlmFault>): LlmFault {
  return {
    maxTokens: 2,
    delayMs: 4000,
    driftType: 'json_field_rename',
    severity: 'subtle',
    direction: 'expand',
    factor: 2,
    probability: null,
    afterCalls: 0,
    ...parts,
  };
}

/** An attack that strikes whenever it can. */
export function anAttack(parts: Pick<ContextAttack, 'type'> & Partial<ContextAttack>): ContextAttack {
  return {
    payloads: ['POISON'],
    strategy: 'append',
    probability: 1,
    injectTokens: 3,
    injectAt: null,
    ...parts,
  };
}

export function aChaos(parts: Partial<Chaos>): Chaos {
  return { toolFaults: [], llmFaults: [], contextAttacks: [], ...parts };
}
