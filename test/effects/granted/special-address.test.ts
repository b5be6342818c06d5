import fc from 'fast-check';
import { expect, test } from 'vitest';
import { specialAddress } from '../../../src/effects/granted/special-address.ts';

function labels(addresses: readonly string[]): readonly string[] {
  return addresses.map((address) => {
    const kind = specialAddress(address);
    return `${address}: ${kind === null ? 'public' : kind.label}${kind?.opensByName === true ? ', opens by name' : ''}`;
  });
}

test('every kind of address that is not simply somewhere on the internet is told', () => {
  expect(
    labels([
      '127.0.0.1',
      '127.255.255.255',
      '::1',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      'fd12::1',
      '100.64.0.1',
      '100.127.255.255',
      '169.254.1.1',
      '169.254.169.254',
      '100.100.100.200',
      '168.63.129.16',
      'fd00:ec2::254',
      'fe80::1',
      'fe80::1%eth0',
      '0.0.0.0',
      '0.1.2.3',
      '::',
      '224.0.0.1',
      '239.255.255.255',
      'ff02::1',
      '255.255.255.255',
      '240.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '203.0.113.9',
      '2001:db8::1',
      '3fff::1',
      '4000::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '::ffff:0:127.0.0.1',
      '2002:7f00:1::',
      '2001:0:1::1',
      '64:ff9b::127.0.0.1',
      '64:ff9b::a00:1',
      '64:ff9b::',
      '64:ff9b::1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::808:808',
      '64:ff9b:0:0:0:1::1',
      'not an address',
      '',
    ]),
  ).toMatchInlineSnapshot(`
    [
      "127.0.0.1: a loopback address, opens by name",
      "127.255.255.255: a loopback address, opens by name",
      "::1: a loopback address, opens by name",
      "10.1.2.3: a private address, opens by name",
      "172.16.0.1: a private address, opens by name",
      "172.31.255.255: a private address, opens by name",
      "192.168.1.1: a private address, opens by name",
      "fd12::1: a private address, opens by name",
      "100.64.0.1: a shared address (CGNAT), opens by name",
      "100.127.255.255: a shared address (CGNAT), opens by name",
      "169.254.1.1: a link-local address",
      "169.254.169.254: a cloud metadata address",
      "100.100.100.200: a cloud metadata address",
      "168.63.129.16: a cloud metadata address",
      "fd00:ec2::254: a cloud metadata address",
      "fe80::1: a link-local address",
      "fe80::1%eth0: a link-local address",
      "0.0.0.0: the unspecified address",
      "0.1.2.3: the unspecified address",
      "::: the unspecified address",
      "224.0.0.1: a multicast address",
      "239.255.255.255: a multicast address",
      "ff02::1: a multicast address",
      "255.255.255.255: a reserved address",
      "240.0.0.1: a reserved address",
      "192.0.2.1: a reserved address",
      "198.18.0.1: a reserved address",
      "203.0.113.9: a reserved address",
      "2001:db8::1: a reserved address",
      "3fff::1: a reserved address",
      "4000::1: a reserved address",
      "::ffff:127.0.0.1: an IPv4 address in IPv6 form",
      "::ffff:8.8.8.8: an IPv4 address in IPv6 form",
      "::ffff:7f00:1: an IPv4 address in IPv6 form",
      "::127.0.0.1: an IPv4 address in IPv6 form",
      "::ffff:0:127.0.0.1: a reserved address",
      "2002:7f00:1::: an IPv4 address in IPv6 form",
      "2001:0:1::1: an IPv4 address in IPv6 form",
      "64:ff9b::127.0.0.1: a loopback address",
      "64:ff9b::a00:1: a private address",
      "64:ff9b::: the unspecified address",
      "64:ff9b::1: the unspecified address",
      "64:ff9b::a9fe:a9fe: a cloud metadata address",
      "64:ff9b:1::808:808: an IPv4 address in IPv6 form",
      "64:ff9b:0:0:0:1::1: a reserved address",
      "not an address: a reserved address",
      ": a reserved address",
    ]
  `);
});

test('public addresses are public, behind NAT64 too', () => {
  expect(
    labels([
      '8.8.8.8',
      '1.1.1.1',
      '9.255.255.255',
      '11.0.0.0',
      '126.255.255.255',
      '128.0.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.167.255.255',
      '100.63.255.255',
      '100.128.0.0',
      '169.253.255.255',
      '223.255.255.255',
      '2606:4700::1111',
      '2001:4860:4860::8888',
      '64:ff9b::808:808',
      '64:ff9b::8.8.4.4',
    ]).filter((line) => !line.endsWith(': public')),
  ).toEqual([]);
});

test('an IPv4 address is judged alike behind NAT64, and never passes in another IPv6 form', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const plain = specialAddress(address);
      expect(specialAddress(`64:ff9b::${address}`)?.label).toBe(plain?.label);
      expect(specialAddress(`::ffff:${address}`)).not.toBeNull();
      expect(specialAddress(`::${address}`)).not.toBeNull();
    }),
  );
});

test('one address is judged alike in all its spellings', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
      expect(specialAddress(address)).toEqual(specialAddress(short));
    }),
  );
});
