import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { PasskError } from '../errors.ts';
import { nodeFiles } from '../records/file-layer.ts';
import { isRecord } from '../values/is-json.ts';
import { jsonIn } from '../values/json-in.ts';
import { messageOf } from '../values/message-of.ts';
import { readWhole } from '../values/read-whole.ts';
import type { CanaryReport } from '../types/canary/canary-report.ts';
import type { ServeCanaryOptions } from './canary-options.ts';
import { admitRollout } from './admit-rollout.ts';
import { openCanaryAudit } from './canary-audit.ts';
import { type OpenCanary, openCanary } from './open-canary.ts';
import { readCanary } from './read-canary.ts';
import { stateFile } from './step-canary.ts';

/** A rollout behind an address of this machine. Needs closing. */
export interface CanaryServer {
  /** `http://127.0.0.1:8790`: POST outcomes to /outcomes, GET /status. */
  readonly url: string;
  /** Writes the state, and lets others continue the rollout. Resolves to where it stands. */
  close(): Promise<CanaryReport>;
}

/** Of a request, which is one step. */
const MOST_BYTES = 1 << 20;
/** A client that sends nothing for so long is let go. */
const IDLE_MS = 10_000;
/** Between two writes of the state, while nothing changes but counts. */
const SAVE_MS = 1000;

/**
 * Serves a rollout on the loopback: each POST of outcomes is a step, and is in the journal before it is answered. Only programs of
 * this machine reach it, no page of a browser does, and with a token only who knows it. Rejects as `stepCanary` does, with
 * `USAGE` where the port cannot be had or a stage of the tier is missing.
 */
export async function serveCanary({
  port = 0,
  token,
  now = Date.now,
  ...options
}: ServeCanaryOptions): Promise<CanaryServer> {
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const read = readCanary(options.config, cwd);
  const files = options.files ?? nodeFiles;
  const state = stateFile(read, options, cwd);
  const admission = await admitRollout(read, { state, cwd, files });
  if (admission.refused !== null) {
    throw new PasskError('USAGE', admission.refused.reasons[0]?.message ?? 'The rollout may not begin.');
  }
  const { release } = admission;
  const audit = options.audit === undefined ? null : await openCanaryAudit(options.audit, cwd);
  const canary = await openCanary(read, { state, files, audit, release });
  const queue = new StepQueue(canary);
  const server = createServer((request, response) => {
    void answer(request, response, { queue, canary, now, token: token ?? null }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      // A journal that cannot be written: what was not written does not count, and the client must hear of it.
      else send(response, 500, { error: messageOf(error) });
    });
  });
  server.requestTimeout = IDLE_MS;
  server.headersTimeout = IDLE_MS;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) =>
        reject(new PasskError('USAGE', `The port ${port} cannot be used: ${messageOf(cause)}.`, { cause })),
      );
      server.listen({ host: '127.0.0.1', port }, resolve);
    });
  } catch (error) {
    await canary.close();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await queue.ended();
      server.closeAllConnections();
      await closed;
      try {
        return await canary.save();
      } finally {
        await canary.close();
      }
    },
  };
}

/** Does one step after the other. */
class StepQueue {
  private readonly canary: OpenCanary;
  private last: Promise<unknown> = Promise.resolve();
  private savedAt = Number.NEGATIVE_INFINITY;
  private savedStage = '';

  constructor(canary: OpenCanary) {
    this.canary = canary;
  }

  step(lines: readonly string[], nowMs: number): Promise<readonly (string | null)[]> {
    const done = this.last.then(async () => {
      const reasons = await this.canary.take(lines, nowMs);
      await this.canary.endStep();
      await this.save();
      return reasons;
    });
    this.last = done.catch(() => undefined);
    return done;
  }

  async ended(): Promise<void> {
    await this.last;
  }

  /** At once where traffic is to change, else seldom: the journal has it all. */
  private async save(): Promise<void> {
    const { state, percent } = this.canary.report();
    const stage = `${state} ${percent}`;
    if (stage === this.savedStage && performance.now() - this.savedAt < SAVE_MS) return;
    await this.canary.save();
    this.savedAt = performance.now();
    this.savedStage = stage;
  }
}

interface Answering {
  readonly queue: StepQueue;
  readonly canary: OpenCanary;
  readonly now: () => number;
  readonly token: string | null;
}

const LOOPBACK = /^(127\.0\.0\.1|localhost)(:\d+)?$/;
const TYPES = /^application\/(json|jsonl|x-ndjson|ndjson)\b/i;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { queue, canary, now, token }: Answering,
): Promise<void> {
  // A page whose name was made to lead here says so in its host, and any page says where it comes from.
  if (!LOOPBACK.test(request.headers.host ?? '') || request.headers.origin !== undefined) {
    return send(response, 403, { error: 'Only programs of this machine are answered.' });
  }
  if (token !== null && !isToken(request.headers.authorization, token)) {
    return send(response, 401, { error: 'Give the token: Authorization: Bearer TOKEN.' });
  }
  const place = (request.url ?? '').split('?', 1)[0];
  if (request.method === 'GET' && place === '/status') return send(response, 200, canary.report());
  if (place !== '/outcomes' || request.method !== 'POST') {
    return send(response, 404, { error: 'There is only POST /outcomes and GET /status.' });
  }
  const unfit = unfitBody(request.headers);
  if (unfit !== null) return send(response, 415, { error: unfit });
  const body = await readWhole(request, MOST_BYTES);
  if (body === null) return send(response, 413, { error: `A request may have ${MOST_BYTES} bytes.` });
  const text = body.toString('utf8');
  const whole = jsonIn(text);
  if (Array.isArray(whole)) return send(response, 400, { error: 'Send a line for each outcome, and no list of them.' });
  // An outcome may stand on several lines where it is alone: there is no line end in any of its texts.
  const lines = (isRecord(whole) ? [text.replaceAll(/[\r\n]/g, ' ')] : text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const reasons = await queue.step(lines, now());
  const { state, percent, decision } = canary.report();
  const setAside = reasons.flatMap((reason, place) => (reason === null ? [] : [{ line: place + 1, reason }]));
  send(response, 200, { state, percent, decision, read: lines.length, setAside });
}

/** Why a body cannot be read as it is; null: it can. Read as what it is not, each of its lines would be an error of the stage. */
function unfitBody({
  'content-type': type = '',
  'content-encoding': encoding = 'identity',
}: IncomingMessage['headers']): string | null {
  if (!TYPES.test(type)) return 'Outcomes are application/json, or application/x-ndjson with a line for each.';
  if (encoding !== 'identity') return `Outcomes are sent as they are, and not as ${JSON.stringify(encoding)}.`;
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]+)/i.exec(type) ?? [];
  return /^(?:utf-?8|us-ascii)$/i.test(charset) ? null : `Outcomes are UTF-8, and not ${charset}.`;
}

function isToken(header: string | undefined, token: string): boolean {
  const [said, wanted] = [Buffer.from(header ?? ''), Buffer.from(`Bearer ${token}`)];
  return said.length === wanted.length && timingSafeEqual(said, wanted);
}

function send(response: ServerResponse, status: number, body: object): void {
  // What is left of a body that nobody reads must not be taken for the next request.
  const headers = status === 200 ? {} : { connection: 'close' };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(`${JSON.stringify(body)}\n`);
}
