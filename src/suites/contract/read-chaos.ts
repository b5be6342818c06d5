import { contextAttackTypes, INJECTION } from '../../faults/chaos/context-attack-types.ts';
import { toolFaultTypes } from '../../faults/chaos/tool-fault-types.ts';
import { isTable } from '../../source/json-schema.ts';
import type { Pointer } from '../../source/place-tree.ts';
import {
  type Chaos,
  CONTEXT_ATTACK_TYPES,
  type ContextAttack,
  DRIFT_TYPES,
  type FaultTrigger,
  LLM_FAULT_MODES,
  type LlmFault,
  TOOL_FAULT_MODES,
  type ToolFault,
} from '../../types/chaos.ts';
import type { JsonObject } from '../../types/json.ts';
import { numberAt, tableAt, tablesAt, textAt, textsAt, valueAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';
import { requiredText } from '../../workflow/required-values.ts';

/** A world in which nothing goes wrong. */
export const NO_CHAOS: Chaos = { toolFaults: [], llmFaults: [], contextAttacks: [] };

/** The chaos of a table with `tool_faults`, `llm_faults` and `context_attacks`, every setting filled in. */
export function readChaos(table: JsonObject, at: Pointer, report: Report): Chaos {
  const each = <T>(key: string, read: (fault: JsonObject, at: Pointer, report: Report) => T): readonly T[] =>
    tablesAt(table, key).map(({ index, table: fault }) => read(fault, [...at, key, index], report));
  return {
    toolFaults: each('tool_faults', readToolFault),
    llmFaults: each('llm_faults', readLlmFault),
    contextAttacks: readAttacks(table, [...at, 'context_attacks'], report),
    ...(textAt(table, 'evidence') === 'in_force' && { inForce: true }),
  };
}

/** One chaos on top of another. */
export function stackChaos(below: Chaos, above: Chaos): Chaos {
  return {
    toolFaults: [...below.toolFaults, ...above.toolFaults],
    llmFaults: [...below.llmFaults, ...above.llmFaults],
    contextAttacks: [...below.contextAttacks, ...above.contextAttacks],
    ...((below.inForce === true || above.inForce === true) && { inForce: true }),
  };
}

/** Modes that take no time of their own. */
const NO_DELAY_MS = 30_000;

function readToolFault(table: JsonObject, at: Pointer, report: Report): ToolFault {
  const matchUrl = textAt(table, 'match_url') ?? null;
  const mode = modeOf(table, TOOL_FAULT_MODES, at, report);
  const tool = matchUrl === null ? requiredText(table, 'tool', at, report, 'Name a tool, or "*" for all.') : '*';
  return {
    tool: textAt(table, 'tool') ?? tool,
    matchUrl,
    mode,
    delayMs: numberAt(table, 'delay_ms') ?? toolFaultTypes[mode].delayMs ?? NO_DELAY_MS,
    errorCode: numberAt(table, 'error_code') ?? 503,
    message: textAt(table, 'message') ?? 'Service Unavailable',
    payload: textAt(table, 'payload') ?? INJECTION,
    ...triggerOf(table),
  };
}

function readLlmFault(table: JsonObject, at: Pointer, report: Report): LlmFault {
  return {
    mode: modeOf(table, LLM_FAULT_MODES, at, report),
    maxTokens: numberAt(table, 'max_tokens') ?? 10,
    delayMs: numberAt(table, 'delay_ms') ?? 300_000,
    driftType: wordOf(table, 'drift_type', DRIFT_TYPES, 'json_field_rename'),
    severity: wordOf(table, 'severity', ['subtle', 'moderate', 'significant'] as const, 'subtle'),
    direction: wordOf(table, 'direction', ['expand', 'compress'] as const, 'expand'),
    factor: numberAt(table, 'factor') ?? 2,
    ...triggerOf(table),
  };
}

function triggerOf(table: JsonObject): FaultTrigger {
  return {
    probability: numberAt(table, 'probability') ?? null,
    afterCalls: Math.max(0, numberAt(table, 'after_calls') ?? 0),
  };
}

function modeOf<T extends string>(table: JsonObject, modes: readonly T[], at: Pointer, report: Report): T {
  requiredText(table, 'mode', at, report, `Modes: ${modes.join(', ')}.`);
  // The first stands in where the schema has refused the word.
  return wordOf(table, 'mode', modes, modes[0] as T);
}

function wordOf<T extends string>(table: JsonObject, key: string, words: readonly T[], otherwise: T): T {
  const written = textAt(table, key);
  return words.find((word) => word === written) ?? otherwise;
}

/** A list, or a table by type in which `enabled = false` takes an attack out. */
function readAttacks(chaos: JsonObject, at: Pointer, report: Report): readonly ContextAttack[] {
  if (!isTable(valueAt(chaos, 'context_attacks'))) {
    return tablesAt(chaos, 'context_attacks').map(({ index, table }) => {
      requiredText(table, 'type', [...at, index], report, `Types: ${CONTEXT_ATTACK_TYPES.join(', ')}.`);
      return readAttack(table, wordOf(table, 'type', CONTEXT_ATTACK_TYPES, 'memory_poisoning'));
    });
  }
  const byType = tableAt(chaos, 'context_attacks');
  return Object.keys(byType).flatMap((key) => {
    const type = CONTEXT_ATTACK_TYPES.find((word) => word === key);
    const table = byType[key];
    if (type === undefined || !isTable(table) || valueAt(table, 'enabled') === false) return [];
    return [readAttack(table, type)];
  });
}

function readAttack(table: JsonObject, type: ContextAttack['type']): ContextAttack {
  const payload = textAt(table, 'payload');
  const payloads = [...textsAt(table, 'payloads'), ...(payload === undefined ? [] : [payload])];
  const texts = payloads.filter((text) => text !== '');
  return {
    type,
    payloads: texts.length > 0 ? texts : [contextAttackTypes[type].payload],
    strategy: wordOf(table, 'strategy', ['append', 'prepend', 'replace'] as const, 'append'),
    probability: numberAt(table, 'trigger_probability') ?? contextAttackTypes[type].probability,
    injectTokens: numberAt(table, 'inject_tokens') ?? 5000,
    injectAt: numberAt(table, 'inject_at') ?? null,
  };
}
