import { expect, test } from 'vitest';
import { modelFamily } from '../../src/judges/model-family.ts';
import { sameFamily } from '../../src/judges/same-family.ts';
import { answerTurn } from '../../src/values/blank-record.ts';
import { aRecord } from './a-record.ts';

test.each([
  ['gpt-4.1-mini', 'openai'],
  ['openai/gpt-4.1', 'openai'],
  ['ft:gpt-4o-mini-2024-07-18:acme::7', 'openai'],
  ['o1-mini', 'openai'],
  ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'anthropic'],
  ['claude-3-5-haiku@20241022', 'anthropic'],
  ['models/gemini-2.5-pro', 'google'],
  ['meta-llama/Llama-3.3-70B-Instruct', 'meta'],
  ['llama3:8b', 'meta'],
  ['deepseek-ai/DeepSeek-R1', 'deepseek'],
  ['phillip-7b', null],
  ['judge-7', null],
  ['', null],
])('the family of %s is %s', (model, family) => {
  expect(modelFamily(model)).toBe(family);
});

test('a trial whose answers name a model of the judge is not shown to it, unless that is allowed', () => {
  const record = aRecord('Yes.');
  const turns = [...record.turns, answerTurn('Anything else?', { model: 'gpt-4.1' })];
  const endpoint = { provider: 'openai', model: 'gpt-4o-mini' } as const;
  const judge = {
    name: 'j',
    models: [{ name: 'm', backend: 'judge:j/m', endpoint }],
    criteria: [{ id: 'c', text: 'It is.' }],
    background: '',
    repeats: 1,
  };
  expect(sameFamily(judge, { ...record, turns })).toContain('same family as gpt-4.1');
  expect(sameFamily({ ...judge, allowsFamily: true }, { ...record, turns })).toBeNull();
  expect(sameFamily(judge, record)).toBeNull();
  // Who takes answers apart decides what is judged.
  const [splitter] = judge.models;
  const apart = { ...judge, models: [], claims: { minScore: 1, ...(splitter && { splitter }) } };
  expect(sameFamily(apart, { ...record, turns })).toContain('same family as gpt-4.1');
});
