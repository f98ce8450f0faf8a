import { IncomingMessage } from 'node:http'
import { isIP, Socket } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { clientAddress, parseNetworks } from '../../src/identify/client-address.ts'

/** Returns the client address for a peer address and an X-Forwarded-For header. */
function addressFrom(peer: string, forwarded: string | undefined, trusted: string): string {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  const networks = parseNetworks(trusted)
  if (networks === undefined) throw new Error('invalid networks')
  return clientAddress(request, networks)
}

describe('clientAddress', () => {
  it.each([
    ['203.0.113.7', '1.2.3.4', '', '203.0.113.7'],
    ['10.0.0.1', '1.2.3.4, 203.0.113.7', '10.0.0.0/8', '203.0.113.7'],
    ['::ffff:10.0.0.1', '203.0.113.7, 10.2.3.4', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', 'nonsense', '10.0.0.0/8', '10.0.0.1'],
    ['10.0.0.1', undefined, '10.0.0.0/8', '10.0.0.1'],
    ['2001:db8::1', '2001:db8:1::9', '2001:db8::/48', '2001:db8:1::9'],
    // a malformed hop is not skipped and hides the hops left of it
    ['10.0.0.1', '203.0.113.7, unknown, 10.2.3.4', '10.0.0.0/8', '10.2.3.4'],
    ['10.0.0.1', '203.0.113.7, _hidden', '10.0.0.0/8', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.7, 010.2.3.4', '10.0.0.0/8', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.7, 10.2.3.4:http', '10.0.0.0/8', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.7, [10.2.3.4]', '10.0.0.0/8', '10.0.0.1'],
    // with a port
    ['10.0.0.1', '1.2.3.4, 203.0.113.7:5678', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', '203.0.113.7:1, 10.2.3.4:5678', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', '[2001:db8::9]:80', '10.0.0.0/8', '2001:db8::9'],
    ['10.0.0.1', '[2001:db8::9]', '10.0.0.0/8', '2001:db8::9'],
    // other forms of one address
    ['10.0.0.1', '::ffff:cb00:7107', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', '203.0.113.7, ::FFFF:a02:304', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', '[::ffff:203.0.113.7]:80', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', '2001:0DB8:0:0::0:9', '10.0.0.0/8', '2001:db8::9'],
    ['10.0.0.1', '203.0.113.7', '::ffff:10.0.0.0/104', '203.0.113.7'],
    ['fe80::1%eth0', '203.0.113.7, fe80::2%eth1', 'fe80::/10', '203.0.113.7'],
    // empty elements
    ['10.0.0.1', '203.0.113.7, , ,10.2.3.4,', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', ', ,', '10.0.0.0/8', '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.0/8', '10.0.0.1'],
    // only trusted proxies: the first
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.0/8', '10.0.0.3'],
    // a closed connection has no address
    ['', '1.2.3.4', '0.0.0.0/0', ''],
  ])('from peer %s with %s, trusting %s, returns %s', (peer, forwarded, trusted, expected) => {
    expect(addressFrom(peer, forwarded, trusted)).toBe(expected)
  })

  it('accepts only addresses and CIDR ranges as trusted networks', () => {
    for (const text of [
      'x',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '::/129',
      '10.0.0',
      '10.0.0.0/8/8',
      'fe80::1%eth0',
      '10.0.0.0/',
    ])
      expect(parseNetworks(text)).toBeUndefined()
  })

  it('handles very many proxies', () => {
    const hops = Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
    expect(addressFrom('10.0.0.1', ['203.0.113.7', ...hops].join(','), '10.0.0.0/8')).toBe('203.0.113.7')
  })
})

const byte = fc.nat(255)
const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined })

/** An address in canonical form, and as a proxy may write it, with or without a port. */
interface WrittenAddress {
  canonical: string
  written: string
}

const ipv4 = (first: number) =>
  fc.tuple(byte, byte, byte, port, fc.boolean()).map(([b, c, d, at, isMapped]): WrittenAddress => {
    const canonical = `${first}.${b}.${c}.${d}`
    const hex = [(first << 8) | b, (c << 8) | d].map((group) => group.toString(16)).join(':')
    if (!isMapped) return { canonical, written: at === undefined ? canonical : `${canonical}:${at}` }
    return { canonical, written: at === undefined ? `::FFFF:${hex}` : `[::ffff:${hex}]:${at}` }
  })

const ipv6 = fc
  .tuple(fc.array(fc.oneof(fc.constant(0), fc.nat(65_535)), { minLength: 7, maxLength: 7 }), fc.boolean(), port)
  .map(([groups, isUpperCase, at]): WrittenAddress => {
    const long = [0x2001, ...groups].map((group) => group.toString(16).padStart(4, '0')).join(':')
    const written = isUpperCase ? long.toUpperCase() : long
    // another implementation of RFC 5952
    const canonical = new URL(`http://[${long}]`).hostname.slice(1, -1)
    return { canonical, written: at === undefined ? written : `[${written}]:${at}` }
  })

const anyClient = fc.oneof(ipv4(203), ipv6)
const anyProxies = fc.array(ipv4(10), { maxLength: 5 })
const anySeparator = fc.constantFrom(',', ', ', ' , ', ',,', ', ,\t')
const anyText = fc.string({ unit: 'binary-ascii', maxLength: 60 })

describe('clientAddress with any header', () => {
  it('returns the canonical address that the outermost trusted proxy saw', () => {
    fc.assert(
      fc.property(anyText, anyClient, anyProxies, anySeparator, (claimed, client, proxies, separator) => {
        const hops = [claimed, client.written, ...proxies.map(({ written }) => written)].join(separator)
        expect(addressFrom('10.0.0.1', hops, '10.0.0.0/8, ::ffff:10.0.0.0/104')).toBe(client.canonical)
      }),
      { numRuns: 2000 },
    )
  })

  it('returns the peer address when the peer is not a trusted proxy', () => {
    fc.assert(
      fc.property(anyText, ipv6, (claimed, { canonical }) => {
        expect(addressFrom(canonical, claimed, '10.0.0.0/8')).toBe(canonical)
      }),
    )
  })

  it('always returns an address', () => {
    const words = fc.constantFrom('10.0.0.2', '::', '%', '[', ']', ':', ',', '::1%x', '1.2.3.4', 'unknown', '"', ' ')
    const anyHeader = fc.oneof(
      anyText,
      fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(anyHeader, (claimed) => {
        expect(isIP(addressFrom('10.0.0.1', claimed, '0.0.0.0/0, ::/0'))).not.toBe(0)
      }),
      { numRuns: 2000 },
    )
  })
})
