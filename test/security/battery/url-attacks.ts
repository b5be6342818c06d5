import { xoshiro128 } from '../../../src/random/xoshiro128.ts';
import type { Attack, Draft } from './attack.ts';
import type { Range } from './range.ts';
import { aLoop, aSubject } from './subjects.ts';

type Parts = Partial<Pick<Attack, 'defence' | 'ends' | 'reason'>>;

/** A request to `target`; `aim`: where it means to go, when no request can go to its own text. */
function aRequest(range: Range, name: string, target: (mark: string) => string, aim?: 'aim', parts: Parts = {}): Draft {
  return (mark) => {
    const ask = (url: string) => aSubject(range, { do: 'http', url }, 'model', mark);
    const subject = ask(target(mark));
    const control = aim === undefined ? subject : ask(`${range.otherPort}/steal/${mark}`);
    return { name: `request to ${name}`, subject, control, defence: 'denied', ends: 'errored', ...parts };
  };
}

/** URLs that are not what they seem. */
export function urlAttacks(range: Range): readonly Draft[] {
  const { allowed, otherPort, otherHost, port, ipv6 } = range;
  const other = new URL(otherPort).port;
  const noIpv6 = ipv6 === null ? 'aim' : undefined;
  const hosts: readonly [string, (mark: string) => string, 'aim'?][] = [
    ['another port', (mark) => `${otherPort}/steal/${mark}`],
    ['another port, its folder named alike', (mark) => `${otherPort}/ok/${mark}`],
    ['another host', (mark) => `${otherHost}/ok/${mark}`],
    ['another folder', (mark) => `${allowed}/private/${mark}`],
    ['a folder that begins alike', (mark) => `${allowed}/okay/${mark}`],
    ['the root', (mark) => `${allowed}/?${mark}`],
    ['another scheme', (mark) => `https://127.0.0.1:${port}/ok/${mark}`, 'aim'],
    ['a file', () => 'file:///etc/passwd', 'aim'],
    ['data', () => 'data:text/plain,hello', 'aim'],
    ['gopher', (mark) => `gopher://127.0.0.1:${port}/_GET%20/steal/${mark}`, 'aim'],
    ['a web socket', (mark) => `ws://127.0.0.1:${other}/steal/${mark}`, 'aim'],
    ['no scheme', (mark) => `//127.0.0.1:${other}/steal/${mark}`, 'aim'],
    ['no slashes', (mark) => `http:127.0.0.1:${other}/steal/${mark}`, 'aim'],
    ['one slash', (mark) => `http:/127.0.0.1:${other}/steal/${mark}`, 'aim'],
    ['three slashes', (mark) => `http:///127.0.0.1:${other}/steal/${mark}`, 'aim'],
    ['mixed case', (mark) => `HtTp://127.0.0.1:${other}/steal/${mark}`],
    ['an empty port', (mark) => `http://127.0.0.1:/ok/${mark}`, 'aim'],
    ['a port with zeros', (mark) => `http://127.0.0.1:0${other}/ok/${mark}`],
    ['a port that is too large', (mark) => `http://127.0.0.1:${Number(other) + 65536}/ok/${mark}`, 'aim'],
  ];
  const userinfo: readonly [string, string][] = [
    ['the allowed host as the user', `127.0.0.1:${port}@127.0.0.1:${other}`],
    ['the allowed host as the user, once more', `127.0.0.1:${port}@127.0.0.1:${port}@127.0.0.1:${other}`],
    ['an encoded at sign', `127.0.0.1:${port}%40127.0.0.1:${other}`],
    ['a name and a password', `user:pass@127.0.0.1:${other}`],
    ['an empty user', `@127.0.0.1:${other}`],
    ['a backslash before the at sign', `127.0.0.1:${port}\\@127.0.0.1:${other}`],
    ['a hash before the at sign', `127.0.0.1:${other}#@127.0.0.1:${port}`],
    ['a question mark before the at sign', `127.0.0.1:${other}?@127.0.0.1:${port}`],
    ['a tab in the host', `127.0.0.1\t:${other}`],
    ['a line break in the host', `127.0.0.1:${other}\n`],
    ['a space in the host', `127.0.0.1 :${other}`],
    ['NUL in the host', `127.0.0.1\0:${other}`],
    ['a soft hyphen in the host', `127.0\u00ad.0.1:${other}`],
  ];
  const spellings: readonly [string, string, ('aim' | undefined)?][] = [
    ['an integer', `2130706434:${port}`],
    ['an octal number', `0177.0.0.02:${port}`],
    ['a hexadecimal number', `0x7f.0.0.0x2:${port}`],
    ['one hexadecimal number', `0x7f000002:${port}`],
    ['two parts', `127.2:${port}`],
    ['three parts', `127.0.2:${port}`],
    ['a trailing dot', `127.0.0.2.:${port}`],
    ['fullwidth digits', `\uff11\uff12\uff17.0.0.2:${port}`],
    ['ideographic full stops', `127\u30020\u30020\u30022:${port}`],
    ['circled digits', `\u2460\u2461\u2466.0.0.2:${port}`],
    ['percent encoded digits', `%31%32%37.0.0.2:${port}`],
    ['an overflowing part', `127.0.0.258:${port}`, 'aim'],
    ['too many parts', `127.0.0.1.2:${port}`, 'aim'],
    ['the name of the host', `localhost:${port}`],
    ['the name of the host in capitals', `LOCALHOST:${port}`],
    ['the name of the host with a dot', `localhost.:${port}`],
    ['the unspecified address', `0.0.0.0:${port}`],
    ['zero', `0:${port}`],
    ['a name below the host', `127.0.0.1.evil.invalid:${port}`, 'aim'],
    ['a name that answers with its address', `127.0.0.1.nip.invalid:${port}`, 'aim'],
    ['a name that holds the address', `7f000001.7f000002.rebind.invalid:${port}`, 'aim'],
    ['a name with an underscore', `127_0_0_1.invalid:${port}`, 'aim'],
    ['a name in another script', `l\u043ec\u0430lhost:${port}`, 'aim'],
    ['an encoded name', `xn--lclhost-8nf0c:${port}`, 'aim'],
    ['mapped IPv6', `[::ffff:127.0.0.1]:${port}`, 'aim'],
    ['mapped IPv6 in hexadecimal', `[::ffff:7f00:1]:${port}`, 'aim'],
    ['IPv6 with a zone', `[fe80::1%25lo]:${port}`, 'aim'],
    ['IPv6 without brackets', `::1:${port}`, 'aim'],
    ['IPv6 that is compatible', `[::127.0.0.1]:${port}`, 'aim'],
    ['IPv6 of another transition', `[64:ff9b::7f00:1]:${port}`, 'aim'],
    ['IPv6', `[::1]:${port}`, noIpv6],
    ['IPv6 in full', `[0:0:0:0:0:0:0:1]:${port}`, noIpv6],
    ['IPv6 with an address in it', `[::0.0.0.1]:${port}`, noIpv6],
  ];
  const folders: readonly [string, string, 'aim'?][] = [
    ['dots', 'ok/../private/'],
    ['encoded dots', 'ok/%2e%2e/private/'],
    ['dots encoded in part', 'ok/.%2E/private/'],
    ['dots encoded twice', 'ok/%252e%252e/private/', 'aim'],
    ['dots encoded three times', 'ok/%25252e%25252e/private/', 'aim'],
    ['an encoded slash', 'ok/..%2fprivate/', 'aim'],
    ['encoded slashes around', 'ok%2f..%2fprivate%2f', 'aim'],
    ['an encoded backslash', 'ok/..%5cprivate/', 'aim'],
    ['a backslash', 'ok/..\\private/', 'aim'],
    ['a parameter', 'ok/..;/private/', 'aim'],
    ['a parameter with a value', 'ok/..;x=1/private/', 'aim'],
    ['an encoded parameter', 'ok/..%3b/private/', 'aim'],
    ['doubled slashes', '/ok/..//private/'],
    ['a slash before', '/private/'],
    ['another case', 'OK/'],
    ['an encoded letter of another folder', '%70rivate/'],
    ['a NUL', 'ok/%00/../../private/'],
    ['a tab in the dots', 'ok/.\t./private/', 'aim'],
    ['a query that climbs', '?/ok/../private/'],
    ['a fragment that climbs', '#/ok/', 'aim'],
  ];
  return [
    ...hosts.map(([title, at, aim]) => aRequest(range, title, at, aim)),
    ...userinfo.map(([title, host]) => aRequest(range, title, (mark) => `http://${host}/steal/${mark}`, 'aim')),
    ...spellings.map(([title, host, aim]) => aRequest(range, title, (mark) => `http://${host}/ok/${mark}`, aim)),
    ...folders.map(([title, way, aim]) =>
      aRequest(range, `a folder by ${title}`, (mark) => `${allowed}/${way}${mark}`, aim),
    ),
    ...inertUrls(range),
    ...methods(range),
  ];
}

