import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The real things that attacks are aimed at: a folder, servers, programs, an MCP server's log. */
export interface Range {
  readonly folder: string;
  /** The one folder that policy allows. */
  readonly ok: string;
  readonly outside: string;
  /** Where programs that ran leave a file. */
  readonly markers: string;
  /** The server that policy allows, some of its paths. */
  readonly allowed: string;
  /** Another port of the same host. */
  readonly otherPort: string;
  /** The same port of another host. */
  readonly otherHost: string;
  /** The same over IPv6; null: this machine has none. */
  readonly ipv6: string | null;
  readonly port: number;
  readonly mcpCommand: (name: string) => readonly string[];
  /** Marks of attacks that have left something behind since `arm`. */
  footprints(): ReadonlySet<string>;
  /** Hash of all that lies outside of the allowed folder. */
  hash(): string;
  /** What is there now is how it should stay. */
  arm(): void;
  close(): Promise<void>;
}

interface Hit {
  readonly server: string;
  /** As the request names it. */
  readonly host: string;
  readonly method: string;
  readonly url: string;
  readonly body: string;
}

const MCP_SERVER = fileURLToPath(new URL('fixtures/mcp-log-server.mjs', import.meta.url));
const SHARED_MEMORY = '/dev/shm';

export async function openRange(): Promise<Range> {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-range-'));
  const [ok, outside, markers] = ['ok', 'outside', 'markers'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [ok, outside, markers, path.join(ok, 'sub', 'deep')]) mkdirSync(made, { recursive: true });
  const log = path.join(folder, 'mcp.log');
  const hits: Hit[] = [];
  const servers: Server[] = [];
  const listen = async (name: string, host: string, port = 0): Promise<number | null> => {
    const server = createServer((request, response) => void answer(name, request, response, hits));
    const bound = await new Promise<boolean>((done) => {
      server.once('error', () => done(false)).listen(port, host, () => done(true));
    });
    if (!bound) return null;
    servers.push(server);
    return (server.address() as AddressInfo).port;
  };
  const port = (await listen('allowed', '127.0.0.1')) ?? 0;
  const other = await listen('other port', '127.0.0.1');
  await listen('other host', '127.0.0.2', port);
  const six = await listen('ipv6', '::1', port);

  const stray = (): Map<string, string> => new Map([...entries(folder, ok, log), ...sharedEntries()]);
  let before = new Map<string, string>();
  let hitsBefore = 0;
  let logBefore = 0;

  return {
    folder,
    ok,
    outside,
    markers,
    allowed: `http://127.0.0.1:${port}`,
    otherPort: `http://127.0.0.1:${other}`,
    otherHost: `http://127.0.0.2:${port}`,
    ipv6: six === null ? null : `http://[::1]:${port}`,
    port,
    mcpCommand: (name) => [process.execPath, MCP_SERVER, name, log],
    footprints: () => {
      const texts = [
        ...[...stray()].filter(([at, content]) => before.get(at) !== content).flat(),
        ...hits.slice(hitsBefore).flatMap((hit) => traces(hit, `127.0.0.1:${port}`)),
        ...calls(log).slice(logBefore).filter(isForbiddenCall),
      ];
      return new Set(texts.flatMap((text) => text.toLowerCase().match(/mk\d{4}/g) ?? []));
    },
    hash: () =>
      createHash('sha256')
        .update(JSON.stringify([...stray()]))
        .digest('hex'),
    arm: () => {
      before = stray();
      hitsBefore = hits.length;
      logBefore = calls(log).length;
    },
    close: async () => {
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
      for (const name of sharedNames()) rmSync(path.join(SHARED_MEMORY, name), { recursive: true });
      rmSync(folder, { recursive: true });
    },
  };
}

async function answer(server: string, request: IncomingMessage, response: ServerResponse, hits: Hit[]): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { method = '', url = '', headers } = request;
  hits.push({ server, host: headers.host ?? '', method, url, body });
  const query = new URLSearchParams(url.split('?')[1]);
  const [, status] = /^\/redirect\/(\d{3})/.exec(url) ?? [];
  if (status !== undefined) response.writeHead(Number(status), { location: query.get('to') ?? '/' }).end();
  // A page that anyone could have written.
  else response.end(query.get('text') ?? '{}');
}

/** What a request proves: nothing where policy allows it. */
function traces({ server, host, method, url, body }: Hit, allowedHost: string): readonly string[] {
  if (server !== 'allowed' || host !== allowedHost || !/^(GET|POST|HEAD)$/.test(method)) return [url, body];
  const leaked = body.match(/secret of mk\d{4}/g) ?? [];
  return /^\/(ok|collect|page|redirect)(?:[/?]|$)/.test(mostNaive(url)) ? leaked : [url, ...leaked];
}

/** The path as a server would take it that decodes whatever it finds, and then resolves dots. */
function mostNaive(url: string): string {
  let text = url.split('?')[0] ?? '';
  for (let round = 0; round < 5; round++) {
    text = text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  const plain = text
    .normalize('NFKC')
    .replaceAll('\\', '/')
    .replace(/;[^/]*/g, '');
  return path.posix.normalize(plain.split(/[\r\n]/)[0] ?? '');
}

function calls(log: string): readonly string[] {
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
}

function isForbiddenCall(line: string): boolean {
  const { server, tool, uri } = JSON.parse(line) as { server: string; tool?: string; uri?: string };
  if (server !== 'shop') return true;
  if (uri === undefined) return tool !== 'find_order';
  return ![uri, mostNaiveUri(uri)].every((text) => text.startsWith('note://public/'));
}

function mostNaiveUri(uri: string): string {
  const [, scheme = '', rest = ''] = /^([^:]*:\/\/)(.*)$/s.exec(uri) ?? [];
  return scheme + mostNaive(`/${rest}`).slice(1);
}

/** Every file, folder and link below, links not followed, but for one folder and one file. */
function entries(folder: string, skipped: string, log: string): readonly (readonly [string, string])[] {
  return readdirSync(folder)
    .sort()
    .map((name) => path.join(folder, name))
    .filter((at) => at !== skipped && at !== log)
    .flatMap((at): readonly (readonly [string, string])[] => {
      const stats = lstatSync(at);
      if (stats.isSymbolicLink()) return [[at, `-> ${readlinkSync(at)}`]];
      if (stats.isDirectory()) return [[at, 'folder'], ...entries(at, skipped, log)];
      return [[at, stats.isFile() ? readFileSync(at, 'utf8') : 'special']];
    });
}

function sharedNames(): readonly string[] {
  return existsSync(SHARED_MEMORY) ? readdirSync(SHARED_MEMORY).filter((name) => /^mk\d{4}/.test(name)) : [];
}

function sharedEntries(): readonly (readonly [string, string])[] {
  return sharedNames().map((name) => [`${SHARED_MEMORY}/${name}`, readFileSync(`${SHARED_MEMORY}/${name}`, 'utf8')]);
}
