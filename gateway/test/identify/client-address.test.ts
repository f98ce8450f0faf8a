import { IncomingMessage } from 'node:http'
import { isIP, Socket } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { clientAddress, parseNetworks } from '../../src/identify/client-address.ts'

/** The address of a client, by who is connected and what is said of who was before. */
function from(peer: string, forwarded: string | undefined, trusted: string): string {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  const networks = parseNetworks(trusted)
  if (networks === undefined) throw new Error('not networks')
  return clientAddress(request, networks)
}

describe('the address of a client', () => {
  it.each([
    ['203.0.113.7', '1.2.3.4', '', '203.0.113.7'],
    ['10.0.0.1', '1.2.3.4, 203.0.113.7', '10.0.0.0/8', '203.0.113.7'],
    ['::ffff:10.0.0.1', '203.0.113.7, 10.2.3.4', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', 'nonsense', '10.0.0.0/8', '10.0.0.1'],
    ['10.0.0.1', undefined, '10.0.0.0/8', '10.0.0.1'],
    ['2001:db8::1', '2001:db8:1::9', '2001:db8::/48', '2001:db8:1::9'],
    // a malformed hop hides what is left of it, and is not skipped
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
    // one address in other words
    ['10.0.0.1', '::ffff:cb00:7107', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', '203.0.113.7, ::FFFF:a02:304', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', '[::ffff:203.0.113.7]:80', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', '2001:0DB8:0:0::0:9', '10.0.0.0/8', '2001:db8::9'],
    ['10.0.0.1', '203.0.113.7', '::ffff:10.0.0.0/104', '203.0.113.7'],
    ['fe80::1%eth0', '203.0.113.7, fe80::2%eth1', 'fe80::/10', '203.0.113.7'],
    // nothing between commas is nothing
    ['10.0.0.1', '203.0.113.7, , ,10.2.3.4,', '10.0.0.0/8', '203.0.113.7'],
    ['10.0.0.1', ', ,', '10.0.0.0/8', '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.0/8', '10.0.0.1'],
    // all of them ours: the first
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.0/8', '10.0.0.3'],
    // a connection that is gone has no address
    ['', '1.2.3.4', '0.0.0.0/0', ''],
  ])('from %s with %s, trusting %s, is %s', (peer, forwarded, trusted, expected) => {
    expect(from(peer, forwarded, trusted)).toBe(expected)
  })

  it('needs networks that are networks', () => {
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

  it('is found behind very many proxies', () => {
    const hops = Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
    expect(from('10.0.0.1', ['203.0.113.7', ...hops].join(','), '10.0.0.0/8')).toBe('203.0.113.7')
  })
})

const byte = fc.nat(255)
const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined })

/** An address with its one spelling and another, with or without a port. */
interface Spelled {
  canonical: string
  written: string
}

const ipv4 = (first: number) =>
  fc.tuple(byte, byte, byte, port, fc.boolean()).map(([b, c, d, at, isMapped]): Spelled => {
    const canonical = `${first}.${b}.${c}.${d}`
    const hex = [(first << 8) | b, (c << 8) | d].map((group) => group.toString(16)).join(':')
    if (!isMapped) return { canonical, written: at === undefined ? canonical : `${canonical}:${at}` }
    return { canonical, written: at === undefined ? `::FFFF:${hex}` : `[::ffff:${hex}]:${at}` }
  })

const ipv6 = fc
  .tuple(fc.array(fc.oneof(fc.constant(0), fc.nat(65_535)), { minLength: 7, maxLength: 7 }), fc.boolean(), port)
  .map(([groups, isLoud, at]): Spelled => {
    const long = [0x2001, ...groups].map((group) => group.toString(16).padStart(4, '0')).join(':')
    const written = isLoud ? long.toUpperCase() : long
    // another implementation of RFC 5952
    const canonical = new URL(`http://[${long}]`).hostname.slice(1, -1)
    return { canonical, written: at === undefined ? written : `[${written}]:${at}` }
  })

const outsider = fc.oneof(ipv4(203), ipv6)
const proxies = fc.array(ipv4(10), { maxLength: 5 })
const gap = fc.constantFrom(',', ', ', ' , ', ',,', ', ,\t')
const anything = fc.string({ unit: 'binary-ascii', maxLength: 60 })

describe('whoever a client says it is', () => {
  it('is who the outermost proxy saw, in one spelling, behind any number of proxies', () => {
    fc.assert(
      fc.property(anything, outsider, proxies, gap, (claimed, client, behind, between) => {
        const hops = [claimed, client.written, ...behind.map(({ written }) => written)].join(between)
        expect(from('10.0.0.1', hops, '10.0.0.0/8, ::ffff:10.0.0.0/104')).toBe(client.canonical)
      }),
      { numRuns: 2000 },
    )
  })

  it('is who is connected, where that is no proxy of ours', () => {
    fc.assert(
      fc.property(anything, ipv6, (claimed, { canonical }) => {
        expect(from(canonical, claimed, '10.0.0.0/8')).toBe(canonical)
      }),
    )
  })

  it('is an address, whatever is said', () => {
    const words = fc.constantFrom('10.0.0.2', '::', '%', '[', ']', ':', ',', '::1%x', '1.2.3.4', 'unknown', '"', ' ')
    const said = fc.oneof(
      anything,
      fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(said, (claimed) => {
        expect(isIP(from('10.0.0.1', claimed, '0.0.0.0/0, ::/0'))).not.toBe(0)
      }),
      { numRuns: 2000 },
    )
  })
})