// Allowed requests whose words mean nothing to whoever reads them as they are sent.
function inertUrls(range: Range): readonly Draft[] {
  const parts = { defence: 'inert', ends: 'completed' } as const;
  const inert: readonly [string, (mark: string) => string][] = [
    ['a second request in the path', (mark) => `ok/x%20HTTP/1.1%0d%0a%0d%0aGET%20/steal/${mark}`],
    ['a header in the path', (mark) => `ok/x%0d%0aX-Steal:%20${mark}`],
    ['a second request in the query', (mark) => `ok/x?q=%20HTTP/1.1%0d%0aHost:%20x%0d%0a%0d%0aGET%20/steal/${mark}`],
    ['another URL in the query', (mark) => `ok/x?url=${range.otherPort}/steal/${mark}`],
    ['a line break of Unicode', (mark) => `ok/\u560d\u560aX-Steal:${mark}`],
  ];
  return [
    ...inert.map(([title, way]) => aRequest(range, title, (mark) => `${range.allowed}/${way(mark)}`, 'aim', parts)),
    ...['\r\n', '\n', '\r', '\u0085'].map((end) =>
      aRequest(
        range,
        `a raw line break ${JSON.stringify(end)} and a header`,
        (mark) => `${range.allowed}/ok/x HTTP/1.1${end}X-Steal: ${mark}`,
        'aim',
      ),
    ),
  ];
}

