// An MCP server that tells everything it was given, in every spelling, wherever it can: results, errors and stderr.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const told = process.env.MCP_TOKEN ?? '';
const spellings = [
  told,
  JSON.stringify(told),
  encodeURIComponent(told),
  Buffer.from(told).toString('base64'),
  Buffer.from(`x:${told}`).toString('base64url'),
].join('\n');
process.stderr.write(`started with ${spellings}\n`);

const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
  if (params.name === 'crash') process.exit(3);
  if (params.name === 'fail') throw new Error(`failed with ${spellings}`);
  return { content: [{ type: 'text', text: spellings }], isError: false };
});
await server.connect(new StdioServerTransport());
