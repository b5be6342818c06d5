import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offerTools } from '../../../src/engine/loop/offered-tools.ts';

test('whatever servers call their tools, no two functions are alike, and providers take every name', () => {
  const lists = fc.array(fc.tuple(fc.string(), fc.array(fc.string({ maxLength: 90 }), { maxLength: 40 })), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(lists, (servers) => {
      const offered = servers.reduce<ReturnType<typeof offerTools>>(
        (before, [server, tools]) => offerTools(before, server, { tools: tools.map((name) => ({ name })) }),
        [],
      );
      const wanted = servers.flatMap(([server, tools]) => tools.map((tool) => ({ server, tool })));
      expect(offered.map(({ server, tool }) => ({ server, tool }))).toEqual(wanted.slice(0, 128));
      const names = offered.map(({ declaration }) => declaration.name);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/);
    }),
  );
});

test('schemas go on as they are; a description keeps its lines, shows what it hides, and is cut', () => {
  const parameters = { type: 'object', properties: { id: { $ref: '#/$defs/id' } }, $defs: { id: { type: 'integer' } } };
  const description = `Finds an order.\nHides\u202e it. ${'x'.repeat(5000)}`;
  const [tool] = offerTools([], 'shop', { tools: [{ name: 'find', description, parameters }] });
  expect(tool?.declaration.parameters).toBe(parameters);
  expect(tool?.declaration.description).toMatch(/^Finds an order\.\nHides\\u\{202e\} it\. x+$/);
  expect(tool?.declaration.description).toHaveLength(1024);
});
