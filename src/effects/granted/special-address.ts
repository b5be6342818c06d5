import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** An address that is not simply somewhere on the internet. */
export interface SpecialAddress {
  /** Completes "it is …". */
  readonly label: string;
  /** True: granting a host by its name is enough for that host to be there. False: the address itself must be granted. */
  readonly opensByName: boolean;
}

type Row = readonly [label: string, opensByName: boolean, ranges: readonly string[]];

// The IANA registries of special-purpose addresses, and where clouds keep a machine's own credentials.
const ROWS: readonly Row[] = [
  [
    'a cloud metadata address',
    false,
    ['169.254.169.254/32', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'],
  ],
  ['a cloud metadata address', false, ['fd00:ec2::254/128', 'fd20:ce::254/128']],
  ['a loopback address', true, ['127.0.0.0/8', '::1/128']],
  ['a private address', true, ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
  ['a shared address (CGNAT)', true, ['100.64.0.0/10']],
  ['a link-local address', false, ['169.254.0.0/16', 'fe80::/10', 'fec0::/10']],
  ['the unspecified address', false, ['0.0.0.0/8', '::/128']],
  ['a multicast address', false, ['224.0.0.0/4', 'ff00::/8']],
  ['an IPv4 address in IPv6 form', false, ['::ffff:0:0/96', '::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32']],
  ['a reserved address', false, ['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24']],
  ['a reserved address', false, ['203.0.113.0/24', '240.0.0.0/4', '2001::/23', '2001:db8::/32', '3fff::/20']],
];

const RESERVED: SpecialAddress = Object.freeze({ label: 'a reserved address', opensByName: false });

interface Tables {
  readonly kinds: readonly { readonly kind: SpecialAddress; readonly ipv4: BlockList; readonly ipv6: BlockList }[];
  readonly globalUnicast: BlockList;
  readonly nat64: BlockList;
}

// Made when the first address is judged: reading a grant needs none of it.
let made: Tables | null = null;

function tables(): Tables {
  made ??= {
    kinds: ROWS.map(([label, opensByName, ranges]) => ({
      kind: Object.freeze({ label, opensByName }),
      // Apart, because a list takes an IPv4 address for its IPv4-mapped form and the other way round.
      ipv4: blockList(ranges.filter((range) => !range.includes(':'))),
      ipv6: blockList(ranges.filter((range) => range.includes(':'))),
    })),
    globalUnicast: blockList(['2000::/3']),
    nat64: blockList(['64:ff9b::/96']),
  };
  return made;
}

/** What is special about an IP address; null: it is public. A text that is no address counts as reserved. */
export function specialAddress(text: string): SpecialAddress | null {
  const address = text.split('%', 1)[0] ?? '';
  if (isIPv4(address)) return kindOf(address, 'ipv4');
  if (!isIPv6(address)) return RESERVED;
  // In networks without IPv4 every public IPv4 host has such an address: what is behind it decides.
  if (tables().nat64.check(address, 'ipv6')) {
    const behind = kindOf(embeddedIPv4(address), 'ipv4');
    return behind === null ? null : { ...behind, opensByName: false };
  }
  return kindOf(address, 'ipv6') ?? (tables().globalUnicast.check(address, 'ipv6') ? null : RESERVED);
}

function kindOf(address: string, family: 'ipv4' | 'ipv6'): SpecialAddress | null {
  return tables().kinds.find((one) => one[family].check(address, family))?.kind ?? null;
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', bits = ''] = range.split('/');
    list.addSubnet(net, Number(bits), net.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** The last 32 bits of an address in 64:ff9b::/96; its zeros are always what `::` stands for. */
function embeddedIPv4(address: string): string {
  const tail = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')[1] ?? '';
  const groups = ['0', '0', ...tail.split(':').filter((group) => group !== '')].slice(-2);
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}
