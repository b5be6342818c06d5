import { injectText } from '../../faults/chaos/context-attacks.ts';
import { readWhole } from '../../values/read-whole.ts';
import { type Exchange, JSON_TYPE, MOST_BYTES, sendAs, sendText } from './send.ts';
import { noteToolCall } from './session.ts';
import { strikeTool } from './strike-tool.ts';

/** A call to a tool's host: broken as declared, or passed on, with what attacks the agent put into its result. */
export async function passTool(
  { request, response, signal, session }: Exchange,
  { url, names }: { readonly url: URL; readonly names: readonly string[] },
  body: Buffer,
): Promise<void> {
  const { state, forwarder } = session;
  noteToolCall(session, names);
  const reply = await strikeTool({ names, url: url.href }, session, signal);
  // The connection ends without a word.
  if (reply === 'nothing') return void response.destroy();
  if (reply !== null)
    return sendText(response, reply.status, reply.body, reply.isJson === true ? JSON_TYPE : undefined);
  const { method = 'GET', headers } = request;
  const answer = await forwarder.send(url, { method, headers, body, signal });
  const whole = await readWhole(answer.body, MOST_BYTES);
  if (whole === null) return sendText(response, 502, 'passk: the answer of the tool is too large.');
  const isText = /json|text|xml/.test(String(answer.headers['content-type'] ?? 'text/plain'));
  const attacks = isText && state !== null ? state.onResult('tool') : [];
  const injected = attacks.reduce((text, { payload }) => injectText(text, payload), whole.toString('utf8'));
  sendAs(response, answer, attacks.length === 0 ? whole : injected);
}
