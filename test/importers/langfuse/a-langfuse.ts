import { type Asked, Peer } from '../a-peer.ts';

export const langfusePeer: Peer = new Peer('langfuse', 'langfuse');

type Fields = Record<string, unknown>;

/** What a server of Langfuse is to the SDK, as far as our program asks it: it keeps events and gives traces back as its API does. */
class LangfuseServer {
  private readonly traces = new Map<string, Fields>();
  private readonly observations = new Map<string, Fields>();
  private readonly scores: Fields[] = [];

  answer({ path, body }: Asked): unknown {
    const fields = (body ?? {}) as Fields;
    const [, id = ''] = /^\/api\/public\/traces\/([^?]+)/.exec(path) ?? [];
    if (path === '/api/public/ingestion') {
      for (const event of fields['batch'] as Fields[]) this.keep(event);
      return { successes: [], errors: [] };
    }
    if (path === '/api/public/dataset-run-items') return { id: 'link', ...fields };
    if (path.startsWith('/api/public/v2/datasets/')) return { id: 'set', name: 'sums' };
    if (path.startsWith('/api/public/dataset-items'))
      return { data: [item(1), item(2)], meta: { page: 1, totalPages: 1 } };
    return id === '' ? {} : this.fetched(id);
  }

  private keep({ type, body }: Fields): void {
    const fields = body as Fields;
    const id = String(fields['id']);
    if (type === 'score-create') this.scores.push(fields);
    else if (type === 'trace-create') this.traces.set(id, { ...this.traces.get(id), ...fields });
    else {
      const known = this.observations.get(id) ?? { type: String(type).split('-')[0]?.toUpperCase() };
      this.observations.set(id, { ...known, ...fields });
    }
  }

  /** As `TraceWithFullDetails` of the SDK has it. */
  private fetched(id: string): Fields {
    const observations = [...this.observations.values()].filter((one) => one['traceId'] === id);
    return {
      htmlPath: `/trace/${id}`,
      latency: 0.5,
      totalCost: 0.0015,
      ...this.traces.get(id),
      observations: observations.map(({ usage, ...one }) => {
        const { promptTokens, completionTokens, totalTokens } = (usage ?? {}) as Fields;
        const told = usage === undefined ? {} : { input: promptTokens, output: completionTokens, total: totalTokens };
        return { level: 'DEFAULT', calculatedTotalCost: 0, usageDetails: told, ...one };
      }),
      scores: this.scores
        .filter(({ traceId }) => traceId === id)
        .map(({ value, ...score }) =>
          typeof value === 'string'
            ? { ...score, value: null, stringValue: value, source: 'API' }
            : { ...score, value, stringValue: value === 1 ? 'True' : 'False', source: 'API' },
        ),
    };
  }
}

function item(n: number): Fields {
  return {
    id: `item ${n}`,
    status: 'ACTIVE',
    input: { question: `What is ${n} + 1?` },
    expectedOutput: 'It is 2.',
    datasetId: 'set',
    datasetName: 'sums',
  };
}

/** What the SDK sent, request by request, and the traces that it fetched afterwards. */
export async function langfuseFiles(): Promise<{ readonly sent: string; readonly fetched: string }> {
  const server = new LangfuseServer();
  const { asked, printed } = await langfusePeer.run(new URL('langfuse-program.mjs', import.meta.url), (one) =>
    server.answer(one),
  );
  const sent = asked.filter(({ method }) => method === 'POST');
  return {
    sent: sent.map(({ body }) => JSON.stringify(body)).join('\n'),
    fetched: printed.trim().split('\n').at(-1) ?? '',
  };
}
