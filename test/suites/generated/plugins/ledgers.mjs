import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

// Generators of a small ledger, each wrong in its own way but for the first.

/** A ledger in which an amount is to be booked. */
function ledger({ random }) {
  const cents = 1 + random.below(100_000);
  return {
    document: {
      session: {},
      state: { booked: {} },
      tools: [
        {
          name: 'book',
          description: 'Books an amount.',
          parameters: { properties: { on: { type: 'string' }, cents: { type: 'integer' } }, required: ['on', 'cents'] },
          steps: [{ set: ['booked', '{{args.on}}'], value: '{{args.cents}}' }],
        },
      ],
      tasks: [
        {
          name: `book ${cents}`,
          user: { opening: `Book ${cents} cents on K-17.` },
          gold: { calls: [{ tool: 'book', args: { on: 'K-17', cents } }] },
          agents: [
            { name: 'sound', turns: [{ calls: [{ tool: 'book', args: { on: 'K-17', cents } }] }, { says: 'Booked.' }] },
          ],
        },
      ],
    },
    ids: ['K-17'],
    context: ['tasks.0.user.opening'],
  };
}

const changed = (change) => (request) => {
  const scenario = ledger(request);
  return change(scenario, request) ?? scenario;
};
let calls = 0;

const WAYS = {
  ledger,
  of_nothing: changed(({ document }) => {
    document.tasks[0].gold = { calls: [] };
  }),
  of_echoes: changed(({ document }) => {
    document.tasks[0].gold = { calls: [] };
    document.tasks[0].expected = { says: ['K-17'] };
  }),
  of_wrong_gold: changed(({ document }) => {
    document.tasks[0].expected = { state: [{ at: 'booked.K-18', exists: true }] };
  }),
  of_failing_gold: changed(({ document }) => {
    document.tasks[0].gold.calls[0].args = {};
  }),
  of_unknown_keys: changed(({ document }) => {
    document.tsks = [];
  }),
  of_doubles: changed(({ document }) => {
    document.state = { booked: {} };
    document.tasks[0] = { ...ledger({ random: { below: () => 7 } }).document.tasks[0] };
  }),
  of_wrong_places: changed((scenario) => {
    scenario.context = ['tasks.0.user.greeting'];
  }),
  // The agent says a name that is no id of the ledger's, so that it is not renamed with it.
  of_an_agent_that_knows_names: changed(({ document }) => {
    document.tasks[0].expected = { says: ['K-17'] };
    document.tasks[0].agents[0].turns[1].says = 'Booked on the K-17th.';
  }),
  throws_each_second: changed((_, { n }) => {
    if (n % 2 === 1) throw new Error('no ledger today');
  }),
  never_ends: changed((_, { n }) => {
    while (n === 1) calls++;
  }),
  counts: changed(({ document }) => {
    document.description = String(calls++);
  }),
  gives_a_promise: () => Promise.resolve(ledger({ random: { below: () => 1 } })),
  gives_nothing: () => undefined,
  rejects_late: changed(() => void Promise.reject(new Error('too late'))),
  gives_text: () => 'ledger',
  gives_half_a_character: changed(({ document }) => {
    document.description = '\ud800';
  }),
  reads_a_file: changed(() => void readFileSync(new URL(import.meta.url))),
  listens: changed(() => void createServer().listen(0)),
  fetches: changed(() => void fetch('http://127.0.0.1:1/')),
  asks_the_clock: changed(({ document }) => {
    document.description = String(Date.now());
  }),
  makes_a_date: changed(({ document }) => {
    document.description = String(new Date());
  }),
  throws_dice: changed(({ document }) => {
    document.description = String(Math.random());
  }),
  leaves_the_process: changed(() => process.exit(0)),
  runs_out_of_memory: changed((_, { n }) => {
    const all = [];
    while (n === 1) all.push(new Array(1_000_000).fill(n));
  }),
};

export const generators = Object.entries(WAYS).map(([type, generate]) => ({
  kind: 'generator',
  type,
  summary: `A ledger: ${type}.`,
  generate,
}));
