import { type Asked, Peer } from '../a-peer.ts';

export const langsmithPeer: Peer = new Peer('langsmith', '@langchain/core');

type Fields = Record<string, unknown>;

/** What a server of LangSmith is to the SDK, as far as our program asks it: it keeps runs and gives them back as its API does. */
class LangSmithServer {
  private readonly runs = new Map<string, Fields>();
  private readonly feedback: Fields[] = [];

  answer({ method, path, body }: Asked): unknown {
    const fields = (body ?? {}) as Fields;
    if (path === '/info')
      return { version: '0.10.0', batch_ingest_config: { ...BATCHES, use_multipart_endpoint: false } };
    if (path === '/runs/batch') return this.keep(fields);
    if (path === '/feedback') return this.feedback.push(fields);
    if (path === '/runs/query') return { runs: [...this.runs.values()].map((run) => this.listed(run)), cursors: {} };
    if (path.startsWith('/sessions')) {
      const session = { id: SESSION, tenant_id: TENANT, name: 'agent', start_time: 1, ...fields };
      return method === 'GET' ? [session] : session;
    }
    return path.startsWith('/datasets') ? { id: '44444444-4444-4444-8444-444444444444', tenant_id: TENANT } : {};
  }

  private keep({ post, patch }: Fields): Fields {
    for (const run of [...(post as Fields[]), ...(patch as Fields[])]) {
      this.runs.set(String(run['id']), { ...this.runs.get(String(run['id'])), ...run });
    }
    return {};
  }

  /** As `RunSchema` of the SDK has it: times as text, statistics of feedback, tokens of a run with all below it. */
  private listed({ session_name, child_runs: _, ...run }: Fields): Fields {
    const own = this.feedback.filter((one) => one['run_id'] === run['id']);
    const below = [...this.runs.values()].filter((one) => {
      return one['run_type'] === 'llm' && String(one['dotted_order']).startsWith(String(run['dotted_order']));
    });
    // The client below the model is a run of its own with the same tokens, of which LangSmith counts one.
    const usages = below.filter((one) => one['name'] !== 'model').map(usageOf);
    const sum = (key: string): number => usages.reduce((total, usage) => total + Number(usage[key] ?? 0), 0);
    return {
      ...run,
      session_id: session_name === 'langchain' ? '55555555-5555-4555-8555-555555555555' : SESSION,
      start_time: textTime(run['start_time']),
      end_time: textTime(run['end_time']),
      status: run['error'] === undefined ? 'success' : 'error',
      prompt_tokens: sum('input_tokens'),
      completion_tokens: sum('output_tokens'),
      total_tokens: sum('total_tokens'),
      total_cost: usages.length === 0 ? null : String(usages.length / 1000),
      parent_run_ids: [],
      feedback_stats:
        own.length === 0
          ? null
          : Object.fromEntries(
              own.map(({ key, score }) => [key, { n: 1, avg: Number(score), values: {}, comments: [], errors: 0 }]),
            ),
    };
  }
}

const TENANT = '33333333-3333-4333-8333-333333333333';
const SESSION = '22222222-2222-4222-8222-222222222222';
const BATCHES = {
  size_limit: 100,
  size_limit_bytes: 20_000_000,
  scale_up_qsize_trigger: 1000,
  scale_up_nthreads_limit: 16,
  scale_down_nempty_trigger: 4,
};

function usageOf(run: Fields): Fields {
  return ((run['outputs'] as Fields | undefined)?.['usage_metadata'] ?? {}) as Fields;
}

/** The API leaves the zone out: it is UTC. */
function textTime(time: unknown): string | null {
  return typeof time === 'number' ? new Date(time).toISOString().replace('Z', '') : String(time).replace('Z', '');
}

/** What the SDK sent, batch by batch, and what it listed afterwards. */
export async function langsmithFiles(): Promise<{ readonly sent: string; readonly listed: string }> {
  const server = new LangSmithServer();
  const { asked, printed } = await langsmithPeer.run(new URL('langsmith-program.mjs', import.meta.url), (one) =>
    server.answer(one),
  );
  const sent = asked.filter(({ path }) => path === '/runs/batch' || path === '/feedback');
  return {
    sent: sent.map(({ body }) => JSON.stringify(body)).join('\n'),
    listed: printed.trim().split('\n').at(-1) ?? '',
  };
}
