import { compileNamePatterns } from '../../policy/name-pattern.ts';
import type { Pointer } from '../../source/place-tree.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { JsonObject } from '../../types/json.ts';
import type { Policy } from '../../types/policy.ts';
import type { DeclaredWorld } from '../../types/sessions/declared-world.ts';
import { tableAt, textsAt } from '../../workflow/raw-data.ts';
import { readPolicy } from '../../workflow/read-policy.ts';
import type { Report } from '../../workflow/report.ts';

/** What an agent may do in a session is call tools: of a policy nothing else has a meaning there. */
const MEANT = { mcp: ['servers', 'tools'] } as const;

/**
 * The policy of a file or a task; null: it has none of its own. Tells patterns that name no tool of the world, and parts that
 * have no effect. `world` null: it has errors.
 */
export function readSessionPolicy(
  holder: JsonObject,
  { at, world, report }: { readonly at: Pointer; readonly world: DeclaredWorld | null; readonly report: Report },
): Policy | null {
  if (!Object.hasOwn(holder, 'policy')) return null;
  const table = tableAt(holder, 'policy');
  const place = [...at, 'policy'];
  for (const family of Object.keys(table)) {
    const meant: readonly string[] = family === 'mcp' ? MEANT.mcp : [];
    for (const key of Object.keys(tableAt(table, family)).filter((one) => !meant.includes(one))) {
      report({
        code: 'ignored_key',
        severity: 'warning',
        message: `"policy.${family}.${key}" has no effect: what an agent does in a session is call tools.`,
        at: [...place, family, key],
        part: 'key',
        hint: 'policy.mcp.tools lists the tools that it may call.',
      });
    }
  }
  const names = world?.tools.map(({ name }) => name) ?? [];
  for (const [index, tool] of textsAt(tableAt(table, 'mcp'), 'tools').entries()) {
    const { matches } = compileNamePatterns([tool]);
    if (world === null || names.some(matches)) continue;
    report({
      code: 'unknown_tool',
      message: `The world has no tool that "${tool}" names.`,
      at: [...place, 'mcp', 'tools', index],
      hint: hintFor(tool, names, 'tools'),
    });
  }
  return readPolicy(table);
}
