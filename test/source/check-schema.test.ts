import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { checkSchema, pointerText } from '../../src/source/check-schema.ts';
import { schemaViolations } from '../../src/source/fits-schema.ts';
import type { SourceDocument } from '../../src/source/toml-document.ts';
import { parseYaml } from '../../src/source/yaml-document.ts';
import type { Json } from '../../src/types/json.ts';
import { brief, parsed } from './parsed.ts';
import { processorMs } from '../support/processor-time.ts';

// Some of the schemas below have keywords that only the library tests.

const strict = { additionalProperties: false };

const Scenario = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'A name for reports.' }),
    trials: Type.Optional(Type.Integer({ minimum: 1, maximum: 4294967296 })),
    min_pass_rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 8 }), { maxItems: 3, uniqueItems: true })),
    trigger: Type.Optional(
      Type.Object(
        { kind: Type.Union([Type.Literal('manual'), Type.Literal('http')]), payload: Type.Unknown() },
        strict,
      ),
    ),
    env: Type.Optional(Type.Record(Type.String(), Type.String())),
    policy: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
    turns: Type.Optional(
      Type.Array(
        Type.Object({ content: Type.String(), weight: Type.Optional(Type.Number({ exclusiveMinimum: 0 })) }, strict),
      ),
    ),
  },
  strict,
);

function problems(text: string, schema: TSchema, pointer: readonly (string | number)[] = []): readonly string[] {
  return brief(checkSchema(parsed(text), pointer, schema));
}

test('has nothing to say about what is right', () => {
  expect(problems('name = "x"\ntrials = 3\nenv = {A = "1"}\npolicy = ["a"]\n', Scenario)).toEqual([]);
});

test('says all problems of a file at once, in the order of the file', () => {
  const text = [
    'trails = 3', // 1
    'min_pass_rate = 1.5',
    'tags = ["a", "a", "much too long", 3]',
    'policy = 3',
    'turns = [{content = "a", wieght = 1}, {content = 1, weight = 0}, "x"]', // 5
    '[trigger]',
    'kind = "htpp"',
    '[env]',
    'A = 1',
    'B = 1979-05-27',
  ].join('\n');
  expect(problems(text, Scenario)).toEqual([
    'unknown_key 1:1-7 "trails" is not a known key. [Did you mean "trials"?]',
    'missing_key 1:1-2 The file needs the key "name". [A name for reports.]',
    'out_of_range 2:17-20 "min_pass_rate" must be at least 0 and at most 1, not 1.5.',
    'too_long 3:8-38 "tags" has 4 elements; the limit is 3.',
    'bad_value 3:14-17 "tags[1]" repeats "a".',
    'too_long 3:19-34 "tags[2]" has 13 characters; the limit is 8.',
    'wrong_type 3:36-37 "tags[3]" must be a string, not the integer 3.',
    'wrong_type 4:10-11 "policy" must be a string or an array, not the integer 3.',
    'unknown_key 5:26-32 "turns[0].wieght" is not a known key. [Did you mean "weight"?]',
    'wrong_type 5:50-51 "turns[1].content" must be a string, not the integer 1.',
    'out_of_range 5:62-63 "turns[1].weight" must be above 0, not 0.',
    'wrong_type 5:66-69 "turns[2]" must be a table, not the string "x".',
    'missing_key 6:2-9 "trigger" needs the key "payload".',
    'not_allowed 7:8-14 "trigger.kind" cannot be "htpp". [Did you mean "http"?]',
    'wrong_type 9:5-6 "env.A" must be a string, not the integer 1.',
    'wrong_type 10:5-15 "env.B" must be a string, not a date or time.',
  ]);
});

test('a misspelt key is one problem, not a missing and an unknown one', () => {
  expect(problems('nmae = "x"\n', Scenario)).toEqual([
    'unknown_key 1:1-5 "nmae" is not a known key. [Did you mean "name"?]',
  ]);
});

test('never offers a key that is there already', () => {
  expect(problems('name = "x"\nnamee = "y"\n', Type.Object({ name: Type.String() }, strict))).toEqual([
    'unknown_key 2:1-6 "namee" is not a known key. [Did you mean "name"?]',
  ]);
});

