import { isIP } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { IntegrationProvider } from '@wp/contracts'
import type { Lookup } from '@wp/outbound'
import { problemResponse } from '@wp/testkit/problem-response'
import { rejectedAddresses } from '../../../packages/outbound/test/rejected-addresses.ts'
import { checkAddresses } from '../src/connections/check-addresses.ts'
import { providers } from '../src/providers/index.ts'
import { type IntegrationsHarness, startHarness } from './fixture/harness.ts'
import { createTestAccess, testConnection } from './fixture/provider-access.ts'

interface AddressProvider {
  provider: IntegrationProvider
  pointer: string
  config(host: string): Record<string, unknown>
  secrets?: Record<string, string>
}

const url = (host: string) => `https://${isIP(host) === 6 ? `[${host}]` : host}:8443/x`

/** Every provider with a configurable address. */
const addressProviders: AddressProvider[] = [
  { provider: 'http', pointer: '/config/base_url', config: (host) => ({ base_url: url(host) }) },
  { provider: 'openai_compatible', pointer: '/config/base_url', config: (host) => ({ base_url: url(host) }) },
  { provider: 'mcp_server', pointer: '/config/url', config: (host) => ({ url: url(host) }) },
  {
    provider: 's3',
    pointer: '/config/endpoint',
    config: (host) => ({ endpoint: url(host), bucket: 'bucket', access_key_id: 'k' }),
    secrets: { secret_access_key: 'x' },
  },
  { provider: 'postgres', pointer: '/config/host', config: (host) => ({ host, database: 'd', user: 'u' }) },
  { provider: 'smtp', pointer: '/config/host', config: (host) => ({ host }) },
]

/** Some of the addresses that `outbound` tests: every provider asks the same rules. */
const addresses = rejectedAddresses.flatMap(([address], at) => (at % 6 === 0 ? address : []))

/** Addresses that can be part of a URL. Zone identifiers are local to a machine and excluded. */
const literals = addresses.filter((address) => isIP(address) !== 0 && !address.includes('%'))

const combinations = (given: readonly string[]) =>
  addressProviders.flatMap((each) => given.map((address) => [each, address] as const))

it('the list contains every provider with a configurable address', () => {
  const schemas = Object.values(providers).map(({ provider, configSchema }) => [provider, JSON.stringify(configSchema)])
  const withAddress = schemas.filter(([, schema]) => /"(base_url|url|endpoint|host)"/.test(String(schema)))
  expect(withAddress.map(([provider]) => provider).toSorted()).toEqual(
    addressProviders.map(({ provider }) => provider).toSorted(),
  )
  expect(literals.length).toBeGreaterThan(8)
})

it('an address is stored in one form by every provider with an address', () => {
  const access = createTestAccess()
  for (const { provider, pointer, config, secrets = {} } of addressProviders) {
    const stored = (text: string) => {
      const { config: parsed } = providers[provider].parse(config(text), secrets, access)
      return parsed[pointer.slice('/config/'.length)]
    }
    expect([provider, stored('Example.COM')]).toEqual([provider, stored('example.com')])
    expect([provider, stored('16843009')]).toEqual([provider, stored('1.1.1.1')])
  }
})

describe('an address that is not public', () => {
  const strict = createTestAccess({}, { allowCidrs: [] })
  afterAll(() => strict.outbound.close())

  it('is refused on input by every provider with an address', async () => {
    for (const [{ provider, pointer, config, secrets = {} }, address] of combinations(literals)) {
      const connection = providers[provider].parse(config(address), secrets, strict)
      const outcome = await checkAddresses(strict, connection.addresses).catch((error: unknown) => error)
      expect([provider, address, outcome]).toEqual([
        provider,
        address,
        expect.objectContaining({
          code: 'validation_failed',
          errors: [{ pointer, detail: expect.stringContaining('is not allowed') }],
        }),
      ])
    }
  })

  it('is refused at every connection when a name resolves to it', async () => {
    for (const address of addresses) {
      const lookup = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
      const access = createTestAccess({}, { allowCidrs: [], lookup })
      for (const { provider, config, secrets } of addressProviders)
        expect([provider, address, await testConnection(access, provider, config('name.test'), secrets)]).toEqual([
          provider,
          address,
          { code: 'blocked_address', message: expect.not.stringContaining(address) },
        ])
      access.outbound.close()
    }
  })

  it('has the answer of a name that does not exist when a name resolves to it', async () => {
    const missing = () => Promise.reject(Object.assign(new Error('no name'), { code: 'ENOTFOUND' }))
    const internal = async () => [{ address: '10.1.2.3', family: 4 }]
    const answersOf = async (lookup: Lookup) => {
      const access = createTestAccess({}, { allowCidrs: [], lookup })
      const answers = []
      for (const { provider, config, secrets = {} } of addressProviders) {
        const { addresses } = providers[provider].parse(config('name.test'), secrets, access)
        await checkAddresses(access, addresses)
        answers.push([provider, await testConnection(access, provider, config('name.test'), secrets)])
      }
      access.outbound.close()
      return answers
    }
    expect(await answersOf(internal)).toEqual(await answersOf(missing))
  })

  it('is refused when a name resolves to a public address as well', async () => {
    const lookup = async () => ['93.184.215.14', '10.0.0.1'].map((address) => ({ address, family: 4 }))
    const access = createTestAccess({}, { allowCidrs: [], lookup })
    for (const { provider, config, secrets } of addressProviders)
      expect(await testConnection(access, provider, config('name.test'), secrets)).toMatchObject({
        code: 'blocked_address',
      })
    access.outbound.close()
  })

  it('is refused at the connection when the operator denied it after it was stored', async () => {
    for (const [{ provider, config, secrets }, address] of combinations(['127.0.0.1', '169.254.169.254', '::1']))
      expect(await testConnection(strict, provider, config(address), secrets)).toMatchObject({
        code: 'blocked_address',
      })
  })
})

describe('the service', () => {
  let world: IntegrationsHarness
  beforeAll(async () => {
    world = await startHarness({ OUTBOUND_ALLOW_CIDRS: '203.0.113.0/24' })
  })
  afterAll(() => world.stop())

  it('answers 400 with the field on create and update', async () => {
    const spellings = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      'localhost',
      'a.localhost',
      '169.254.169.254',
      '10.0.0.1',
      '::1',
    ]
    for (const [{ provider, pointer, config, secrets = {} }, host] of combinations(spellings)) {
      const answer = await world.post({ provider, name: 'x', config: config(host), secrets })
      expect([provider, host, answer.body.errors]).toEqual([provider, host, [expect.objectContaining({ pointer })]])
      expect(answer).toMatchObject(problemResponse(400, 'validation_failed', pointer))
    }
    for (const { provider, pointer, config, secrets = {} } of addressProviders) {
      const id = await world.made({ provider, name: 'x', config: config('203.0.113.7'), secrets })
      const changed = await world.patch(id, { config: config('10.0.0.1'), secrets })
      expect(changed).toMatchObject(problemResponse(400, 'validation_failed', pointer))
      expect((await world.get(id)).body.data.config).toMatchObject(config('203.0.113.7'))
    }
    expect((await world.list('')).body.data).toHaveLength(addressProviders.length)
  })
})
