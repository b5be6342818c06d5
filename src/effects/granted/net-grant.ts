import { isIP } from 'node:net';
import type { CanonicalUrl } from '../../policy/canonical-url.ts';
import type { Grant } from '../../types/permissions.ts';
import { specialAddress } from './special-address.ts';

/** `--allow-net`, compiled. Both answers are the sentence that names the flag; null: granted. */
export interface NetGrant {
  /** What the URL alone can tell. */
  refuseUrl(url: CanonicalUrl): string | null;
  /** The address that the host of this URL turned out to have. */
  refuseAddress(url: CanonicalUrl, address: string): string | null;
}

/** One entry of the list: `host`, `host:port`, `*.host` or `*`. */
export interface NetEntry {
  /** In the spelling of canonical URLs, without the brackets of IPv6. */
  readonly host: string;
  /** True: every host below this one, but not itself. `*` is the same below nothing. */
  readonly below: boolean;
  /** Null: any. */
  readonly port: number | null;
}

/** Compiles the grant. Entries that are no host grant nothing; `parseNetEntry` says which. */
export function compileNetGrant(net: Grant): NetGrant {
  const listed = typeof net === 'boolean' ? [] : net;
  const entries = listed.flatMap((text) => parseNetEntry(text) ?? []);
  const names = (host: string, port: number) =>
    entries.some((entry) => !entry.below && entry.host === host && fitsPort(entry, port));
  const covers = (host: string, port: number) =>
    net === true || names(host, port) || entries.some((entry) => coversBelow(entry, host) && fitsPort(entry, port));

  return {
    refuseUrl: (url) => {
      const { host, port, flag } = target(url);
      if (!covers(host, port)) return `A request to ${flag} needs --allow-net=${flag}.`;
      if (isIP(host) === 0 || names(host, port)) return null;
      const special = specialAddress(host);
      return special === null ? null : `${flag} is ${special.label}: it needs --allow-net=${flag}.`;
    },
    refuseAddress: (url, address) => {
      const { host, port, flag } = target(url);
      const special = specialAddress(address);
      if (special === null || names(plainAddress(address), port)) return null;
      if (!special.opensByName) return `${flag} leads to ${special.label}, which --allow-net must name by its address.`;
      return names(host, port) ? null : `${flag} leads to ${special.label}: it needs --allow-net=${flag}.`;
    },
  };
}

/** Reads one entry; null: it is none, nothing is granted by it. */
export function parseNetEntry(text: string): NetEntry | null {
  const [, star, rest = ''] = /^(\*\.?)?(.*)$/s.exec(text) ?? [];
  if (star === '*') return rest === '' ? { host: '', below: true, port: null } : null;
  const bare = isIP(rest) === 6 ? `[${rest}]` : rest;
  const [, name = '', digits] = /^(.*?)(?::(\d{1,5}))?$/s.exec(bare) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (name === '' || /[/?#@\\\s%]/.test(name) || !URL.canParse(`http://${name}`)) return null;
  if (port !== null && (port < 1 || port > 65_535)) return null;
  const { hostname, port: left } = new URL(`http://${name}`);
  if (left !== '' || hostname.includes('*')) return null;
  const host = withoutBrackets(hostname).replace(/\.$/, '');
  if (host === '' || (star !== undefined && isIP(host) !== 0)) return null;
  return { host, below: star !== undefined, port };
}

function fitsPort(entry: NetEntry, port: number): boolean {
  return entry.port === null || entry.port === port;
}

function coversBelow(entry: NetEntry, host: string): boolean {
  return entry.below && (entry.host === '' || (isIP(host) === 0 && host.endsWith(`.${entry.host}`)));
}

/** Where a request goes, and how the flag that grants exactly this is spelled. */
function target(url: CanonicalUrl): { readonly host: string; readonly port: number; readonly flag: string } {
  const { protocol, hostname, port } = new URL(url.origin);
  const defaultPort = protocol === 'https:' ? 443 : 80;
  const flag = port === '' ? hostname : `${hostname}:${port}`;
  return { host: withoutBrackets(hostname), port: port === '' ? defaultPort : Number(port), flag };
}

/** An address as resolvers spell it, in the one spelling of URLs. */
function plainAddress(address: string): string {
  return isIP(address) === 6 && !address.includes('%')
    ? withoutBrackets(new URL(`http://[${address}]`).hostname)
    : address;
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
