import { osErrorText } from '../effects/granted/os-error-text.ts';
import { inOwnFolder } from '../effects/granted/own-folder.ts';
import { type ProgramEnd, runProgram } from '../effects/granted/run-program.ts';
import type { Agent, AgentTarget, MessageInSession } from '../types/agent.ts';
import { agentProgram, agentEnv } from './agent-program.ts';
import type { AnswerMetadata } from '../plugin/answer-metadata.ts';
import { textMetadata } from './response-metadata.ts';
import { callWithin } from './call-within.ts';
import { cutText, endText } from './program-end.ts';
import { readResponse, type Said } from './read-answer.ts';
import { requirePath } from './response-path.ts';
import { servedModelVariables } from './proxy-variables.ts';
import { filledMessage } from './session-places.ts';
import { toolsBridge } from './tools-bridge.ts';
import type { TraceHeaders } from '../values/trace-context.ts';
import type { Transport, TargetOptions } from './target.ts';
import { unusable } from './unusable.ts';

export type CommandAgent = Extract<AgentTarget, { readonly kind: 'command' }>;

/** A program started anew for each prompt, which it reads on its standard input. No shell is between. */
export function createCommandTransport(
  { timeoutMs }: Agent,
  { command, requestTemplate, responsePath }: CommandAgent,
  options: TargetOptions,
): Transport {
  const { folder: cwd, permissions } = options;
  const [name = '', ...args] = command;
  const program = agentProgram(name, cwd, permissions);
  const { env, scrub } = agentEnv(options);
  const path = responsePath === undefined ? null : requirePath(responsePath);
  return {
    url: null,
    invoke: null,
    call: async (prompt, { signal, session, traceHeaders }) => {
      const { text: input } = filledMessage(prompt, requestTemplate, session);
      const seen: { metadata?: AnswerMetadata; isAstray?: true } = {};
      const answer = await callWithin({ timeoutMs, signal }, (until) =>
        inOwnFolder(async (folder) => {
          const run = { ...program, args, folder, cwd, input, timeoutMs, ends: [until] };
          const end = await runProgram({ ...run, env: { ...sessionEnv(session, env), ...traceEnv(traceHeaders) } });
          const said = saidBy(end, scrub);
          if (path === null) return said;
          // Of what failed as well.
          seen.metadata = textMetadata('text' in said ? said.text : scrub(end.stdout.toString('utf8')));
          if (!('text' in said)) return said;
          const read = readResponse({ status: 200, contentType: 'application/json', body: said.text }, path);
          if (read.isAstray) seen.isAstray = true;
          return read.said;
        }).catch(notStarted),
      );
      return { ...answer, ...seen };
    },
    close: async () => undefined,
  };
}

/** A program that the system does not start has not failed: nothing is known of it. */
function notStarted(error: unknown): never {
  const text = osErrorText(error);
  if (text === null) throw error;
  throw unusable(`The program cannot be started: ${text}.`);
}

/** The variables of a program, with what it is told of its session. */
function sessionEnv(
  session: MessageInSession | undefined,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (session === undefined) return env;
  const { id, toolsUrl, modelUrl } = session;
  return {
    ...(modelUrl === null ? env : servedModelVariables(modelUrl, env)),
    PASSK_SESSION: id,
    ...(toolsUrl !== null && {
      PASSK_TOOLS_URL: toolsUrl,
      PASSK_TOOLS_SERVER: JSON.stringify(toolsBridge(toolsUrl)),
    }),
  };
}

/** Where programs look for a trace that goes on in them (OpenTelemetry, *Environment Variables as Context Propagation Carriers*). */
function traceEnv(headers: TraceHeaders | undefined): Readonly<Record<string, string>> {
  return headers === undefined ? {} : { TRACEPARENT: headers.traceparent, BAGGAGE: headers.baggage };
}

function saidBy(end: ProgramEnd, scrub: (text: string) => string): Said {
  const cut = cutText(end);
  if (cut !== null) return { error: cut };
  if (end.exitCode === 0) return { text: scrub(end.stdout.toString('utf8').replace(/\r?\n$/, '')) };
  return { error: endText(end, scrub) };
}
