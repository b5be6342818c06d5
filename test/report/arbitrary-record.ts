import fc from 'fast-check';
import { COMPLETED, newRecord } from '../../src/values/blank-record.ts';
import type { Json } from '../../src/types/json.ts';
import { FINISH_REASONS, type MessagePart } from '../../src/types/message.ts';
import type { AnswerFacts, TrialRecord, Turn } from '../../src/types/record.ts';

/** A record of nothing. */
export const BARE: TrialRecord = newRecord({ trial: 0, ending: COMPLETED });

/** What a turn is besides who said what. */
export const SAID = { intended: null, answer: null } as const;

const text = fc.string({ unit: 'binary', maxLength: 8 });
/** Few, so that results meet their calls. */
const word = fc.constantFrom('', 'a', 'b', 'c');
/** As it is read again: JSON has no -0. */
const json = fc
  .jsonValue({ maxDepth: 2, stringUnit: 'binary' })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);
const orNull = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(values, { nil: null });

const call: fc.Arbitrary<MessagePart> = fc.record(
  {
    kind: fc.constant('tool_call' as const),
    id: word,
    name: word,
    args: fc.oneof(
      fc.dictionary(word, json).map((args) => ({ ...args })),
      json,
    ),
    problem: text,
    signature: text,
  },
  { requiredKeys: ['kind', 'id', 'name', 'args'] },
);
const result: fc.Arbitrary<MessagePart> = fc.record(
  {
    kind: fc.constant('tool_result' as const),
    id: word,
    name: word,
    result: fc.oneof(text, json),
    isError: fc.constant(true as const),
  },
  { requiredKeys: ['kind', 'id', 'name', 'result'] },
);
const said: fc.Arbitrary<MessagePart> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text }),
  fc.record({ kind: fc.constant('reasoning' as const), text, signature: text }, { requiredKeys: ['kind', 'text'] }),
  fc.record({
    kind: fc.constant('media' as const),
    contentType: orNull(fc.constantFrom('image/png', 'image/tiff', 'audio/wav')),
    url: text,
  }),
);

const count = orNull(fc.nat());
const answer: fc.Arbitrary<AnswerFacts> = fc.record({
  problem: orNull(text),
  asked: fc.boolean(),
  struck: fc.constantFrom([], ['llm' as const]),
  struckBy: fc.array(text, { maxLength: 2 }),
  showsCalls: fc.boolean(),
  latencyMs: orNull(fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0)),
  chunks: orNull(fc.array(fc.record({ atMs: fc.nat(), parts: fc.array(said, { maxLength: 2 }) }), { maxLength: 2 })),
  tokens: count,
  usage: orNull(
    fc.record({
      promptTokens: count,
      completionTokens: count,
      cachedTokens: count,
      cacheWriteTokens: count,
      reasoningTokens: count,
    }),
  ),
  finish: orNull(fc.constantFrom(...FINISH_REASONS)),
  model: orNull(text),
  reference: orNull(text),
});

const plain = (role: Turn['role'], parts: readonly MessagePart[]): Turn => ({ role, parts, ...SAID });

/** An answer with calls, and turns that answer them, be it one for all or one for each. */
const exchange: fc.Arbitrary<readonly Turn[]> = fc
  .record({
    before: fc.array(said, { maxLength: 2 }),
    calls: fc.array(fc.record({ name: word, args: fc.dictionary(word, json), result: json }), {
      minLength: 1,
      maxLength: 3,
    }),
    answer: orNull(answer),
    isApart: fc.boolean(),
    isError: fc.boolean(),
  })
  .map(({ before, calls, answer: facts, isApart, isError }) => {
    const results = calls.map(
      ({ name, result: given }, at): MessagePart => ({
        kind: 'tool_result',
        id: `${at}`,
        name,
        result: given,
        ...(isError && { isError }),
      }),
    );
    const asked = calls.map(
      ({ name, args }, at): MessagePart => ({ kind: 'tool_call', id: `${at}`, name, args: { ...args } }),
    );
    return [
      { role: 'assistant', parts: [...before, ...asked], intended: null, answer: facts },
      ...(isApart ? results.map((one) => plain('tool', [one])) : [plain('tool', results)]),
    ];
  });

/** Whatever the types allow, likely or not. */
const turn: fc.Arbitrary<Turn> = fc.record({
  role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
  parts: fc.array(fc.oneof(said, call, result), { maxLength: 4 }),
  intended: orNull(text),
  answer: orNull(answer),
});

/** Records with whatever may be said in them, and a little of everything else. */
export const arbitraryRecord: fc.Arbitrary<TrialRecord> = fc
  .record({
    trial: fc.nat(),
    turns: fc
      .array(
        fc.oneof(
          exchange,
          turn.map((one) => [one]),
          fc.array(said, { maxLength: 2 }).map((parts) => [plain('user', parts)]),
        ),
        {
          maxLength: 4,
        },
      )
      .map((all) => all.flat()),
    calls: orNull(
      fc.array(
        fc.record({
          port: word,
          names: fc.array(text, { maxLength: 2 }),
          by: text,
          turn: fc.nat(),
          args: json,
          result: json,
          problem: orNull(text),
          denied: fc.boolean(),
          struckBy: fc.array(text, { maxLength: 1 }),
        }),
        { maxLength: 2 },
      ),
    ),
    ledger: fc.array(
      fc.record({
        kind: fc.constantFrom('model', 'tool', 'judge'),
        name: text,
        attempt: fc.constant(1),
        units: fc.nat(),
        usage: fc.constantFrom(null, {
          promptTokens: 3,
          completionTokens: 2,
          cachedTokens: 1,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
        }),
        nanoUsd: count,
      }),
      { maxLength: 3 },
    ),
    world: orNull(fc.record({ files: fc.constant(null), state: orNull(fc.record({ before: json, after: json })) })),
    documents: orNull(fc.array(fc.record({ source: orNull(text), text }), { maxLength: 2 })),
    struck: orNull(
      fc.array(fc.record({ fault: text, kind: fc.constant('tool' as const), fired: fc.nat() }), { maxLength: 2 }),
    ),
    cuts: fc.array(
      fc.oneof(
        fc.record({ at: text, entries: fc.nat() }),
        fc.record({ at: text, bytes: fc.nat(), sha256: fc.constant('ab') }),
      ),
      { maxLength: 2 },
    ),
  })
  .map((some) => ({ ...BARE, ...some }));
