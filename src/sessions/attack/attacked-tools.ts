import type { DeclaredTool } from '../../types/sessions/declared-world.ts';
import type { SessionAttack } from '../../types/sessions/attack.ts';
import { compileGlob } from '../../values/compile-glob.ts';

/** The tools as an agent finds them: of an attack that enters by descriptions, its targets say the payload as well. */
export function attackedTools(
  tools: readonly DeclaredTool[],
  attack: SessionAttack | undefined,
): readonly DeclaredTool[] {
  if (attack?.channel !== 'tool_description') return tools;
  const globs = attack.targets.map(compileGlob);
  return tools.map((tool) => {
    if (!globs.some((matches) => matches(tool.name))) return tool;
    return { ...tool, description: [tool.description, attack.payload].filter((text) => text !== '').join(' ') };
  });
}
