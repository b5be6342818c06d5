import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ModelUser, type UserAnswer } from '../../../src/sessions/user/model-user.ts';
import { BEGIN, LAST_MESSAGE } from '../../../src/sessions/user/user-prompt.ts';
import { MOST_SAID, readUserMessage } from '../../../src/sessions/user/user-rules.ts';
import type { Message } from '../../../src/types/message.ts';
import type { PersonaCard } from '../../../src/types/sessions/session-user.ts';
import { textOf } from '../../../src/values/message-text.ts';

const CARD: PersonaCard = {
  opening: null,
  who: 'Ms Ito, a courier.',
  goal: 'A refund of 35 of 1200 euros for order R-100, bought on 2026-03-07.',
  known: [
    { name: 'e-mail', value: 'ito@mail.example' },
    { name: 'phone', value: '555-0199-77' },
  ],
  unknown: ['the serial number'],
  hidden: ['SN-4711', 'Oak Street'],
  manner: [{ name: 'language', value: 'English' }],
  ends: null,
};

const AGENT = 'You can have 20 euros by 14:30 if you confirm at https://desk.example/r/88 today.';

function moveOf(text: string, { heard = [AGENT], isLast = false, finish = 'stop' as 'stop' | 'filtered' } = {}) {
  const move = readUserMessage(text, finish, { card: CARD, heard, isLast });
  return move.kind === 'says' ? `says ${move.text}` : move.kind === 'leaves' ? move.why : move.rule;
}

test.each<[string, string]>([
  ['It is R-100, and my phone is (555) 019977.', 'the phone, written in another way'],
  ['I bought it on 07/03/2026, the 7th of March.', 'the date'],
  ['35.00 euros, please, to Ito@Mail.example.', 'what it wants'],
  ['OK, 20 euros at 14:30. I looked at https://desk.example/r/88', 'what the agent said'],
  ['It broke after 5 minutes!', 'single digits'],
  ['It cost 1,200.00, says the invoice of 1200.', 'a sum in another notation'],
  ['Sorry, I cannot help with the serial number, I do not know it.', 'what it does not know'],
  ['20', 'one word of the agent'],
])('a user may say %j: %s', (text) => {
  expect(moveOf(text)).toBe(`says ${text}`);
});

test.each<[string, string, object?]>([
  ['', 'empty'],
  [' \n ', 'empty'],
  ['[DONE]', 'user_done'],
  ['Great, thank you! [done]', 'user_done'],
  ['[GIVE UP]', 'user_gave_up'],
  ['[DONE]', 'ends_early', { heard: [] }],
  ['And when will it arrive? [DONE]', 'ends_early'],
  ['Anything else I should know?', 'never_ends', { isLast: true }],
  ['[GIVE UP]', 'user_gave_up', { isLast: true }],
  ['My order is R-200.', 'invents_value'],
  ['Call me at 555-0144.', 'invents_value'],
  ['Write to bob@mail.example.', 'invents_value'],
  ['See https://elsewhere.example/x', 'invents_value'],
  ['The serial number is sn 4711.', 'reveals_unknown'],
  ['I live in oak street.', 'reveals_unknown'],
  ['How can I help you today?', 'speaks_as_agent'],
  ['As an AI language model, I have no order.', 'speaks_as_agent'],
  ['I want a refund.\nAgent: Which order?', 'speaks_as_agent'],
  ["I'm sorry, but I can't assist with that.", 'refuses'],
  ['I will not pretend to be a customer.', 'refuses'],
  ['Fine.', 'refuses', { finish: 'filtered' }],
  [AGENT, 'echoes'],
  [`"${AGENT.toUpperCase()}" is what you say.`, 'echoes'],
  ['My order is R-78.', 'invents_value'],
])('%j is %s', (text, expected, context = {}) => {
  expect(moveOf(text, context)).toBe(expected);
});

test('a value that the agent has told is no secret of the user any more', () => {
  expect(moveOf('Yes, SN-4711.', { heard: ['Is it SN-4711?'] })).toBe('says Yes, SN-4711.');
});

test('more than a user writes is no answer', () => {
  expect(moveOf('x'.repeat(MOST_SAID + 1))).toBe('no_answer');
});

test('any text is read at once, and what it says is said, or is a breach of a rule', () => {
  const worst = ['a@'.repeat(9000), 'i '.repeat(9000), '\n'.repeat(19_000), '1a'.repeat(9000), '@.'.repeat(9000)];
  const anyText = fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: 'grapheme' }), fc.constantFrom(...worst));
  fc.assert(
    fc.property(anyText, fc.boolean(), (text, isLast) => {
      const move = readUserMessage(text, null, { card: CARD, heard: [AGENT], isLast });
      expect(['says', 'leaves', 'fails']).toContain(move.kind);
      if (move.kind === 'says') expect(move.text).toBe(text.trim());
    }),
  );
});

function user(answers: readonly UserAnswer[], card: Partial<PersonaCard> = {}) {
  const asked: (readonly Message[])[] = [];
  const one = new ModelUser(
    { kind: 'model', model: 'shopper', card: { ...CARD, ...card }, turns: [], mostFailures: 0.1 },
    (messages) => {
      asked.push(messages);
      return answers[asked.length - 1] ?? { kind: 'error', message: 'no more' };
    },
  );
  return { one, asked };
}

const says = (text: string, tokens = 7): UserAnswer => ({
  kind: 'answer',
  text,
  finish: 'stop',
  usage: { promptTokens: tokens, completionTokens: 1, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
});

test('the model hears the rules, the card without its secrets, and the conversation from its own side', () => {
  const { one, asked } = user([says('A refund, please.'), says('R-100')]);
  expect(one.begin()).toEqual({ kind: 'says', text: 'A refund, please.' });
  one.hear('Which order?', true);
  const last = (asked[1] ?? []).map(({ role, parts }) => [role, textOf(parts)]);
  expect(last.slice(1)).toEqual([
    ['user', BEGIN],
    ['assistant', 'A refund, please.'],
    ['user', `Which order?${LAST_MESSAGE}`],
  ]);
  const [role, prompt = ''] = last[0] ?? [];
  expect(role).toBe('system');
  expect(prompt).toContain('"e-mail": "ito@mail.example"');
  expect(prompt).not.toContain('4711');
});

test('an opening of the card is said word for word, and nobody is asked for it', () => {
  const { one, asked } = user([], { opening: 'Hello.' });
  expect(one.begin()).toEqual({ kind: 'says', text: 'Hello.' });
  expect(asked).toEqual([]);
});

test('what it took is summed, and a breach stays', () => {
  const { one } = user([says('Hello.'), says('Order R-777', 9)]);
  one.begin();
  one.hear('Which?', false);
  expect(one.simulated.facts).toEqual({
    model: 'shopper',
    broke: 'invents_value',
    calls: 2,
    promptTokens: 16,
    completionTokens: 2,
  });
});
