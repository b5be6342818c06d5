import process from 'node:process';

/** What clients of MCP call the configuration of a server that they start, as it stands in their `mcpServers`. */
interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * A program that speaks MCP over standard input and output and passes everything on to an address, for clients that know no
 * other way. It is a text for Node, so that it runs wherever passk does, and ends with its standard input.
 */
export function toolsBridge(url: string): StdioServer {
  return { command: process.execPath, args: ['--input-type=module', '--eval', BRIDGE, url] };
}

/** Messages are passed on one after the other. What the address refuses is an error of the request, so that no client waits. */
const BRIDGE = `
import { argv, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
const url = argv[1];
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const say = (message) => stdout.write(JSON.stringify(message) + '\\n');
const fail = (id, code, message) => { if (id !== undefined) say({ jsonrpc: '2.0', id, error: { code, message } }); };
for await (const line of createInterface({ input: stdin })) {
  if (line.trim() === '') continue;
  let asked;
  try {
    asked = JSON.parse(line);
  } catch {
    fail(null, -32700, 'This is no JSON.');
    continue;
  }
  const id = asked?.id;
  try {
    const response = await fetch(url, { method: 'POST', headers, body: line });
    const text = await response.text();
    if (!response.ok) fail(id, -32000, 'The tools answer with ' + response.status + '.');
    else if (text !== '') say(JSON.parse(text));
  } catch {
    fail(id, -32000, 'The tools cannot be reached.');
  }
}
`;
