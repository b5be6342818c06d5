import { visibleText } from '../../text/visible-text.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import type { ToolDeclaration } from '../../types/message.ts';
import { isJsonArray, isJsonObject } from '../../values/is-json.ts';

/** A tool of a server of MCP as a model is offered it. */
export interface OfferedTool {
  readonly server: string;
  /** As the server calls it. */
  readonly tool: string;
  readonly declaration: ToolDeclaration;
}

/** What providers take at most. */
const MOST_TOOLS = 128;
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;

/**
 * Adds the tools of a server to those that are offered, under names that every provider takes and that no two share. What a server
 * says of them is text of a stranger: it is cut, and shows what it hides. Schemas go on as they are.
 */
export function offerTools(offered: readonly OfferedTool[], server: string, listed: Json): readonly OfferedTool[] {
  const list = isJsonObject(listed) ? (listed['tools'] ?? null) : null;
  const names = new Set(offered.map(({ declaration }) => declaration.name));
  const added: OfferedTool[] = [];
  for (const one of isJsonArray(list) ? list : []) {
    const { name: tool, description, parameters } = isJsonObject(one) ? one : NO_TOOL;
    if (typeof tool !== 'string' || offered.length + added.length >= MOST_TOOLS) continue;
    const name = freeName(`${server}__${tool}`, names);
    names.add(name);
    const lines = typeof description === 'string' ? description.split('\n') : [];
    const text = lines
      .map((line) => visibleText(line, { longest: LONGEST_DESCRIPTION }))
      .join('\n')
      .slice(0, LONGEST_DESCRIPTION);
    const declaration = {
      name,
      ...(text !== '' && { description: text }),
      parameters: isJsonObject(parameters ?? null) ? (parameters as JsonObject) : { type: 'object' },
    };
    added.push({ server, tool, declaration });
  }
  return [...offered, ...added];
}

const NO_TOOL: JsonObject = {};

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted.replaceAll(/[^\w-]/g, '_');
  for (let count = 1; ; count++) {
    const end = count === 1 ? '' : `_${count}`;
    const name = `${plain.slice(0, LONGEST_NAME - end.length)}${end}`;
    if (!taken.has(name)) return name;
  }
}
