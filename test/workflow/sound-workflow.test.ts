import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryDocument } from '../../src/scenario/memory-document.ts';
import type { Draft } from '../../src/workflow/draft.ts';
import { readDraft } from '../../src/workflow/read-draft.ts';
import { readNodes } from '../../src/workflow/read-nodes.ts';
import { soundGraph } from '../../src/workflow/sound-workflow.ts';
import { validateWorkflow } from '../../src/workflow/validate-workflow.ts';
import { workflowTables } from './arbitrary-document.ts';
import { tinyRegistry } from './tiny-registry.ts';

const { nodeSchemas, labelsOf } = tinyRegistry;

test('of a workflow that is called sound no rule has anything to say', () => {
  let sound = 0;
  let unsound = 0;
  fc.assert(
    fc.property(workflowTables, (table) => {
      const { document } = memoryDocument(table, 'w');
      const draft = readDraft(table, readNodes(document, [], table, nodeSchemas).nodes);
      const issues = validateWorkflow(draft, document.locate, labelsOf);
      const graph = soundGraph(draft, labelsOf);
      if (issues.length > 0) unsound++;
      if (graph === null) return;
      sound++;
      expect(issues).toEqual([]);
      expect([...graph.numbers.keys()]).toEqual(draft.nodes.map(({ id }) => id));
      expect(graph.from.map((node) => draft.nodes[node]?.id)).toEqual(draft.edges.map(({ from }) => from));
      expect(graph.to.map((node) => draft.nodes[node]?.id)).toEqual(draft.edges.map(({ to }) => to));
    }),
    { numRuns: 5000 },
  );
  // The law is about something, on both sides.
  expect(sound).toBeGreaterThan(500);
  expect(unsound).toBeGreaterThan(500);
});

test('an ordinary workflow is called sound, so that nothing but this is asked of it', () => {
  const draft: Draft = {
    name: 'w',
    startNodes: [{ index: 0, name: 'main', entryNode: 'ask' }],
    nodes: [
      { index: 0, id: 'ask', type: 'llm_infer', retry: null, config: { prompt: 'p', inputFrom: 'trigger' } },
      { index: 1, id: 'route', type: 'switch', retry: null, config: { expr: 'ask.parsed.team' } },
      { index: 2, id: 'end', type: 'terminate', retry: null, config: {} },
    ],
    edges: [
      { index: 0, from: 'ask', to: 'route' },
      { index: 1, from: 'route', to: 'end', when: 'x' },
      { index: 2, from: 'route', to: 'ask', when: 'again', maxIterations: 2 },
    ],
    routes: [],
    triggers: [],
    mcpServers: [],
    mcpServerTables: [],
    isComplete: true,
  };
  expect(soundGraph(draft, labelsOf)).not.toBe(null);
});
