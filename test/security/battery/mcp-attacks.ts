import type { Draft, Subject } from './attack.ts';
import type { Range } from './range.ts';
import { aLoop, aSubject } from './subjects.ts';

/** Tools of an MCP server outside the allowlist, and names that look like one inside. */
export function mcpToolAttacks(range: Range): readonly Draft[] {
  const names: readonly [string, string][] = [
    ['another tool', 'delete_all'],
    ['another case', 'Find_Order'],
    ['capitals', 'FIND_ORDER'],
    ['a hyphen', 'find-order'],
    ['camel case', 'findOrder'],
    ['a space behind', 'find_order '],
    ['a space before', ' find_order'],
    ['a tab behind', 'find_order\t'],
    ['a line break behind', 'find_order\n'],
    ['a NUL behind', 'find_order\0'],
    ['a NUL and another tool', 'find_order\0delete_all'],
    ['a zero width space', 'find\u200b_order'],
    ['a byte order mark', '\ufefffind_order'],
    ['a Cyrillic letter', 'f\u0456nd_order'],
    ['a Greek letter', 'find_\u03bfrder'],
    ['fullwidth letters', '\uff46ind_order'],
    ['a ligature', '\ufb01nd_order'],
    ['a combining mark', 'find_order\u0307'],
    ['a fullwidth low line', 'find\uff3forder'],
    ['right to left', '\u202eredro_dnif'],
    ['an isolate', '\u2066find_order\u2069'],
    ['more behind', 'find_order_and_delete'],
    ['a star', '*'],
    ['a star behind', 'find_*'],
    ['a path', 'find_order/../delete_all'],
    ['a dot', 'shop.delete_all'],
    ['a namespace', 'shop__delete_all'],
    ['a list', 'find_order,delete_all'],
    ['percent encoding', 'find%5forder'],
    ['nothing', ''],
    ['an inherited name', 'constructor'],
    ['a prototype', '__proto__'],
    ['a method of the protocol', 'tools/list'],
    ['a very long name', 'find_order'.repeat(500)],
  ];
  const call = (tool: string, mark: string, server?: string): Subject =>
    aLoop(range, { do: 'tool', tool, text: mark, ...(server !== undefined && { server }) });
  const denied = { defence: 'denied', ends: 'completed' } as const;
  return [
    ...names.map(
      ([name, tool]): Draft =>
        (mark) => ({
          name: `call a tool by ${name}`,
          subject: call(tool, mark),
          control: call(tool, mark),
          ...denied,
        }),
    ),
    ...names.slice(0, 8).map(
      ([name, tool]): Draft =>
        (mark) => ({
          name: `call a tool by ${name}, where only the server has a list`,
          subject: withOwnList(call(tool, mark)),
          control: call(tool, mark),
          policy: { mcp: { servers: ['shop'] } },
          ...denied,
        }),
    ),
    (mark) => ({
      name: 'call the allowed tool of another server',
      subject: call('find_order', mark, 'admin'),
      control: call('find_order', mark, 'admin'),
      policy: { mcp: { servers: ['shop'], tools: ['find_order'] } },
      ...denied,
    }),
    ...['Shop', 'sh\u043ep', 'shop ', 'shop\0', '*', ''].map(
      (server): Draft =>
        (mark) => ({
          name: `call a server by the name ${JSON.stringify(server)}`,
          subject: call('delete_all', mark, server),
          control: call('delete_all', mark),
          defence: 'error',
          ends: 'completed',
          reason: 'unknown mcp server',
        }),
    ),
    ...resources(range),
  ];
}

function withOwnList(subject: Subject): Subject {
  if (!('inline' in subject.workflow) || typeof subject.workflow.inline === 'string') return subject;
  const { inline } = subject.workflow;
  const mcpServers = (inline.mcpServers ?? []).map((server) => ({ ...server, allowTools: ['find_order'] }));
  return { ...subject, workflow: { inline: { ...inline, mcpServers } } };
}

function resources(range: Range): readonly Draft[] {
  const uris: readonly [string, (mark: string) => string, 'aim'?][] = [
    ['another folder', (mark) => `note://private/${mark}`],
    ['another scheme', (mark) => `file:///etc/${mark}`],
    ['another case of the scheme', (mark) => `NOTE://public/${mark}`],
    ['another case of the folder', (mark) => `note://PUBLIC/${mark}`],
    ['dots', (mark) => `note://public/../private/${mark}`, 'aim'],
    ['encoded dots', (mark) => `note://public/%2e%2e/private/${mark}`, 'aim'],
    ['dots encoded twice', (mark) => `note://public/%252e%252e/private/${mark}`, 'aim'],
    ['an encoded slash', (mark) => `note://public/..%2fprivate/${mark}`, 'aim'],
    ['a backslash', (mark) => `note://public/..\\private/${mark}`, 'aim'],
    ['a parameter', (mark) => `note://public/..;/private/${mark}`, 'aim'],
    ['a host that begins alike', (mark) => `note://public.evil/${mark}`],
    ['a user', (mark) => `note://public@evil/${mark}`],
    ['a line break', (mark) => `note://public/\n../private/${mark}`, 'aim'],
    ['a NUL', (mark) => `note://private/${mark}\0note://public/`, 'aim'],
    ['a fullwidth letter', (mark) => `note://\uff50ublic/${mark}`],
    ['a space before', (mark) => ` note://public/${mark}`],
  ];
  return uris.map(([name, uri, aim]) => (mark) => {
    const ask = (given: string) => aSubject(range, { do: 'resource', uri: given }, 'model', mark);
    const subject = ask(uri(mark));
    const control = aim === undefined ? subject : ask(`note://private/${mark}`);
    return { name: `read a resource by ${name}`, subject, control, defence: 'denied', ends: 'errored' };
  });
}
