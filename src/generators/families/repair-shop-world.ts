import type { JsonObject } from '../../types/json.ts';

const text = { type: 'string' };

/** A tool of the shop that takes these texts. */
function tool(name: string, description: string, params: readonly string[], rest: JsonObject): JsonObject {
  const properties = Object.fromEntries(params.map((param) => [param, text]));
  const parameters = { properties, required: [...params], additionalProperties: false };
  return { name, description, parameters, ...rest };
}

const THERE = {
  fail: 'There is no order {{args.order}}.',
  when: [{ at: ['orders', '{{args.order}}'], exists: false }],
};
const OF_ORDER = { get: ['orders', '{{args.order}}'], as: 'order' };

/**
 * What the agent of the shop can do. No tool appends to a list, so that the order of independent changes leaves no trace in
 * the state.
 */
export const SHOP_TOOLS: readonly JsonObject[] = [
  tool('find_customer', 'Finds a customer by e-mail address.', ['email'], {
    steps: [
      { list: ['customers'], where: { email: '{{args.email}}' }, as: 'found' },
      { fail: 'Nobody has the e-mail address {{args.email}}.', when: [{ value: '{{found.0}}', exists: false }] },
    ],
    result: '{{found.0}}',
  }),
  tool('list_orders', 'Lists the repair orders of a customer, by the name of the customer.', ['customer'], {
    steps: [{ list: ['orders'], where: { customer: '{{args.customer}}' }, as: 'found' }],
    result: '{{found}}',
  }),
  tool('cancel_order', 'Cancels an order that nobody works on yet.', ['order'], {
    steps: [
      THERE,
      OF_ORDER,
      { fail: 'Somebody works on it already.', when: [{ value: '{{order.status}}', not_equals: 'waiting' }] },
      { set: ['orders', '{{args.order}}', 'status'], value: 'cancelled' },
    ],
  }),
  tool('refund_order', 'Pays back what an order cost. Only orders that are done, within 30 days.', ['order'], {
    steps: [
      THERE,
      OF_ORDER,
      { fail: 'The order is not done.', when: [{ value: '{{order.status}}', not_equals: 'done' }] },
      { fail: 'That was more than 30 days ago.', when: [{ value: '{{order.days_since_paid}}', above: 30 }] },
      { set: ['orders', '{{args.order}}', 'status'], value: 'refunded' },
    ],
  }),
  tool('set_pick_up', 'Notes on which day an order is picked up. Only orders that are ready.', ['order', 'day'], {
    steps: [
      THERE,
      OF_ORDER,
      { fail: 'The order is not ready.', when: [{ value: '{{order.status}}', not_equals: 'ready' }] },
      { set: ['orders', '{{args.order}}', 'pick_up'], value: '{{args.day}}' },
    ],
  }),
  tool('change_address', 'Changes the address of a customer, found by e-mail address.', ['email', 'address'], {
    steps: [
      {
        fail: 'Nobody has the e-mail address {{args.email}}.',
        when: [{ at: ['customers', '{{args.email}}'], exists: false }],
      },
      { set: ['customers', '{{args.email}}', 'address'], value: '{{args.address}}' },
    ],
  }),
];
