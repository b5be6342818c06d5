import { describe, expect, test } from 'vitest';
import { placed } from '../workflow/check-text.ts';
import { loadIn, START } from './in-folder.ts';

const EXPECTED = '[expected]\nstatus = "completed"\n';
const LEAF = `name = "leaf"\n${START}[[nodes]]\nid = "end"\ntype = "merge"\n`;

const calling = (type: string, keys: string) => `name = "w"\n${START}[[nodes]]\nid = "go"\ntype = "${type}"\n${keys}\n`;
const scenario = (workflow: string, tables = EXPECTED) =>
  `name = "s"\n[workflow]\ninline = '''\n${workflow}'''\n${tables}`;

describe('child workflows', () => {
  test('are found beside the scenario, then beside the file that names them, and keyed by their name in the suite', () => {
    const loaded = loadIn(
      {
        'a/s.toml': scenario(
          calling(
            'parallel',
            'branches = [{ workflow = "../flows/one.toml" }, { workflow = "${SCENARIO_DIR}/two.toml" }]',
          ),
        ),
        'flows/one.toml': calling('call', 'workflow = "inner.toml"'),
        'flows/inner.toml': LEAF,
        'a/two.toml': calling('map', 'items_from = "trigger.x"\nmax_items = 2\nworkflow = "../flows/inner.toml"'),
      },
      'a/s.toml',
    );
    if (loaded?.ok !== true) throw new Error(JSON.stringify(loaded?.issues));
    const { workflow, children } = loaded.scenario.subject;
    const configs = [workflow, ...Object.values(children)].map(({ nodes }) => nodes[0]?.config);
    expect(Object.keys(children)).toEqual(['flows/one.toml', 'a/two.toml', 'flows/inner.toml']);
    expect(configs).toEqual([
      { branches: [{ workflow: 'flows/one.toml' }, { workflow: 'a/two.toml' }] },
      { workflow: 'flows/inner.toml' },
      { itemsFrom: 'trigger.x', maxItems: 2, workflow: 'flows/inner.toml' },
      {},
    ]);
  });

  test('may call themselves and each other', () => {
    const loaded = loadIn({
      'scenario.toml': scenario(calling('call', 'workflow = "a.toml"')),
      'a.toml': calling('call', 'workflow = "b.toml"'),
      'b.toml': calling('parallel', 'branches = [{ workflow = "a.toml" }, { workflow = "b.toml" }]'),
    });
    expect(loaded).toMatchObject({
      ok: true,
      issues: [],
      scenario: { subject: { children: { 'a.toml': {}, 'b.toml': {} } } },
    });
  });

  test('that call themselves on every way are a warning, unless the scenario expects what they end in', () => {
    const itself = calling('call', 'workflow = "a.toml"');
    const back = calling('call', 'workflow = "b.toml"');
    const once = (tables?: string) => scenario(itself, tables);
    const codes = (files: Readonly<Record<string, string>>) =>
      loadIn(files)?.issues.map(({ code, message, at }) => [code, message, at?.file]);
    const endless = (file: string, workflow: string, again: string) => [
      [
        'endless_call',
        `Node "go" runs workflow "${workflow}", ${again}, on every way: runs end errored where calls are nested too deep.`,
        file,
      ],
    ];
    expect(codes({ 'scenario.toml': once(), 'a.toml': itself })).toEqual(
      endless('a.toml', 'a.toml', 'which is its own'),
    );
    expect(codes({ 'scenario.toml': once(), 'a.toml': back, 'b.toml': itself })).toEqual(
      endless('b.toml', 'a.toml', 'which calls back'),
    );
    const between = `[[nodes]]\nid = "first"\ntype = "merge"\n[[edges]]\nfrom = "first"\nto = "go"\n`;
    expect(codes({ 'scenario.toml': once(), 'a.toml': `${itself}${between}` })).toEqual(
      endless('a.toml', 'a.toml', 'which is its own'),
    );
    expect(codes({ 'scenario.toml': once('[expected]\nstatus = "errored"\n'), 'a.toml': itself })).toEqual([]);
  });

  test('that are missing, broken or started wrongly are problems of the node and of the child file', () => {
    const loaded = loadIn({
      'scenario.toml': scenario(
        calling(
          'parallel',
          `branches = [
  { workflow = "gone.toml" },
  { workflow = "broken.toml" },
  { workflow = "leaf.toml", start = "mian" },
  { workflow = "closed.toml" },
]`,
        ),
      ),
      'broken.toml': 'name = "b"\n[[edges]]\nfrom = "x"\nto = "x"\n',
      'leaf.toml': LEAF,
      'closed.toml': 'name = "c"\n',
    });
    const issues = loaded?.issues ?? [];
    expect(issues.map(({ code, at }) => `${code} ${at?.file}:${at?.line}`)).toEqual([
      'missing_child_workflow scenario.toml:12',
      'dangling_edge broken.toml:3',
      'dangling_edge broken.toml:4',
      'invalid_child_workflow scenario.toml:13',
      'unknown_child_start scenario.toml:14',
      'unknown_child_start scenario.toml:15',
    ]);
  });

  test('count as places that ask a model, reach outside and pause', () => {
    const child = `name = "c"\n${START}[[nodes]]\nid = "ask"\ntype = "llm_infer"\nbackend = "b"\nprompt = "p"\n`;
    const files = { 'child.toml': child };
    const call = calling('call', 'workflow = "child.toml"');
    const loaded = loadIn({ ...files, 'scenario.toml': scenario(call) });
    expect(loaded?.issues.map(({ code, at }) => `${code} ${at?.file}`)).toEqual(['no_turns child.toml']);
    const addressed = loadIn({
      ...files,
      'scenario.toml': scenario(call, `${EXPECTED}[[intel.turns]]\nnode = "ask"\n`),
    });
    expect(addressed?.issues).toEqual([]);
  });

  test('that are not there are looked for fewer folders up, with a warning', () => {
    const loaded = loadIn({
      'scenario.toml': scenario(calling('call', 'workflow = "${SCENARIO_DIR}/../../flows/leaf.toml"')),
      'flows/leaf.toml': LEAF,
    });
    expect(loaded).toMatchObject({ ok: true, scenario: { subject: { children: { 'flows/leaf.toml': {} } } } });
    expect(placed(loaded?.issues ?? [])).toEqual(['?path_climbs_too_far 11:12']);
  });
});

