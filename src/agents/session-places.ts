import type { MessageInSession } from '../types/agent.ts';
import { type FilledTemplate, fillTemplate, type SessionPlaces } from './request-template.ts';
import { structuredFields } from './structured-input.ts';
import { toolsBridge } from './tools-bridge.ts';

/**
 * What a template may say of a session. What agents are told before anything else stands at the head of the messages, unless
 * the template has another place for it.
 */
export function sessionPlaces(
  template: string,
  { id, system, messages, toolsUrl, modelUrl }: MessageInSession,
): SessionPlaces {
  const hasSystem = system !== null && !template.includes('{system}');
  const said = hasSystem ? [{ role: 'system', content: system }, ...messages] : messages;
  return {
    texts: { session: id, system: system ?? '', tools_url: toolsUrl ?? '', model_url: modelUrl ?? '' },
    data: { messages: JSON.stringify(said), tools_server: JSON.stringify(toolsUrl && toolsBridge(toolsUrl)) },
  };
}

/** An address, or a value of a header, with the session in its place. */
export function withSession(text: string, session: MessageInSession | undefined): string {
  return session === undefined
    ? text
    : text
        .replaceAll('{session}', session.id)
        .replaceAll('{tools_url}', session.toolsUrl ?? '')
        .replaceAll('{model_url}', session.modelUrl ?? '');
}

/** What an agent that passk starts gets of a message: the message, or what the agent's template makes of it. */
export function filledMessage(
  prompt: string,
  template: string | undefined,
  session: MessageInSession | undefined,
): FilledTemplate {
  if (template === undefined || session === undefined) return { kind: 'text', text: prompt };
  const fields = structuredFields(prompt);
  return fillTemplate(template, { prompt, fields, mayBeQuery: false, session: sessionPlaces(template, session) });
}
