import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text } from '../../workflow/schema-parts.ts';

/** The keys of a `call_mcp_tool` node. */
export const callMcpToolSchema = strictTable(
  {
    tool: text('Name of the tool, literally.'),
    args_from: Type.Optional(contextPath("Where the tool's arguments are found; left out: null.")),
    server: Type.Optional(text('Name of the MCP server; may be left out when only one is declared.')),
  },
  'Calls a tool of an MCP server: {tool, server, content, is_error, structured}; branch `error` when the tool says so.',
);
