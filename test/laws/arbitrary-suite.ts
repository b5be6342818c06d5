import fc from 'fast-check';
import { stringify, type TomlTable } from 'smol-toml';

/** A suite of scenario files and child workflows by name, whose keys stand in any order. */
export type SuiteFiles = Readonly<Record<string, string>>;

/** Names that sort in another order than they are written, or that an object lists before all others. */
const KEYS = ['zz', 'aa', 'm', 'B', 'b', '10', '2', 'é', 'constructor'];

/** Several scenarios of several blocks: some trials pass, fail, err and are repaired, each where the order of keys shows. */
export const arbitrarySuite: fc.Arbitrary<SuiteFiles> = fc
  .array(arbitraryScenario(), { minLength: 1, maxLength: 3 })
  .map((scenarios) =>
    Object.fromEntries(
      scenarios.flatMap(({ children, ...table }, at): [string, string][] => [
        // Each scenario has children of its own.
        [`s${at}.toml`, stringify({ name: `s${at}`, ...table }).replaceAll('OWN-', `s${at}-`)],
        ...Object.entries(children).map(([file, child]): [string, string] => [
          `s${at}-${file}`,
          stringify(child as TomlTable),
        ]),
      ]),
    ),
  );

function arbitraryScenario(): fc.Arbitrary<TomlTable & { readonly children: TomlTable }> {
  return fc
    .record({
      childNames: fc.shuffledSubarray(['b.wf', 'a.wf', '10.wf', '2.wf', 'Z.wf'], { minLength: 2, maxLength: 4 }),
      properties: fc.shuffledSubarray(KEYS, { minLength: 2, maxLength: 5 }),
      answers: fc.array(arbitraryAnswer(), { minLength: 1, maxLength: 4 }),
      files: fc.shuffledSubarray(['/z.txt', '/a.txt', '/m/x.txt', '/1.txt'], { minLength: 2 }),
      wrongFile: fc.boolean(),
      trials: fc.constantFrom(1, 5, 4096, 4097, 9000),
      repairs: fc.constantFrom(0, 0, 1),
      bar: fc.constantFrom(0.1, 0.5, 1),
      status: fc.constantFrom('completed', 'errored'),
    })
    .chain((drawn) => shuffled(scenarioOf(drawn)).map((table) => ({ ...table, children: childrenOf(drawn) })));
}

interface Drawn {
  readonly childNames: readonly string[];
  readonly properties: readonly string[];
  readonly answers: readonly string[];
  readonly files: readonly string[];
  readonly wrongFile: boolean;
  readonly trials: number;
  readonly repairs: number;
  readonly bar: number;
  readonly status: string;
}

/** Asks for an object, calls each child with it, and shows what it got in a text. */
function scenarioOf(drawn: Drawn): TomlTable {
  const { childNames, properties, answers, files, wrongFile, trials, repairs, bar, status } = drawn;
  const calls = childNames.map((child, at) => ({
    id: `call${at}`,
    type: 'call',
    workflow: `OWN-${child}`,
    input_from: 'ask.parsed',
  }));
  const workflow = {
    name: 'order',
    start_nodes: [{ name: 'main', source: 'manual', entry_node: 'ask' }],
    nodes: [
      {
        id: 'ask',
        type: 'llm_infer',
        backend: 'default',
        prompt: 'Give me {{wanted}}.',
        input_from: 'trigger',
        output_repairs: repairs,
        output_schema: { type: 'object', properties: schemaOf(properties), required: properties.slice(0, 2) },
      },
      { id: 'show', type: 'template_render', template: '{{parsed}} for {{parsed.zz}}', input_from: 'ask' },
      ...calls,
      { id: 'end', type: 'terminate' },
    ],
    edges: ['ask', 'show', ...calls.map(({ id }) => id)].map((from, at, all) => ({ from, to: all[at + 1] ?? 'end' })),
  };
  return {
    trials,
    min_pass_rate: bar,
    workflow: { inline: stringify(workflow) },
    trigger: { payload: { wanted: Object.fromEntries(properties.map((key, at) => [key, { [key]: at, a: at }])) } },
    intel: { turns: [{ variants: answers.map((content) => ({ content })) }] },
    world: { files: Object.fromEntries(files.map((file, at) => [file, `content ${at}`])) },
    expected: {
      status,
      files: {
        contain: Object.fromEntries(
          files.map((file, at) => [file, wrongFile && at === 0 ? 'nothing' : `content ${at}`]),
        ),
      },
      values: [{ node: 'show', path: 'rendered', contains: 'for' }],
    },
  };
}

function schemaOf(properties: readonly string[]): TomlTable {
  return Object.fromEntries(properties.map((key, at) => [key, { type: at % 2 === 0 ? 'number' : 'string' }]));
}

/** Objects with keys in any order, of right and wrong types, and texts that are none. */
function arbitraryAnswer(): fc.Arbitrary<string> {
  const entries = fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom<unknown>(1, 'x', null)), {
    selector: ([key]) => key,
    minLength: 1,
    maxLength: 6,
  });
  return fc.oneof(
    { weight: 5, arbitrary: entries.map((pairs) => JSON.stringify(Object.fromEntries(pairs))) },
    { weight: 1, arbitrary: fc.constant('no object') },
  );
}

/** Each child counts its own nodes: one that got the visits of another would show it. */
function childrenOf({ childNames }: Drawn): TomlTable {
  return Object.fromEntries(
    childNames.map((file, at) => [
      file,
      {
        name: file,
        start_nodes: [
          { name: 'main', source: 'manual', entry_node: 'first' },
          { name: 'unused', source: 'manual', entry_node: 'never' },
        ],
        nodes: [
          ...Array.from({ length: at + 1 }, (_, node) => ({ id: node === 0 ? 'first' : `next${node}`, type: 'merge' })),
          { id: 'never', type: 'fail' },
        ],
        edges: Array.from({ length: at }, (_, node) => ({
          from: node === 0 ? 'first' : `next${node}`,
          to: `next${node + 1}`,
        })),
      },
    ]),
  );
}

/** The same table with the keys of all its tables in another order. */
function shuffled(table: TomlTable): fc.Arbitrary<TomlTable> {
  return fc.infiniteStream(fc.nat()).map((dice) => reordered(table, () => dice.next().value ?? 0) as TomlTable);
}

function reordered(value: unknown, dice: () => number): unknown {
  if (Array.isArray(value)) return value.map((entry) => reordered(entry, dice));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => ({ key, entry: reordered(entry, dice), rank: dice() }));
  return Object.fromEntries(entries.sort((a, b) => a.rank - b.rank).map(({ key, entry }) => [key, entry]));
}
