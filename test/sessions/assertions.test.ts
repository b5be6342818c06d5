import { expect, test } from 'vitest';
import { compileJsonSchema } from '../../src/engine/compile-json-schema.ts';
import { compileAssertions } from '../../src/sessions/assertions.ts';
import type { AgentInSession } from '../../src/sessions/agent-moves.ts';
import { Dialogue } from '../../src/sessions/dialogue.ts';
import { compileWorld } from '../../src/sessions/world/declared-world.ts';
import { recordSession } from '../../src/trial/session/record-session.ts';
import type { SessionSubject } from '../../src/types/session.ts';

const WORLD = { state: {}, tools: [] };
const SUBJECT: SessionSubject = {
  kind: 'session',
  world: WORLD,
  user: {
    opening: '',
    goal: null,
    known: [],
    unknown: [],
    replies: [],
    changes: [],
    ends: [],
    verbosity: 'standard',
    typos: 0,
    patience: 1,
  },
  agent: { kind: 'canned', turns: [] },
  gold: null,
  limits: { messages: 3, calls: 3 },
};

test('answers that were refused cost what they cost, as attempts at the answer that the user heard', () => {
  const heard: string[] = [];
  const answers = ['one', 'two', 'three'];
  const agent: AgentInSession = {
    answer: (message) => {
      heard.push(message);
      return { kind: 'says', text: answers.shift() ?? '', usage: { promptTokens: 5, completionTokens: 1 }, model: 'm' };
    },
  };
  const user = {
    begin: () => ({ kind: 'says', text: 'Count.' }) as const,
    hear: (message: string) => {
      heard.push(`user: ${message}`);
      return { kind: 'leaves', why: 'user_done' } as const;
    },
  };
  const assertions = compileAssertions(
    [
      {
        name: 'three',
        kind: 'assert',
        test: { kind: 'says', text: { contains: 'three' } },
        retries: 2,
        feedback: 'Go on.',
      },
      {
        name: 'not one',
        kind: 'suggest',
        test: { kind: 'not_says', text: { contains: 'one' } },
        retries: 1,
        feedback: 'Not one.',
      },
    ],
    compileJsonSchema,
  );
  const world = compileWorld(WORLD, compileJsonSchema);
  const ended = new Dialogue({ world, user, agent, assertions, limits: SUBJECT.limits }).hold();
  const record = recordSession(0, ended, SUBJECT, { wanted: null, userPrice: null });
  expect(heard).toEqual(['Count.', 'Go on.\nNot one.', 'Go on.', 'user: three']);
  expect(record.ledger.map(({ kind, name, attempt }) => [kind, name, attempt])).toEqual([
    ['model', 'm', 1],
    ['model', 'm', 2],
    ['model', 'm', 3],
  ]);
  expect(record.counters).toMatchObject({ retries: 3, llmCalls: 3, llmTokens: 18 });
  expect(record.session?.assertions).toEqual([
    { name: 'three', kind: 'assert', retries: 2, held: true },
    { name: 'not one', kind: 'suggest', retries: 1, held: true },
  ]);
});
