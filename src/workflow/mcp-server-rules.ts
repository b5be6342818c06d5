import type { Draft } from './draft.ts';
import { checkHeaders } from './header-rules.ts';
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
    checkHeaders({ owner, headers: tableAt(table, 'headers'), at: [...at, 'headers'] }, report);
  }
}

function isAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
