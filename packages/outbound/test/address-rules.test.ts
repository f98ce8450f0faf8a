import { afterAll, describe, expect, it } from '@jest/globals'
import { createOutbound, parseCidrs } from '../src/index.ts'
import { rejectedAddresses } from './rejected-addresses.ts'
import { closeServers, failureOf, fixedLookup } from './servers.ts'

afterAll(closeServers)

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
    const failure = await failureOf(createOutbound({ lookup: fixedLookup(address) }).validateUrl('https://hooks.test/'))
    expect(failure).toMatchObject({ kind: 'blocked_address', isAddressRejected: true, blocked: { address } })
    expect(failure.message).toContain(`hooks.test resolves to an address that is not allowed (${range}`)
  })

  it.each(allowed)('accepts a name that resolves to %s', async (address) => {
    const validated = await createOutbound({ lookup: fixedLookup(address) }).validateUrl('https://hooks.test/')
    expect(validated.addresses).toEqual([address])
  })

  it('is not part of the message for the user', async () => {
    const failure = await failureOf(
      createOutbound({ lookup: fixedLookup('10.1.2.3') }).validateUrl('https://hooks.test/'),
    )
    expect(failure.message).not.toContain('10.1.2.3')
  })
})

describe('address rules', () => {
  const validate = (address: string, options: { allowCidrs?: string[]; denyCidrs?: string[] }) =>
    createOutbound({ ...options, lookup: fixedLookup(address) }).validateUrl('https://hooks.test/')

  it('allow the ranges of the operator only', async () => {
    const allowCidrs = parseCidrs('127.0.0.0/8,::1/128')
    expect((await validate('127.0.0.1', { allowCidrs })).addresses).toEqual(['127.0.0.1'])
    expect((await validate('::1', { allowCidrs })).addresses).toEqual(['::1'])
    expect((await failureOf(validate('::ffff:127.0.0.1', { allowCidrs }))).kind).toBe('blocked_address')
    expect((await failureOf(validate('10.0.0.1', { allowCidrs }))).kind).toBe('blocked_address')
  })

  it('deny the ranges of the operator, even if public or allowed', async () => {
    expect((await failureOf(validate('8.8.8.8', { denyCidrs: ['8.8.8.0/24'] }))).message).toContain(
      'denied by the operator',
    )
    expect(
      (await failureOf(validate('127.0.0.1', { allowCidrs: ['127.0.0.0/8'], denyCidrs: ['127.0.0.1/32'] }))).kind,
    ).toBe('blocked_address')
    expect((await validate('8.8.4.4', { denyCidrs: ['8.8.8.0/24'] })).addresses).toEqual(['8.8.4.4'])
  })

  it('deny an IPv4 address in IPv6 notation', async () => {
    const options = { allowCidrs: ['::ffff:0:0/96'], denyCidrs: ['8.8.8.8'] }
    expect((await validate('::ffff:8.8.4.4', options)).addresses).toHaveLength(1)
    expect((await failureOf(validate('::ffff:8.8.8.8', options))).message).toContain('denied by the operator')
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
