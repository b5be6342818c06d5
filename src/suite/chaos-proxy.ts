import path from 'node:path';
import { ChaosState } from '../faults/chaos/chaos-state.ts';
import { compileChaos } from '../faults/chaos/compile-chaos.ts';
import { PasskError } from '../errors.ts';
import { visibleText } from '../text/visible-text.ts';
import { deriveWords } from '../random/draw.ts';
import { hintFor } from '../text/did-you-mean.ts';
import { PROVIDERS } from '../agents/proxy/proxy-route.ts';
import type { ProxyCall } from '../agents/proxy/session.ts';
import type { Chaos } from '../types/chaos.ts';
import { messageOf } from '../values/message-of.ts';
import { loadSuite } from './load-suite.ts';

/** Options of `openChaosProxy()`. */
export interface ChaosProxyRunOptions {
  /** Default 8787; 0: any free one. */
  readonly port?: number;
  /** Where model calls go; default: to OpenAI, or to Anthropic for its messages. */
  readonly upstream?: string;
  /** Tools by name, reached as `/tools/NAME/…`, with the address that stands behind each. */
  readonly tools?: Readonly<Record<string, string>>;
  /** Further hosts that calls may be passed on to, as in `permissions.net`. */
  readonly net?: boolean | readonly string[];
  /** A built-in profile or a file with one; or a column of a file with a contract. */
  readonly chaos:
    | {
        /** A built-in profile, or a file with one. */
        readonly profile: string;
      }
    | {
        /** A file with a contract. */
        readonly file: string;
        /** Name of the column in the contract's chaos matrix. */
        readonly column: string;
      };
  /** Default 0. */
  readonly seed?: number;
  /** Folder that files are looked for in; default the working directory. */
  readonly cwd?: string;
  /** Called for every call; its names are safe to print on a terminal. */
  readonly onCall?: (call: ProxyCall) => void;
}

/** A proxy that runs by itself until it is closed. */
export interface RunningChaosProxy {
  /** Such as `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Every declared fault and how often it fired so far. */
  fired(): readonly {
    /** The fault, as reports name it. */
    readonly fault: string;
    /** How often it changed an answer. */
    readonly fired: number;
  }[];
  /** Ends the proxy; calls under way are cut. */
  close(): Promise<void>;
}

const DEFAULT_PORT = 8787;

/**
 * Starts a proxy on this machine that breaks what an agent calls, for agents that something else starts. Its calls are one
 * trial. Throws a `PasskError` when an address, a profile or the port cannot be used.
 */
export async function openChaosProxy(options: ChaosProxyRunOptions): Promise<RunningChaosProxy> {
  const { port = DEFAULT_PORT, net = [], seed = 0, onCall } = options;
  const chaos = await chaosOf(options);
  const upstream = options.upstream === undefined ? null : addressOf(options.upstream, 'The upstream');
  const tools = Object.entries(options.tools ?? {}).map(
    ([name, url]) => [name, addressOf(url, `Tool "${name}"`)] as const,
  );
  const models = upstream === null ? PROVIDERS : [upstream];
  const named = [...models, ...tools.map(([, url]) => url)].map(({ host }) => host);
  const state = new ChaosState(compileChaos(chaos, deriveWords(seed, 'chaos proxy')));
  state.begin(0);
  // Loaded here, because most programs start no proxy.
  const { startChaosProxy } = await import('../agents/proxy/chaos-proxy.ts');
  const proxy = await started(port, () =>
    startChaosProxy({
      port,
      upstream,
      tools: Object.fromEntries(tools),
      // To name an address here is to grant it.
      net: net === true ? true : [...(net === false ? [] : net), ...named],
      onCall: ({ kind, name, fired }) =>
        onCall?.({ kind, name: visibleText(name), fired: fired.map((name) => visibleText(name)) }),
    }),
  );
  proxy.begin(state);
  return {
    url: proxy.url,
    fired: () => state.labels.map((fault, at) => ({ fault: visibleText(fault), fired: state.fired[at] ?? 0 })),
    close: () => proxy.close(),
  };
}

async function chaosOf({ chaos, cwd }: ChaosProxyRunOptions): Promise<Chaos> {
  if ('profile' in chaos) {
    const folder = path.resolve(cwd ?? '.');
    const { loadProfile } = await import('../suites/contract/load-profiles.ts');
    const loaded = await loadProfile(chaos.profile, { root: folder, folder });
    if (loaded.chaos !== null) return loaded.chaos;
    const [first] = loaded.issues;
    if (first === undefined || first.at !== undefined) {
      throw new PasskError('INPUT', `${chaos.profile} does not load.`, { issues: loaded.issues });
    }
    throw new PasskError('USAGE', first.message, first.hint === undefined ? {} : { hint: first.hint });
  }
  const { definitions, issues } = await loadSuite({ paths: [chaos.file], ...(cwd !== undefined && { cwd }) });
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new PasskError('INPUT', `${chaos.file} does not load.`, { issues });
  const columns = definitions.flatMap((one) => (one.kind === 'contract' ? one.matrix : []));
  const column = columns.find(({ name }) => name === chaos.column);
  if (column !== undefined) return column;
  const names = columns.map(({ name }) => name);
  throw new PasskError('USAGE', `${chaos.file} has no column "${chaos.column}".`, {
    hint: hintFor(chaos.column, names, 'columns'),
  });
}

function addressOf(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new PasskError('USAGE', `${what} is no address: ${JSON.stringify(text)}.`, {
    hint: 'Write it with http:// or https:// in front.',
  });
}

async function started<T>(port: number, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (cause) {
    throw new PasskError('USAGE', `The proxy cannot listen on port ${port}: ${messageOf(cause)}.`, {
      hint: 'Name another one with --port, or 0 for any.',
      cause,
    });
  }
}
