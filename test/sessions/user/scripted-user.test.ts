import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveWords } from '../../../src/random/draw.ts';
import { compileUser, type ScriptedMove } from '../../../src/sessions/user/scripted-user.ts';
import { userDraws } from '../../../src/sessions/user/user-draws.ts';
import type { ScriptedUser } from '../../../src/types/sessions/session-user.ts';

const SCRIPT: ScriptedUser = {
  opening: 'I want my money back.',
  goal: null,
  known: [
    { name: 'order', value: 'O-1', asked: ['(?i)order'], says: 'It is {{value}}.' },
    { name: 'email', value: 'a@b.example', asked: ['(?i)mail'], says: '{{value}}' },
  ],
  unknown: ['(?i)serial number'],
  replies: [{ when: '(?i)sure', says: 'Yes.', times: 1 }],
  changes: [],
  ends: [],
  verbosity: 'standard',
  typos: 0,
  patience: 2,
};

function userOf(script: Partial<ScriptedUser> = {}, trial = 0, seed = 1) {
  return compileUser({ ...SCRIPT, ...script })(userDraws(deriveWords(seed, 'task'), trial));
}

const said = (move: ScriptedMove): string => (move.kind === 'says' ? move.text : `(${move.why})`);

test('the user says what is asked for, several things at once, as often as asked', () => {
  const user = userOf();
  expect(user.opening).toBe('I want my money back.');
  expect(said(user.hear('Which order, and what is your e-mail address?'))).toBe('It is O-1. a@b.example');
  expect(said(user.hear('Sorry, which order?'))).toBe('It is O-1.');
});

test('a brief user says the value alone', () => {
  expect(said(userOf({ verbosity: 'brief' }).hear('Which order?'))).toBe('O-1');
});

test('a chatty user says the same with small talk around it', () => {
  expect(said(userOf({ verbosity: 'chatty' }).hear('Which order?'))).toMatch(/^\S.* It is O-1\. \S/);
});

test('the user does not know what the script says is unknown', () => {
  expect(said(userOf().hear('What is the serial number?'))).toBe("I don't know that, sorry.");
});

test('a reply is said as often as the script allows', () => {
  const user = userOf();
  expect(said(user.hear('Are you sure?'))).toBe('Yes.');
  expect(said(user.hear('Are you sure?'))).toBe("I'm not sure what you need from me.");
});

test('a message that asks nothing ends the conversation, and so does one that the script waits for', () => {
  expect(said(userOf().hear('Done.'))).toBe('(user_done)');
  expect(said(userOf({ ends: ['(?i)paid back'] }).hear('Done.'))).toBe("I'm not sure what you need from me.");
  expect(said(userOf({ ends: ['(?i)paid back'] }).hear('Paid back, anything else?'))).toBe('(user_done)');
});

test('a user who is asked for nothing that makes sense gives up, and patience begins anew with each answer', () => {
  const user = userOf();
  expect(said(user.hear('Colour?'))).toBe("I'm not sure what you need from me.");
  expect(said(user.hear('Order?'))).toBe('It is O-1.');
  expect(said(user.hear('Colour?'))).toBe("I'm not sure what you need from me.");
  expect(said(user.hear('Colour?'))).toBe('(user_gave_up)');
});

test('a change of mind is said once, when its time has come, and changes what the user knows', () => {
  const changes = [{ after: 2, chance: 1, says: 'No, wait.', known: { order: 'O-2' } }];
  const user = userOf({ changes });
  expect(said(user.hear('Order?'))).toBe('It is O-1.');
  expect(said(user.hear('Order?'))).toBe('No, wait. It is O-2.');
  expect(said(user.hear('Order?'))).toBe('It is O-2.');
});

test('how often a change of mind happens follows its chance', () => {
  const changes = [{ after: 1, chance: 0.25, says: 'No, wait.', known: {} }];
  const trials = 4000;
  let changed = 0;
  for (let trial = 0; trial < trials; trial++) {
    if (said(userOf({ changes }, trial).hear('Order?')).startsWith('No, wait.')) changed++;
  }
  // Four standard errors of a share of one in four.
  expect(Math.abs(changed / trials - 0.25)).toBeLessThan(4 * Math.sqrt((0.25 * 0.75) / trials));
});

test('law: the same seed and trial give the same user, and typing errors touch nothing that names something', () => {
  const script = { typos: 0.5, verbosity: 'chatty' as const };
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.array(fc.constantFrom('Order?', 'E-mail?', 'Colour?', 'Done.')),
      (trial, messages) => {
        const talk = (): readonly string[] => {
          const user = userOf(script, trial);
          return [user.opening, ...messages.map((message) => said(user.hear(message)))];
        };
        expect(talk()).toEqual(talk());
        const user = userOf(script, trial);
        expect(said(user.hear('Order and e-mail?'))).toMatch(/O-1\..* a@b\.example/);
      },
    ),
  );
});

test('typing errors strike about as many words as the script says', () => {
  const text = 'please bring back what was taken from this shop last week';
  let struck = 0;
  const words = text.split(' ');
  const trials = 500;
  for (let trial = 0; trial < trials; trial++) {
    const typed = userOf({ opening: text, typos: 0.3 }, trial).opening.split(' ');
    struck += typed.filter((word, at) => word !== words[at]).length;
  }
  // Swapping two equal letters changes nothing, so that a few are not seen.
  expect(struck / (trials * words.length)).toBeGreaterThan(0.22);
  expect(struck / (trials * words.length)).toBeLessThan(0.34);
});