test.each([
  ['an empty string', 'name = ""', 'out_of_range 1:8-10 "name" must not be empty. [A name for reports.]'],
  ['inf', 'name = "x"\nmin_pass_rate = inf', 'wrong_type 2:17-20 "min_pass_rate" must be a number, not inf or nan.'],
  ['a float', 'name = "x"\ntrials = 1.5', 'wrong_type 2:10-13 "trials" must be an integer, not the number 1.5.'],
  ['a boolean', 'name = "x"\ntrials = true', 'wrong_type 2:10-14 "trials" must be an integer, not true.'],
  ['a table', 'name = "x"\n[trials]', 'wrong_type 2:2-8 "trials" must be an integer, not a table.'],
  ['an empty array', 'name = "x"\ntrials = []', 'wrong_type 2:10-12 "trials" must be an integer, not an empty array.'],
  [
    'a key of the prototype',
    'name = "x"\ntoString = 1',
    'unknown_key 2:1-9 "toString" is not a known key. [Known keys: name, trials, min_pass_rate, tags, trigger, env, policy, turns.]',
  ],
])('speaks the words of TOML about %s', (_name, text, expected) => {
  expect(problems(text, Scenario)).toEqual([expected]);
});

const Start = Type.Union([
  Type.Object({ source: Type.Literal('manual'), name: Type.String() }, strict),
  Type.Object(
    { source: Type.Literal('http'), name: Type.String(), method: Type.String(), path: Type.String() },
    strict,
  ),
]);

test.each([
  [
    'the branch its key names',
    'source = "http"\nname = 1',
    [
      'missing_key 1:1-2 The file needs the key "method".',
      'missing_key 1:1-2 The file needs the key "path".',
      'wrong_type 2:8-9 "name" must be a string, not the integer 1.',
    ],
  ],
  [
    'the key that names a branch',
    'source = "htp"\nfoo = 1',
    ['not_allowed 1:10-15 "source" cannot be "htp". [Did you mean "http"?]'],
  ],
  ['its absence', 'name = "x"', ['missing_key 1:1-2 The file needs the key "source". [Allowed values: manual, http.]']],
  [
    'its wrong type',
    'source = 3',
    ['wrong_type 1:10-11 "source" must be a string, not the integer 3. [Allowed values: manual, http.]'],
  ],
])('of a union, speaks only of %s', (_name, text, expected) => {
  expect(problems(text, Start)).toEqual(expected);
});

test('of a union without such a key, speaks of the branch with the fewest problems', () => {
  const Test = Type.Union([
    Type.Object({ equals: Type.Unknown() }, strict),
    Type.Object({ contains: Type.String(), ignore_case: Type.Optional(Type.Boolean()) }, strict),
  ]);
  expect(problems('contains = "x"\nignore_case = 1\n', Test)).toEqual([
    'wrong_type 2:15-16 "ignore_case" must be true or false, not the integer 1.',
  ]);
});

test('checks a part of a document, and says when it is not there', () => {
  const document = parsed('[a.b]\nc = 1\n');
  expect(brief(checkSchema(document, ['a', 'b'], Type.Object({ c: Type.String() })))).toEqual([
    'wrong_type 2:5-6 "a.b.c" must be a string, not the integer 1.',
  ]);
  expect(brief(checkSchema(document, ['a', 'x'], Type.Object({})))).toEqual(['missing_key 1:2-3 "a.x" is missing.']);
});

test('takes enums, constants, tuples, patterns, intersections and recursive schemas', () => {
  const Any = Type.Object({
    enum: Type.Enum(['x', 'y']),
    const: Type.Literal(3),
    mixed: Type.Union([Type.Literal('auto'), Type.Integer({ minimum: 1 })]),
    other: Type.Union([Type.Literal('auto'), Type.Literal('none'), Type.Integer({ minimum: 1 })]),
    tuple: Type.Tuple([Type.String(), Type.Integer()]),
    pattern: Type.String({ pattern: '^[a-z]+$', description: 'Lower-case letters.' }),
    both: Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]),
    either: Type.Union([Type.String(), Type.Cyclic({ N: Type.Object({ n: Type.Optional(Type.Ref('N')) }) }, 'N')]),
    tree: Type.Cyclic({ Node: Type.Object({ next: Type.Optional(Type.Ref('Node')), v: Type.Integer() }) }, 'Node'),
  });
  const text = [
    'enum = "z"',
    'const = 4',
    'mixed = "atuo"',
    'other = "xyz"',
    'tuple = [1, "x"]',
    'pattern = "ABC"',
    'both = {a = 1}',
    'either = {n = {n = {n = 1}}}',
    'tree = {v = 1, next = {v = 2, next = {v = "x"}}}',
  ].join('\n');
  expect(problems(text, Any)).toEqual([
    'not_allowed 1:8-11 "enum" cannot be "z". [Known values: x, y.]',
    'not_allowed 2:9-10 "const" must be 3, not 4.',
    'not_allowed 3:9-15 "mixed" cannot be "atuo". [Did you mean "auto"?]',
    'not_allowed 4:9-14 "other" cannot be "xyz". [Use auto, none or an integer.]',
    'wrong_type 5:10-11 "tuple[0]" must be a string, not the integer 1.',
    'wrong_type 5:13-16 "tuple[1]" must be an integer, not the string "x".',
    'bad_value 6:11-16 "pattern" cannot be "ABC". [Lower-case letters.]',
    'missing_key 7:8-15 "both" needs the key "b".',
    'wrong_type 7:13-14 "both.a" must be a string, not the integer 1.',
    'wrong_type 8:25-26 "either.n.n.n" must be a table, not the integer 1.',
    'wrong_type 9:43-46 "tree.next.next.v" must be an integer, not the string "x".',
  ]);
});

