import { Graph, layout } from '@dagrejs/dagre';
import type { HtmlDetail, HtmlStep } from '../../src/report/html/html-model.ts';

export interface PlacedNode {
  readonly name: string;
  readonly type: string;
  readonly visits: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Visits that ended here although branches lead on. */
  readonly deadEnds: number;
  /** Recorded failing trials that ended here. */
  readonly failures: number;
  /** Recorded failing trials in which policy denied what it, or a child of it, asked for. */
  readonly denials: number;
  /** Recorded failing trials in which a fault struck it, or a child of it. */
  readonly faults: number;
}

export interface PlacedEdge {
  readonly from: string;
  readonly to: string;
  readonly when: string | null;
  readonly visits: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly label: { readonly x: number; readonly y: number };
}

export interface PlacedGraph {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

export const NODE_HEIGHT = 46;
const WIDEST = 28;

/** Names longer than a box are cut in the middle: their ends tell them apart. */
export function boxText(text: string): string {
  const letters = [...text];
  return letters.length <= WIDEST ? text : `${letters.slice(0, 15).join('')}…${letters.slice(-12).join('')}`;
}

/** Nodes of the first workflow whose steps, or those below them, have such a row. */
function struck(steps: readonly HtmlStep[], label: string): ReadonlySet<string> {
  const found = new Set<string>();
  let node = '';
  for (const [depth, kind, text] of steps) {
    // A visit names its node, then its type.
    if (kind === '' && depth === 0) node = text.slice(0, text.lastIndexOf('  '));
    else if (kind === label) found.add(node);
  }
  return found;
}

/** The workflow in layers from top to bottom. */
export function layoutGraph({ nodes, edges, failures, stops }: HtmlDetail): PlacedGraph {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 28, ranksep: 44, edgesep: 16, marginx: 12, marginy: 12 });
  for (const [place, [name, type]] of nodes.entries()) {
    const letters = Math.min(WIDEST, Math.max([...name].length, [...type].length + 6));
    graph.setNode(String(place), { width: Math.max(96, 8 * letters + 28), height: NODE_HEIGHT });
  }
  for (const [place, [from, to, when, visits]] of edges.entries()) {
    const label = edgeText(when, visits);
    graph.setEdge(
      String(from),
      String(to),
      { width: 6.5 * [...label].length + 8, height: 16, labelpos: 'c' },
      String(place),
    );
  }
  layout(graph);
  const deadEnds = stops.some(([name]) => name === 'dead_end' || name === 'loop_spent');
  const size = graph.graph() as { readonly width?: number; readonly height?: number };
  return {
    width: size.width ?? 0,
    height: size.height ?? 0,
    nodes: nodes.map(([name, type, visits], place) => {
      const { x, y, width, height } = graph.node(String(place)) as Pick<PlacedNode, 'x' | 'y' | 'width' | 'height'>;
      const out = edges.filter(([from]) => from === place);
      const left = visits - out.reduce((sum, [, , , taken]) => sum + taken, 0);
      const ended = failures.filter(({ path, morePath }) => morePath === 0 && path.at(-1) === name).length;
      return {
        name,
        type,
        visits,
        x,
        y,
        width,
        height,
        deadEnds: deadEnds && out.length > 0 ? Math.max(0, left) : 0,
        failures: ended,
        denials: failures.filter(({ steps }) => struck(steps, 'denied').has(name)).length,
        faults: failures.filter(({ steps }) => struck(steps, 'fault').has(name)).length,
      };
    }),
    edges: edges.map(([from, to, when, visits], place) => {
      const { points, x, y } = graph.edge(String(from), String(to), String(place)) as PlacedEdge & {
        x: number;
        y: number;
      };
      return { from: nodes[from]?.[0] ?? '', to: nodes[to]?.[0] ?? '', when, visits, points, label: { x, y } };
    }),
  };
}

/** What stands on an edge. */
export function edgeText(when: string | null, visits: number): string {
  return when === null ? `${visits}×` : `${boxText(when)} ${visits}×`;
}
