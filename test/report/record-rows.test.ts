import { expect, test } from 'vitest';
import { recordFacts } from '../../src/report/record-rows.ts';
import { answerTurn, COMPLETED, newCall, newRecord, promptTurn } from '../../src/values/blank-record.ts';
import type { Turn } from '../../src/types/record.ts';

const calling: Turn = {
  ...answerTurn('', { showsCalls: true }),
  parts: [{ kind: 'tool_call', id: 'call-1', name: 'pay', args: {} }],
};
const result: Turn = {
  role: 'tool',
  parts: [{ kind: 'tool_result', id: 'call-1', name: 'pay', result: 'paid' }],
  intended: null,
  answer: null,
};

test('of a session the messages of the user are counted that were answered, whatever was called on the way', () => {
  const said = (text: string) => answerTurn(text, { showsCalls: true });
  const turns = [promptTurn('Pay.'), calling, result, calling, result, said('How much?'), promptTurn('12.')];
  const calls = [
    newCall({ port: 'tool', names: ['pay'], turn: 1 }),
    newCall({ port: 'tool', names: ['pay'], turn: 3 }),
  ];
  const factsOf = (last: readonly Turn[]) =>
    recordFacts(newRecord({ trial: 0, ending: COMPLETED, turns: [...turns, ...last], calls }));
  expect(factsOf([said('Thank you.')])).toEqual(['2 of 2 prompts', '2 calls seen']);
  expect(factsOf([])).toEqual(['1 of 2 prompts', '2 calls seen']);
  expect(factsOf([answerTurn('', { problem: 'HTTP 500' })])).toEqual(['1 of 2 prompts', '2 calls seen']);
});
