import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { createActor, createMachine, initialTransition, transition } from 'xstate';
import { median } from './measure.mjs';

const NODES = 20;
const NAMES = Array.from({ length: NODES }, (_, at) => `n${at}`);

/** A walk over 20 nodes in a row, in one thread. */
export async function graphPeers({ passk, rounds }) {
  const own = await rate(rounds, 1e6, async (walks) => {
    await passk.runSuite({ scenarios: [linear20()], trials: walks, workers: 0 });
  });
  const graph = langGraph();
  const stepper = machine((at) => ({ on: { next: NAMES[at + 1] } }));
  const eager = machine((at) => ({ always: { target: NAMES[at + 1] } }));
  const rows = [
    {
      tool: 'LangGraph.js',
      executes: 'compiled StateGraph, 20 nodes that return an empty update, `invoke`',
      value: await rate(rounds, 20, async (walks) => {
        for (let i = 0; i < walks; i++) await graph.invoke({ value: 1 }, { recursionLimit: 100 });
      }),
    },
    {
      tool: 'xstate, pure transition()',
      executes: '19 calls of `transition` on snapshots, no actor',
      value: await rate(rounds, 1000, (walks) => {
        for (let i = 0; i < walks; i++) {
          let [snapshot] = initialTransition(stepper);
          for (let at = 1; at < NODES; at++) [snapshot] = transition(stepper, snapshot, { type: 'next' });
        }
      }),
    },
    {
      tool: 'xstate, actor and send',
      executes: 'an actor per walk, 19 events sent',
      value: await rate(rounds, 1000, (walks) => {
        for (let i = 0; i < walks; i++) {
          const actor = createActor(stepper).start();
          for (let at = 1; at < NODES; at++) actor.send({ type: 'next' });
          actor.stop();
        }
      }),
    },
    {
      tool: 'xstate, `always`',
      executes: 'an actor per walk that runs through eventless transitions',
      value: await rate(rounds, 1000, (walks) => {
        for (let i = 0; i < walks; i++) createActor(eager).start().stop();
      }),
    },
  ];
  return [
    {
      tool: 'passk, one thread',
      executes: '20 nodes walked, counted, six expectations, tally, report; ratios of this block are to it',
      value: own,
      unit: 'nodes/s',
      ratio: 1,
    },
    ...rows.map((row) => ({ ...row, unit: 'nodes/s', ratio: own / row.value })),
  ];
}

/** Nodes per second; the median of the rounds after one to warm up. */
async function rate(rounds, walks, run) {
  await run(walks);
  const rates = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await run(walks);
    rates.push((walks * NODES * 1000) / (performance.now() - start));
  }
  return median(rates);
}

function langGraph() {
  const graph = new StateGraph(Annotation.Root({ value: Annotation() }));
  for (const name of NAMES) graph.addNode(name, () => ({}));
  graph.addEdge(START, NAMES[0]);
  for (const [at, name] of NAMES.entries()) graph.addEdge(name, NAMES[at + 1] ?? END);
  return graph.compile();
}

function machine(leaving) {
  const states = NAMES.map((name, at) => [name, at === NODES - 1 ? { type: 'final' } : leaving(at)]);
  return createMachine({ id: 'line', initial: NAMES[0], states: Object.fromEntries(states) });
}

function linear20() {
  return {
    name: 'linear20',
    workflow: {
      inline: {
        name: 'linear20',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'n0' }],
        nodes: NAMES.map((id, at) => {
          if (at === 0) return { id, type: 'llm_infer', backend: 'default', prompt: 'Go.' };
          return { id, type: at === NODES - 1 ? 'terminate' : 'merge' };
        }),
        edges: NAMES.slice(1).map((to, at) => ({ from: NAMES[at], to })),
      },
    },
    intel: { turns: [{ content: 'go', promptTokens: 12, completionTokens: 5 }] },
    expected: {
      status: 'completed',
      lastNode: 'n19',
      path: NAMES,
      pathExact: true,
      maxLlmCalls: 1,
      maxTotalTokens: 17,
    },
  };
}
