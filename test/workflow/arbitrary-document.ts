import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/types/json.ts';

/** Mostly the first of two, now and then the other: documents that are nearly right. */
export function mostly<T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
}

const IDS = ['a', 'b', 'c', 'd'];
const anyId = fc.constantFrom(...IDS, 'trigger', 'e', 'a.b');
const path = mostly(fc.constantFrom('trigger', 'a', 'a.x', 'trigger.y'), fc.constantFrom('e', 'd.x', '', '.', 'b'));

/** What a node of each type needs. */
const KINDS: Readonly<Record<string, fc.Arbitrary<JsonObject>>> = {
  llm_infer: fc.record(
    {
      backend: fc.constant('default'),
      prompt: fc.constant('p'),
      input_from: path,
      output_schema: fc.constant('inline'),
    },
    { requiredKeys: ['backend', 'prompt'] },
  ),
  merge: mostly(fc.constant<JsonObject>({}), fc.constant<JsonObject>({ more: 1 })),
  switch: fc.record({ expr: path }),
  condition: fc.record({ expr: path }),
  terminate: fc.constant({}),
  fail: fc.constant({}),
  parse_json: fc.record({ input_from: path }),
  read_env: fc.record({ key: fc.constant('A') }),
  http_request: fc.record({ method: fc.constant('GET'), url: fc.constant('http://a/') }),
  respond: fc.record({ status: fc.constantFrom(200, 99), input_from: path }),
  agent_loop: fc.record({
    backend: fc.constant('default'),
    instructions: fc.constant('x'),
    max_steps: fc.constantFrom(3, 0),
    tools: fc.constantFrom<Json>(['read_file'], [], ['none']),
  }),
  call: fc.record({ workflow: fc.constant('none.toml') }),
  unheard_of: fc.constant({}),
};

function nodeAt(place: number): fc.Arbitrary<Json> {
  const kinds = Object.entries(KINDS).map(([type, keys]) => keys.map((own): [string, JsonObject] => [type, own]));
  // The first of most workflows asks a model.
  const usual = place === 0 ? kinds.slice(0, 1) : kinds.slice(0, 5);
  return fc
    .tuple(
      mostly(fc.constant(IDS[place] ?? 'a'), anyId, 30),
      mostly(fc.oneof(...usual), fc.oneof(...kinds), 5),
      mostly(fc.constant({}), fc.constantFrom<JsonObject>({ retry: { max_attempts: 2 } }, { id: 1 }, { zork: 1 }), 20),
    )
    .map(([id, [type, own], more]) => ({ id, type, ...own, ...more }));
}

const label = fc.constantFrom<JsonObject>({}, { when: 'true' }, { when: 'false' }, { when: 'x' });

function edgesAmong(size: number): fc.Arbitrary<readonly Json[]> {
  const chain = fc.tuple(
    ...Array.from({ length: size - 1 }, (_, at) =>
      mostly<readonly JsonObject[]>(
        label.map((when) => [{ from: IDS[at] ?? 'a', to: IDS[at + 1] ?? 'b', ...when }]),
        fc.constant([]),
        10,
      ),
    ),
  );
  const loop = fc.constantFrom<JsonObject>({}, { max_iterations: 2 }, { max_iterations: 2 }, { max_iterations: 0 });
  const any = fc
    .tuple(mostly(fc.constantFrom(...IDS.slice(0, size)), anyId), fc.constantFrom(...IDS.slice(0, size)), label, loop)
    .map(([from, to, when, iterations]): JsonObject => ({ from, to, ...when, ...iterations }));
  return fc
    .tuple(chain, mostly(fc.constant<readonly JsonObject[]>([]), fc.array(any, { maxLength: 3 }), 2), fc.boolean())
    .map(([main, extra, isLast]) => (isLast ? [...main.flat(), ...extra] : [...extra, ...main.flat()]));
}

const starts = mostly<readonly Json[]>(
  fc.constant([{ name: 'main', source: 'manual', entry_node: 'a' }]),
  fc.array(
    fc.record(
      { name: fc.constantFrom('main', 'other', 'third'), source: fc.constant('http'), entry_node: anyId },
      { requiredKeys: ['name', 'source'] },
    ),
    { maxLength: 3 },
  ),
  4,
);

/** Tables of workflows of up to four nodes: about half of them right, the others with something wrong with them. */
export const workflowTables: fc.Arbitrary<JsonObject> = fc
  .integer({ min: 1, max: 4 })
  .chain((size) =>
    fc
      .tuple(
        fc.tuple(...Array.from({ length: size }, (_, place) => nodeAt(place))),
        edgesAmong(size),
        starts,
        mostly(
          fc.constant<JsonObject>({}),
          fc.constantFrom<JsonObject>(
            { triggers: [{ type: 'cron', schedule: '* * * * *', start_node: 'none' }] },
            { http_routes: [{ method: 'GET', path: '/', start_node: 'main' }] },
            { mcp_servers: [{ name: 'm' }] },
            { policy: { http: { urls: ['nonsense'] } } },
            { policy: { rego: { inline: 'x' } } },
          ),
          20,
        ),
      )
      .map(([nodes, edges, start_nodes, more]): JsonObject => ({ name: 'w', start_nodes, nodes, edges, ...more })),
  );