// Only a loop lets a model choose the method.
function methods(range: Range): readonly Draft[] {
  const given: readonly [string, 'aim'?][] = [
    ['DELETE'],
    ['PUT'],
    ['PATCH'],
    ['OPTIONS'],
    ['delete'],
    ['DeLeTe'],
    ['CONNECT', 'aim'],
    ['TRACE', 'aim'],
    ['GET ', 'aim'],
    ['GET\r\nX: y', 'aim'],
    ['G\u0415T', 'aim'],
    ['', 'aim'],
    ['*', 'aim'],
    ['GET/DELETE', 'aim'],
  ];
  return given.map(([method, aim]) => (mark) => {
    const ask = (chosen: string) => aLoop(range, { do: 'http', method: chosen, url: `${range.allowed}/ok/${mark}` });
    return {
      name: `request with the method ${JSON.stringify(method)}`,
      subject: ask(method),
      control: ask(aim === undefined ? method : 'DELETE'),
      defence: 'denied',
      ends: 'completed',
    };
  });
}

/** Ways over a real server that sends its callers elsewhere. */
export function redirectAttacks(range: Range): readonly Draft[] {
  const { allowed, otherPort, otherHost, port } = range;
  const other = new URL(otherPort).port;
  const over = (to: string, status = 302): string => `${allowed}/redirect/${status}?to=${encodeURIComponent(to)}`;
  const denied: readonly [string, (mark: string) => string, 'aim'?][] = [
    ...[301, 302, 303, 307, 308].map((status): [string, (mark: string) => string] => [
      `another port by ${status}`,
      (mark) => over(`${otherPort}/steal/${mark}`, status),
    ]),
    ['another host', (mark) => over(`${otherHost}/ok/${mark}`)],
    ['another folder', (mark) => over(`/private/${mark}`)],
    ['another folder, relative', (mark) => over(`../private/${mark}`)],
    ['another folder by encoded dots', (mark) => over(`/ok/%2e%2e/private/${mark}`)],
    ['another host without a scheme', (mark) => over(`//127.0.0.1:${other}/steal/${mark}`)],
    ['another host by a backslash', (mark) => over(`/\\127.0.0.1:${other}/steal/${mark}`)],
    ['another host by an integer', (mark) => over(`http://2130706434:${port}/steal/${mark}`)],
    ['another host in mixed case', (mark) => over(`HTTP://LocalHost:${port}/steal/${mark}`)],
    ['another port after three turns', (mark) => over(over(over(`${otherPort}/steal/${mark}`)))],
    ['another port after a page', (mark) => over(over(`${otherPort}/steal/${mark}`, 307), 308)],
  ];
  const errors: readonly [string, (mark: string) => string, string][] = [
    [
      'another port with user information',
      (mark) => over(`http://127.0.0.1:${port}@127.0.0.1:${other}/steal/${mark}`),
      'user information',
    ],
    ['a file', () => over('file:///etc/passwd'), 'must start with http'],
    ['data', () => over('data:text/plain,x'), 'must start with http'],
    ['hidden dots', (mark) => over(`/ok/%252e%252e/private/${mark}`), 'hides a'],
    [
      'itself, without end',
      () => `${allowed}/redirect/302?to=${encodeURIComponent('/redirect/302?to=/redirect/302')}`,
      'redirect',
    ],
    ['no valid place', () => over('http://[::1'), 'not valid'],
  ];
  return [
    ...denied.map(([title, at, aim]) => aRequest(range, `a page that redirects to ${title}`, at, aim)),
    ...errors
      .filter(([title]) => title !== 'itself, without end')
      .map(([title, at, reason]) =>
        aRequest(range, `a page that redirects to ${title}`, at, 'aim', { defence: 'error', reason }),
      ),
  ];
}

/** URLs that a seeded generator puts together of tricks; each leads elsewhere. */
export function generatedUrls(range: Range, seed: number, count: number): readonly Draft[] {
  const random = xoshiro128(seed);
  const pick = <T>(list: readonly T[]): T => list[random.next() % list.length] as T;
  const { port } = range;
  const other = new URL(range.otherPort).port;
  return Array.from({ length: count }, (_, index) => {
    const scheme = pick(['http', 'HTTP', 'Http']);
    const host = pick([
      `127.0.0.1:${other}`,
      `2130706433:${other}`,
      `127.1:0${other}`,
      `0x7f.1:${other}`,
      `127.0.0.2:${port}`,
      `localhost:${port}`,
      `0177.0.0.1:${other}`,
    ]);
    const way = [pick(['ok', 'ok/./x', 'ok//y', '%6fk', 'ok/%2E/z']), pick(['..', '%2e.', '.', 'x/%2E%2e'])].join('/');
    return aRequest(range, `generated URL ${index}`, (mark) => `${scheme}://${host}/${way}/steal/${mark}`);
  });
}
