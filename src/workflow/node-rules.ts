import type { Draft } from './draft.ts';
import type { NodeSchema } from './node-schema.ts';
import type { Report } from './report.ts';

/** What node types themselves have to say about their nodes. */
export function checkNodes(draft: Draft, nodeSchemas: ReadonlyMap<string, NodeSchema>, report: Report): void {
  const { name: workflow, mcpServers, backends } = draft;
  for (const { id, type, index, config } of draft.nodes) {
    const check = config === null ? undefined : nodeSchemas.get(type)?.check;
    for (const problem of check?.(config ?? {}, { id, workflow, backends, mcpServers }) ?? []) {
      report({ ...problem, at: ['nodes', index, ...(problem.at ?? ['id'])] });
    }
  }
}
