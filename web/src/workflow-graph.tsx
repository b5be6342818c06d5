import { useMemo } from 'preact/hooks';
import { formatCount, plural } from '../../src/text/format-number.ts';
import type { HtmlDetail } from '../../src/report/html/html-model.ts';
import { boxText, edgeText, layoutGraph, type PlacedEdge, type PlacedNode } from './layout-graph.ts';

interface WorkflowGraphProps {
  readonly detail: HtmlDetail;
  /** The path to mark; null: none. */
  readonly path: readonly string[] | null;
}

/** Nodes and edges as drawn by how often trials came by, and as tables for those who read rather than look. */
export function WorkflowGraph({ detail, path }: WorkflowGraphProps) {
  const graph = useMemo(() => layoutGraph(detail), [detail]);
  const { nodes, edges, width, height } = graph;
  const most = Math.max(1, ...nodes.map(({ visits }) => visits));
  const steps = new Set(path ?? []);
  const moves = new Set((path ?? []).map((step, place) => `${path?.[place - 1]}\n${step}`));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="graph" tabIndex={0} aria-label="Drawing of the workflow">
        <svg
          role="img"
          aria-label={`${plural(nodes.length, 'node')} and ${plural(edges.length, 'edge')}; the table below says the same.`}
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="9"
              markerHeight="9"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 0 L8 4 L0 8 z" class="arrow" />
            </marker>
          </defs>
          {edges.map((edge, place) => (
            <Edge key={place} edge={edge} most={most} marked={moves.has(`${edge.from}\n${edge.to}`)} />
          ))}
          {nodes.map((node, place) => (
            <Node key={place} node={node} most={most} marked={steps.has(node.name)} />
          ))}
        </svg>
      </section>
      <p class="muted legend">
        Thicker: more visits. Dashed: never visited. ✗: a recorded failing trial ended here. ⊘: ended here although
        branches lead on. ⊗, ↯: policy denied it something, a fault struck it, in a recorded failing trial.
      </p>
      <details>
        <summary>Nodes and edges as a table</summary>
        <GraphTable nodes={nodes} edges={edges} />
      </details>
    </>
  );
}

function Node({ node, most, marked }: { readonly node: PlacedNode; readonly most: number; readonly marked: boolean }) {
  const { name, type, visits, x, y, width, height, deadEnds, failures, denials, faults } = node;
  const state = failures > 0 ? 'failing' : deadEnds > 0 ? 'dead' : visits === 0 ? 'unvisited' : '';
  const sign = `${failures > 0 ? '✗ ' : ''}${deadEnds > 0 ? '⊘ ' : ''}${denials > 0 ? '⊗ ' : ''}${faults > 0 ? '↯ ' : ''}`;
  return (
    <g class={`node ${state} ${marked ? 'marked' : ''}`}>
      <title>{nodeTitle(node)}</title>
      <rect
        x={x - width / 2}
        y={y - height / 2}
        width={width}
        height={height}
        rx="7"
        stroke-width={strokeOf(visits, most)}
      />
      <text x={x} y={y - 3} class="node-name">
        {sign}
        {boxText(name)}
      </text>
      <text x={x} y={y + 14} class="node-type">
        {boxText(type)} · {formatCount(visits)}×
      </text>
    </g>
  );
}

function Edge({ edge, most, marked }: { readonly edge: PlacedEdge; readonly most: number; readonly marked: boolean }) {
  const { points, label, visits, when } = edge;
  return (
    <g class={`edge ${visits === 0 ? 'unvisited' : ''} ${marked ? 'marked' : ''}`}>
      <path d={pathOf(points)} stroke-width={strokeOf(visits, most)} marker-end="url(#arrow)" />
      <text x={label.x} y={label.y + 4}>
        {edgeText(when, visits)}
      </text>
    </g>
  );
}

function GraphTable({
  nodes,
  edges,
}: {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}) {
  return (
    <table class="small">
      <thead>
        <tr>
          <th scope="col">Node</th>
          <th scope="col">Type</th>
          <th scope="col">Visits</th>
          <th scope="col">Leads to</th>
        </tr>
      </thead>
      <tbody>
        {nodes.map((node) => (
          <tr key={node.name}>
            <th scope="row">{node.name}</th>
            <td>{node.type}</td>
            <td>{endings(node)}</td>
            <td>
              {edges
                .filter(({ from }) => from === node.name)
                .map(({ to, when, visits }) => `${to} (${edgeText(when, visits)})`)
                .join(', ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function nodeTitle(node: PlacedNode): string {
  return `${node.name} (${node.type}): ${endings(node)}`;
}

function endings({ visits, deadEnds, failures, denials, faults }: PlacedNode): string {
  const parts = [plural(visits, 'visit')];
  if (deadEnds > 0) parts.push(`${formatCount(deadEnds)} ended here although branches lead on`);
  if (failures > 0) parts.push(`${plural(failures, 'recorded failing trial')} ended here`);
  if (denials > 0) parts.push(`denied in ${plural(denials, 'recorded failing trial')}`);
  if (faults > 0) parts.push(`struck by a fault in ${plural(faults, 'recorded failing trial')}`);
  return parts.join('; ');
}

function strokeOf(visits: number, most: number): number {
  return visits === 0 ? 1 : 1 + 2.5 * Math.sqrt(visits / most);
}

/** Through the middles of dagre's points, so that corners are round. */
function pathOf(points: PlacedEdge['points']): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return '';
  const bends = rest.slice(0, -1).map((point, place) => {
    const next = rest[place + 1] ?? last;
    const end = next === last ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return `M${first.x} ${first.y} ${bends.length === 0 ? `L${last.x} ${last.y}` : bends.join(' ')}`;
}