describe('JSON Schemas of a scenario', () => {
  const asking = (schema: string) =>
    `name = "w"\n${START}[[nodes]]\nid = "ask"\ntype = "llm_infer"\nbackend = "default"\nprompt = "p"\noutput_schema = ${schema}\n`;
  const turn = '[[intel.turns]]\ncontent = "{}"\n';
  const outputSchema = (schema: string, files: Readonly<Record<string, string>> = {}) => {
    const loaded = loadIn({ ...files, 'scenario.toml': scenario(asking(schema), EXPECTED + turn) });
    return loaded?.ok === true
      ? [loaded.scenario.subject.workflow.nodes[0]?.config.outputSchema, placed(loaded.issues)]
      : placed(loaded?.issues ?? []);
  };

  test('are read from a table or a file; the word inline and an unreadable name ask for any JSON', () => {
    const object = { type: 'object', required: ['a_b'] };
    expect(outputSchema('{ type = "object", required = ["a_b"] }')).toEqual([{ kind: 'schema', schema: object }, []]);
    expect(outputSchema('"schemas/x.json"', { 'schemas/x.json': JSON.stringify(object) })).toEqual([
      { kind: 'schema', schema: object },
      [],
    ]);
    expect(outputSchema('"inline"')).toEqual([{ kind: 'json' }, []]);
    expect(outputSchema('"gone.json"')).toEqual([{ kind: 'json' }, ['?unread_output_schema 13:17']]);
    expect(outputSchema('""')).toEqual([{ kind: 'json' }, ['?unread_output_schema 13:17']]);
  });

  test.each([
    ['text that is not JSON', '"x.json"', 'nope'],
    ['JSON that is no schema', '"x.json"', '[1]'],
    ['JSON with a type of its own', '"x.json"', '{"type":null,"token":"x"}'],
    ['a pattern with look-ahead', '{ type = "string", pattern = "(?=a)" }', ''],
    ['a pattern for keys with look-ahead', `{ patternProperties = { '(?=a)' = {} } }`, ''],
    ['an unknown type', '{ type = "strng" }', ''],
    ['a reference to elsewhere', '{ "$ref" = "http://x/y" }', ''],
  ])('that cannot be enforced are errors: %s', (_name, schema, text) => {
    expect(outputSchema(schema, { 'x.json': text })).toEqual(['bad_json_schema 13:17']);
  });

  test('of value tests must be readable', () => {
    const tables = `[expected]\nfinal = { schema = "x.json" }\nvalues = [{ schema = "gone.json" }]\n`;
    const loaded = loadIn({ 'scenario.toml': scenario(LEAF, tables), 'x.json': '{"type":"null"}' });
    expect(placed(loaded?.issues ?? [])).toEqual(['bad_json_schema 14:22']);
    const read = loadIn({ 'scenario.toml': scenario(LEAF, tables), 'x.json': '{}', 'gone.json': '{"type":"null"}' });
    expect(read).toMatchObject({
      ok: true,
      scenario: {
        expected: {
          values: [{ test: { kind: 'schema', schema: {} } }, { test: { kind: 'schema', schema: { type: 'null' } } }],
        },
      },
    });
  });
});
