import { describe, expect, it } from '@jest/globals'
import { createOutbound, parseCidrs } from '../src/index.ts'
import { answers, failureOf } from './servers.ts'

/** An address of every block that is refused, with what the refusal calls it. First and last addresses where it matters. */
const refused: [address: string, range: string][] = [
  ['0.0.0.0', 'this network'],
  ['0.255.255.255', 'this network'],
  ['10.0.0.0', 'private use'],
  ['10.255.255.255', 'private use'],
  ['100.64.0.1', 'shared address space'],
  ['100.127.255.255', 'shared address space'],
  ['100.100.100.200', 'shared address space'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['168.63.129.16', 'cloud platform service'],
  ['169.254.169.254', 'link local'],
  ['172.16.0.1', 'private use'],
  ['172.31.255.255', 'private use'],
  ['192.0.0.1', 'protocol assignments'],
  ['192.0.0.192', 'protocol assignments'],
  ['192.0.2.1', 'documentation'],
  ['192.31.196.1', 'AS112'],
  ['192.52.193.1', 'automatic multicast tunneling'],
  ['192.88.99.1', '6to4 relay anycast'],
  ['192.168.0.1', 'private use'],
  ['192.168.255.255', 'private use'],
  ['192.175.48.1', 'AS112'],
  ['198.18.0.1', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.254', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::7f00:1', 'IPv4-compatible'],
  ['::808:808', 'IPv4-compatible'],
  ['::ffff:127.0.0.1', 'IPv4-mapped'],
  ['::ffff:8.8.8.8', 'IPv4-mapped'],
  ['::ffff:0:808:808', 'outside the global unicast space'],
  ['64:ff9b::7f00:1', 'IPv4/IPv6 translation'],
  ['64:ff9b:1::1', 'local IPv4/IPv6 translation'],
  ['100::1', 'discard only'],
  ['1fff:ffff::1', 'outside the global unicast space'],
  ['2001::1', 'Teredo'],
  ['2001:2::1', 'benchmarking'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2001:1::1', 'protocol assignments'],
  ['2001:1ff:ffff::1', 'protocol assignments'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::1', '6to4'],
  ['2002:808:808::1', '6to4'],
  ['2620:4f:8000::1', 'AS112'],
  ['3fff::1', 'documentation'],
  ['3fff:fff::1', 'documentation'],
  ['4000::1', 'outside the global unicast space'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'unique local'],
  ['fe80::1', 'link local'],
  ['fe80::1%eth0', 'link local'],
  ['fec0::1', 'site local'],
  ['ff02::1', 'multicast'],
  ['not-an-address', 'not an IP address'],
]

/** Public addresses, among them the neighbours of every block whose end is easily got wrong. */
const allowed = [
  '1.0.0.0',
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff::1',
  '2001:db9::1',
  '2003::1',
  '2606:4700:4700::1111',
  '3ffe:ffff::1',
  '3fff:1000::1',
]

describe('addresses', () => {
  it.each(refused)('refuses a name that resolves to %s (%s)', async (address, range) => {
    const failure = await failureOf(createOutbound({ lookup: answers(address) }).vet('https://hooks.test/'))
    expect(failure).toMatchObject({ kind: 'blocked_address', isRefusal: true, blocked: { address } })
    expect(failure.message).toContain(`hooks.test resolves to an address that is not allowed (${range}`)
  })

  it.each(allowed)('lets a name through that resolves to %s', async (address) => {
    const vetted = await createOutbound({ lookup: answers(address) }).vet('https://hooks.test/')
    expect(vetted.addresses).toEqual([address])
  })

  it('does not tell the user which address a name has', async () => {
    const failure = await failureOf(createOutbound({ lookup: answers('10.1.2.3') }).vet('https://hooks.test/'))
    expect(failure.message).not.toContain('10.1.2.3')
  })
})

describe('allowed and denied ranges', () => {
  const vet = (address: string, options: { allowCidrs?: string[]; denyCidrs?: string[] }) =>
    createOutbound({ ...options, lookup: answers(address) }).vet('https://hooks.test/')

  it('allows what the operator allows, and no more', async () => {
    const allowCidrs = parseCidrs('127.0.0.0/8,::1/128')
    expect((await vet('127.0.0.1', { allowCidrs })).addresses).toEqual(['127.0.0.1'])
    expect((await vet('::1', { allowCidrs })).addresses).toEqual(['::1'])
    expect((await failureOf(vet('::ffff:127.0.0.1', { allowCidrs }))).kind).toBe('blocked_address')
    expect((await failureOf(vet('10.0.0.1', { allowCidrs }))).kind).toBe('blocked_address')
  })

  it('denies what the operator denies, public or allowed', async () => {
    expect((await failureOf(vet('8.8.8.8', { denyCidrs: ['8.8.8.0/24'] }))).message).toContain('denied by the operator')
    expect((await failureOf(vet('127.0.0.1', { allowCidrs: ['127.0.0.0/8'], denyCidrs: ['127.0.0.1/32'] }))).kind).toBe(
      'blocked_address',
    )
    expect((await vet('8.8.4.4', { denyCidrs: ['8.8.8.0/24'] })).addresses).toEqual(['8.8.4.4'])
  })

  it('denies an IPv4 address that is written as an IPv6 one', async () => {
    const options = { allowCidrs: ['::ffff:0:0/96'], denyCidrs: ['8.8.8.8'] }
    expect((await vet('::ffff:8.8.4.4', options)).addresses).toHaveLength(1)
    expect((await failureOf(vet('::ffff:8.8.8.8', options))).message).toContain('denied by the operator')
  })

  it.each([
    '127.0.0.0/8',
    '::1/128',
    '10.1.0.0/16',
    '0.0.0.0/0',
    '8.0.0.0/5',
    '::/0',
    'fd00::/8',
    '4000::/3',
    '2001::/16',
  ])('does not start in production with %s allowed', (cidr) => {
    expect(() => createOutbound({ production: true, allowCidrs: [cidr] })).toThrow(
      `production must not allow outbound calls to ${cidr}: it is not public`,
    )
    expect(() => createOutbound({ production: false, allowCidrs: [cidr] })).not.toThrow()
  })

  it('starts in production with nothing, or only public ranges, allowed', () => {
    expect(() => createOutbound({ production: true })).not.toThrow()
    expect(() => createOutbound({ production: true, allowCidrs: ['8.8.8.0/24', '2606::/16'] })).not.toThrow()
    expect(() => createOutbound({ production: true, denyCidrs: ['10.0.0.0/8'] })).not.toThrow()
  })
})

describe('parseCidrs', () => {
  it('reads commas and spaces, and bare addresses', () => {
    expect(parseCidrs('')).toEqual([])
    expect(parseCidrs('127.0.0.0/8,::1/128 , 10.0.0.1\n2001:DB8::/32')).toEqual([
      '127.0.0.0/8',
      '::1/128',
      '10.0.0.1/32',
      '2001:db8::/32',
    ])
  })

  it.each(['localhost', '127.1/8', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/x', '010.0.0.0/8', 'fe80::1%eth0'])(
    'names %s as wrong',
    (entry) => {
      expect(() => parseCidrs(`127.0.0.0/8,${entry}`)).toThrow(`"${entry}" is not a CIDR block`)
    },
  )

  it('says what a block with stray bits should have been', () => {
    expect(() => parseCidrs('10.0.0.1/8')).toThrow('write 10.0.0.0/8, or /32 for the one address')
  })
})
