import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contextAttackTypes } from '../../../src/faults/chaos/context-attack-types.ts';
import { llmFaultTypes } from '../../../src/faults/chaos/llm-fault-types.ts';
import { toolFaultTypes } from '../../../src/faults/chaos/tool-fault-types.ts';
import { CONTEXT_ATTACK_TYPES, LLM_FAULT_MODES, TOOL_FAULT_MODES } from '../../../src/types/chaos.ts';
import { anAttack, anLlmFault, aToolFault } from './a-chaos.ts';

const DOCS = readFileSync('docs/chaos.md', 'utf8');
const LISTS = [
  ['tool_fault', toolFaultTypes, TOOL_FAULT_MODES],
  ['llm_fault', llmFaultTypes, LLM_FAULT_MODES],
  ['context_attack', contextAttackTypes, CONTEXT_ATTACK_TYPES],
] as const;

test.each(LISTS)('every %s has its word, a summary and a place in the documentation', (kind, types, words) => {
  expect(Object.keys(types).sort()).toEqual([...words].sort());
  for (const [word, one] of Object.entries(types)) {
    expect([one.kind, one.type]).toEqual([kind, word]);
    expect(one.summary).toMatch(/^[A-Z].*\.$/);
    expect(DOCS).toContain(`\`${word}\``);
  }
});

test.each(TOOL_FAULT_MODES)('a tool that is struck by %s answers otherwise, later or not at all', (mode) => {
  const { reply, delayMs, isDelay, isBody, detail } = toolFaultTypes[mode];
  const fault = aToolFault({ mode });
  expect(reply === undefined).toBe(delayMs !== undefined);
  if (isDelay === true) expect(reply).toBeUndefined();
  if (isBody === true) expect(reply?.(fault).status).toBe(200);
  expect(detail(fault)).toEqual(expect.any(String));
});

test.each(LLM_FAULT_MODES)('the answer under %s is a text, and the same each time', (mode) => {
  const { change, detail } = llmFaultTypes[mode];
  const fault = anLlmFault({ mode });
  const content = '{"action": "buy", "name": "blue mug"}';
  if (change !== undefined) expect(change(content, fault)).toBe(change(content, fault));
  expect(change === undefined).toBe(mode === 'timeout' || mode === 'rate_limit');
  expect(detail(fault)).toEqual(expect.any(String));
});

test.each(CONTEXT_ATTACK_TYPES)('%s has something to put somewhere by itself', (type) => {
  const { payload, probability, strikes } = contextAttackTypes[type];
  expect([payload.trim(), probability > 0 && probability <= 1]).toEqual([expect.stringMatching(/./), true]);
  expect(['prompt', 'result', 'document']).toContain(strikes);
  expect(anAttack({ type }).type).toBe(type);
});
