import type { Pointer } from '../source/place-tree.ts';
import { isBadSecretName } from '../values/secret-names.ts';
import type { Draft } from './draft.ts';
import { headerProblems } from './header-rules.ts';
import { tableAt, textAt, valueAt } from './raw-data.ts';
import type { Report } from './report.ts';

/** An MCP server is a program or an address, with the keys of the one that it is. */
export function checkMcpServers(draft: Draft, report: Report): void {
  for (const { index, name, table } of draft.mcpServerTables) {
    const at = ['mcp_servers', index];
    const owner = `MCP server "${name}"`;
    const say = (key: string, message: string, hint: string): void =>
      report({ code: 'bad_mcp_server', message: `${owner} ${message}`, at: [...at, key], part: 'key', hint });
    const url = textAt(table, 'url');
    for (const [name, value] of Object.entries(tableAt(table, 'env'))) {
      if (typeof value === 'string') checkSecrets({ owner, name, value, at: [...at, 'env', name] }, report);
    }
    const sampling = textAt(table, 'sampling');
    if (sampling !== undefined && !draft.backends.includes(sampling)) {
      say('sampling', `is answered by "${sampling}", which is no backend.`, `Backends: ${draft.backends.join(', ')}.`);
    }
    const isProgram = valueAt(table, 'command') !== undefined;

    if (valueAt(table, 'url') === undefined) {
      if (!isProgram) say('name', 'has neither a command nor a url.', 'Set command to a program with its arguments.');
      if (valueAt(table, 'headers') !== undefined) say('headers', 'has headers but no url.', 'Use env for a program.');
      continue;
    }
    if (isProgram) say('command', 'has a command and a url.', 'Keep one of the two.');
    else if (valueAt(table, 'env') !== undefined) say('env', 'has an env but no command.', 'Use headers for a url.');
    if (url !== undefined && !isAddress(url)) {
      say('url', 'has a url that no request can go to.', 'Use http:// or https://, a host, and no user name in it.');
    }
    for (const problem of headerProblems({ owner, headers: tableAt(table, 'headers') })) {
      report({ ...problem, at: [...at, ...(problem.at ?? [])] });
    }
  }
}

/** Variables may hold any text, so only what was meant for a secret and is none is told. */
function checkSecrets(
  { owner, name, value, at }: { owner: string; name: string; value: string; at: Pointer },
  report: Report,
): void {
  for (const [text, inside = ''] of value.matchAll(/\{\{([^{}]*)\}\}/g)) {
    const [, secret] = /^\s*secret:(.*)$/is.exec(inside) ?? [];
    if (secret !== undefined && text.includes('secret:') && !isBadSecretName(secret.trim())) continue;
    if (!/^\s*secrets?\b/i.test(inside)) continue;
    report({
      code: 'bad_mcp_server',
      message: `${owner}: ${name} in env has the unknown placeholder "${text}".`,
      at,
      hint: 'Write {{secret:NAME}}.',
    });
  }
}

function isAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