test('a key whose name is not allowed is told with what names have to be', () => {
  expect(
    problems(
      'a = {b = 1, c = 2}',
      Type.Object({ a: Type.Unsafe({ type: 'object', propertyNames: { pattern: '^b$' } }) }),
    ),
  ).toEqual(['bad_value 1:13-14 "a.c" has a name that is not allowed. [It has to match ^b$.]']);
});

test('counts what is beyond 200 problems instead of listing it, in little time', () => {
  const started = processorMs();
  const found = checkSchema(parsed(`a = [${'1,'.repeat(50_000)}]`), [], Type.Object({ a: Type.Array(Type.String()) }));
  expect(found.length).toBe(201);
  expect(found.at(-1)).toEqual({
    code: 'too_many',
    severity: 'error',
    message: 'There are 49800 more problems in "a.toml".',
    at: { file: 'a.toml', line: 1, column: 1 },
  });
  expect(processorMs() - started).toBeLessThan(5000);
});

test.each([
  ['YAML', 'a.yaml', 'must be a string, not nothing.'],
  ['JSON', 'a.json', 'must be a string, not null.'],
])('null of a %s file is called what it is there', async (_name, path, problem) => {
  const parsed = await parseYaml({ path, name: path, text: '{"a": null}' });
  const document = parsed.ok ? parsed.document : null;
  const [issue] = checkSchema(document as SourceDocument, [], Type.Object({ a: Type.String() }));
  expect(issue?.message).toBe(`"a" ${problem}`);
});

test('writes places as users write them', () => {
  expect(pointerText(['a', 0, 'b-c', 'd e', 'x'.repeat(99)])).toBe(`a[0].b-c.'d e'.${'x'.repeat(60)}…`);
});

const schema = fc.letrec<{ schema: TSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<TSchema>(
      Type.String(),
      Type.String({ minLength: 2 }),
      Type.Integer({ minimum: 1 }),
      Type.Number({ exclusiveMaximum: 2 }),
      Type.Boolean(),
      Type.Literal('a'),
      Type.Enum(['a', 'b', 'cc']),
      Type.Unknown(),
    ),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((branches) => Type.Union(branches)),
    tie('schema').map((items) => Type.Array(items, { minItems: 1, uniqueItems: true })),
    tie('schema').map((values) => Type.Record(Type.String(), values)),
    fc
      .tuple(fc.dictionary(fc.constantFrom('a', 'b', 'type'), tie('schema')), fc.boolean(), fc.boolean())
      .map(([properties, isStrict, isOptional]) => {
        const declared = Object.entries(properties).map(([key, inner]) => [
          key,
          isOptional ? Type.Optional(inner) : inner,
        ]);
        return Type.Object(Object.fromEntries(declared), isStrict ? strict : {});
      }),
  ),
})).schema;

const data = fc.letrec<{ data: Json }>((tie) => ({
  data: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>('a', 'b', 'cc', '', 0, 1, 1.5, 3, true, null),
    fc.array(tie('data'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'type', 'c'), tie('data')),
  ),
})).data;

test('explains exactly what the validator refuses', () => {
  fc.assert(
    fc.property(schema, data, (type, value) => {
      const violations = schemaViolations(type, value);
      expect(violations.length === 0).toBe(Compile(type).Check(value));
    }),
    { numRuns: 2000 },
  );
});
