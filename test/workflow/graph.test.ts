import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cyclesIn, entryNodeOf, type GraphView, reachableFrom, topologicalOrder } from '../../src/workflow/graph.ts';

const graphs = fc
  .integer({ min: 1, max: 8 })
  .chain((size) =>
    fc.record({
      size: fc.constant(size),
      edges: fc.array(
        fc.record({
          from: fc.integer({ min: 0, max: size - 1 }),
          to: fc.integer({ min: 0, max: size - 1 }),
          isLoop: fc.boolean(),
        }),
        { maxLength: 16 },
      ),
    }),
  )
  .map(
    ({ size, edges }): GraphView => ({
      startNodes: [{ name: 'main', entryNode: 'n0' }],
      nodes: Array.from({ length: size }, (_, index) => ({ id: `n${index}` })),
      edges: edges.map(({ from, to, isLoop }) => ({
        from: `n${from}`,
        to: `n${to}`,
        ...(isLoop ? { maxIterations: 1 } : {}),
      })),
    }),
  );

/** Nodes that a walk of at least one forward edge leads to. */
function ledTo(graph: GraphView, id: string): ReadonlySet<string> {
  const forward = { ...graph, edges: graph.edges.filter((edge) => edge.maxIterations === undefined) };
  return reachableFrom(
    forward,
    forward.edges.filter((edge) => edge.from === id).map((edge) => edge.to),
  );
}

describe('the graph', () => {
  test('calls exactly those nodes a cycle that lead back to themselves without a loop edge', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const back = graph.nodes.map(({ id }) => id).filter((id) => ledTo(graph, id).has(id));
        expect(cyclesIn(graph).flat().toSorted()).toEqual(back.toSorted());
        for (const group of cyclesIn(graph)) {
          for (const id of group) for (const other of group) expect(ledTo(graph, id).has(other)).toBe(true);
        }
      }),
    );
  });

  test('has an order in which edges lead onwards exactly when it has no cycle', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const order = topologicalOrder(graph);
        expect(order === null).toBe(cyclesIn(graph).length > 0);
        if (order === null) return;
        expect(order.toSorted()).toEqual(graph.nodes.map(({ id }) => id).toSorted());
        for (const { from, to, maxIterations } of graph.edges) {
          if (maxIterations === undefined) expect(order.indexOf(from)).toBeLessThan(order.indexOf(to));
        }
      }),
    );
  });

  test('begins at the named entry, else at the only node without incoming edges', () => {
    const graph: GraphView = {
      startNodes: [{ name: 'named', entryNode: 'b' }, { name: 'open' }],
      nodes: [{ id: 'a' }, { id: 'b' }],
      edges: [{ from: 'a', to: 'b' }],
    };
    expect(['named', 'open', 'other'].map((name) => entryNodeOf(graph, name))).toEqual(['b', 'a', null]);
    expect(entryNodeOf({ ...graph, edges: [] }, 'open')).toBe(null);
  });
});
