import { Type } from '../../source/schema-type.ts';
import { contextPath, strictTable, text } from '../../workflow/schema-parts.ts';

/** The keys of a `read_mcp_resource` node. */
export const readMcpResourceSchema = strictTable(
  {
    resource_from: contextPath("Where the resource's URI is found."),
    server: Type.Optional(text('Name of the MCP server; may be left out when only one is declared.')),
  },
  'Reads a resource of an MCP server: {uri, server, contents}.',
);
