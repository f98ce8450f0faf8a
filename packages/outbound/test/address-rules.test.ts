import { afterAll, describe, expect, it } from '@jest/globals'
import { type BlockedHost, createOutbound, type Lookup, parseCidrs } from '../src/index.ts'
import { rejectedAddresses } from './rejected-addresses.ts'
import { closeServers, failureOf, fixedLookup } from './servers.ts'

afterAll(closeServers)

const url = 'https://hooks.test/'

/** Public addresses, including the neighbors of blocks with error-prone boundaries. */
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

describe('an address', () => {
  it.each(rejectedAddresses)('rejects a name that resolves to %s (%s)', async (address, range) => {
    const failure = await failureOf(createOutbound({ lookup: fixedLookup(address) }).request({ url }))
    expect(failure).toMatchObject({ kind: 'blocked_address', isAddressRejected: false })
    expect(failure.blocked).toEqual({ host: 'hooks.test', address, reason: expect.stringContaining(range) })
  })

  it.each(allowed)('accepts a name that resolves to %s', async (address) => {
    const validated = await createOutbound({ lookup: fixedLookup(address) }).validateUrl('https://hooks.test/')
    expect(validated.addresses).toEqual([address])
  })

  it.each(['10.1.2.3', '8.8.8.8'])(
    'gets the answer of a name that does not exist when %s is not allowed for it',
    async (address) => {
      const logged: BlockedHost[] = []
      const shown: unknown[] = []
      const unknownName: Lookup = () => Promise.reject(Object.assign(new Error('no name'), { code: 'ENOTFOUND' }))
      const targets: [url: string, lookup: Lookup][] = [
        [url, unknownName],
        [url, fixedLookup()],
        [url, fixedLookup(address)],
        [`https://${address}/`, unknownName],
      ]
      for (const [target, lookup] of targets) {
        const onBlocked = (blocked: BlockedHost) => logged.push(blocked)
        const outbound = createOutbound({ lookup, denyCidrs: ['8.8.8.0/24'], onBlocked })
        const { kind, code, message, attempt } = await failureOf(outbound.request({ url: target }))
        const { stage, status, headers } = attempt
        const named = message.replace(new URL(target).host, '<host>')
        shown.push({ kind, code, message: named, stage, address: attempt.address, status, headers })
      }
      expect(shown).toEqual(shown.map(() => shown[0]))
      expect(JSON.stringify(shown)).not.toContain(address)
      expect(logged).toEqual([
        { host: 'hooks.test', address: null, reason: 'does not resolve (ENOTFOUND)' },
        { host: 'hooks.test', address: null, reason: 'does not resolve (no address)' },
        { host: 'hooks.test', address, reason: expect.anything() },
        { host: address, address, reason: expect.anything() },
      ])
    },
  )

  it('is accepted on input when a name resolves to it, as a name that does not exist is', async () => {
    const validated = await createOutbound({ lookup: fixedLookup('10.1.2.3') }).validateUrl(url)
    expect(validated).toEqual({ url, host: 'hooks.test', port: 443, addresses: [] })
  })
})

describe('address rules', () => {
  const validate = (address: string, options: { allowCidrs?: string[]; denyCidrs?: string[] }) =>
    createOutbound({ ...options, lookup: fixedLookup(address) }).validateUrl('https://hooks.test/')

  it('allow the ranges of the operator only', async () => {
    const allowCidrs = parseCidrs('127.0.0.0/8,::1/128')
    expect((await validate('127.0.0.1', { allowCidrs })).addresses).toEqual(['127.0.0.1'])
    expect((await validate('::1', { allowCidrs })).addresses).toEqual(['::1'])
    for (const address of ['::ffff:127.0.0.1', '10.0.0.1'])
      expect((await validate(address, { allowCidrs })).addresses).toEqual([])
  })

  it('deny the ranges of the operator, even if public or allowed', async () => {
    expect((await validate('8.8.8.8', { denyCidrs: ['8.8.8.0/24'] })).addresses).toEqual([])
    const options = { allowCidrs: ['127.0.0.0/8'], denyCidrs: ['127.0.0.1/32'] }
    expect((await validate('127.0.0.1', options)).addresses).toEqual([])
    expect((await validate('8.8.4.4', { denyCidrs: ['8.8.8.0/24'] })).addresses).toEqual(['8.8.4.4'])
  })

  it('deny an IPv4 address in IPv6 notation', async () => {
    const options = { allowCidrs: ['::ffff:0:0/96'], denyCidrs: ['8.8.8.8'] }
    expect((await validate('::ffff:8.8.4.4', options)).addresses).toHaveLength(1)
    expect((await validate('::ffff:8.8.8.8', options)).addresses).toEqual([])
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
  ])('reject the allowed range %s in production', (cidr) => {
    expect(() => createOutbound({ production: true, allowCidrs: [cidr] })).toThrow(
      `production must not allow outbound calls to ${cidr}: it is not public`,
    )
    expect(() => createOutbound({ production: false, allowCidrs: [cidr] })).not.toThrow()
  })

  it('accept no ranges or public ranges in production', () => {
    expect(() => createOutbound({ production: true })).not.toThrow()
    expect(() => createOutbound({ production: true, allowCidrs: ['8.8.8.0/24', '2606::/16'] })).not.toThrow()
    expect(() => createOutbound({ production: true, denyCidrs: ['10.0.0.0/8'] })).not.toThrow()
  })
})

describe('parseCidrs', () => {
  it('parses commas, spaces and bare addresses', () => {
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

  it('suggests the correct block when host bits are set', () => {
    expect(() => parseCidrs('10.0.0.1/8')).toThrow('write 10.0.0.0/8, or /32 for a single address')
  })
})
