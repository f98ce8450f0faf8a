import { isIP } from 'node:net'
import { afterAll, describe, expect, it } from '@jest/globals'
import { HttpConfig, PostgresConfig, S3Config, UploadConfig } from '@wp/contracts'
import { z } from 'zod'
import { rejectedAddresses } from '../../../../packages/outbound/test/rejected-addresses.ts'
import { startDataService } from '../support/service.ts'

const service = await startDataService({ OUTBOUND_ALLOW_CIDRS: '' })
afterAll(() => service.stop())

const urlOf = (host: string) => `https://${isIP(host) === 6 ? `[${host}]` : host}:8443/rows.csv`

/** Some of the addresses that a URL can hold, which has no zone identifier; `outbound` tests all. */
const literals = rejectedAddresses
  .map(([address]) => address)
  .filter((address, at) => at % 6 === 0 && isIP(address) !== 0 && !address.includes('%'))

const create = (url: string) =>
  service.request('POST', '/v1/data/sources', { body: { name: 'Rooms', provider: 'http', config: { url } } })

const refusal = (detail: string) => ({
  code: 'validation_failed',
  errors: [{ pointer: '/config/url', detail: expect.stringContaining(detail) }],
})

it('only the http provider has an address in its config; others use that of their integration', () => {
  const withAddress = Object.entries({ UploadConfig, HttpConfig, PostgresConfig, S3Config })
    .filter(([, config]) => /"(url|host|endpoint|base_url|port)":/.test(JSON.stringify(z.toJSONSchema(config))))
    .map(([name]) => name)
  expect(withAddress).toEqual(['HttpConfig'])
  expect(literals.length).toBeGreaterThan(8)
})

it('an address is stored in the form in which requests are sent', async () => {
  const { body } = await create(' HTTPS://Example.COM:443/x/../rows.csv ')
  expect(body.data.config.url).toBe('https://example.com/rows.csv')
  expect((await create('https://example.com/a\\b')).body).toMatchObject(refusal('must not contain a backslash'))
})

describe('an address that is not public', () => {
  it('is rejected when a source is created or changed', async () => {
    const made = await create('https://example.com/rows.csv')
    expect(made.status).toBe(201)
    const path = `/v1/data/sources/${made.body.data.data_source_id}`
    for (const address of literals) {
      const url = urlOf(address)
      const created = await create(url)
      const changed = await service.request('PATCH', path, { body: { config: { url } } })
      for (const { status, body } of [created, changed])
        expect([address, status, body]).toEqual([address, 400, expect.objectContaining(refusal('is not allowed'))])
    }
    expect((await service.get(path)).body.data.config.url).toBe('https://example.com/rows.csv')
  })

  it.each([
    ['https://2130706433:8443/', 'is not allowed'],
    ['https://0x7f.1:8443/', 'is not allowed'],
    ['https://localhost:8443/', 'is not allowed'],
    ['https://user:password@example.com/', 'user name or password'],
    ['ftp://example.com/rows.csv', 'must begin with'],
    ['file:///etc/passwd', 'must begin with'],
    ['https://example.com:25/', 'port 25'],
    ['example.com/rows.csv', 'not valid'],
  ])('%s is rejected: %s', async (url, detail) => {
    const { status, body } = await create(url)
    expect([status, body]).toEqual([400, expect.objectContaining(refusal(detail))])
  })
})

it('the address of a source must use https outside development', async () => {
  const strict = await startDataService({ ENVIRONMENT: 'sandbox' })
  try {
    const body = { name: 'Rooms', provider: 'http', config: { url: 'http://127.0.0.1:9009/rows.csv' } }
    const response = await strict.request('POST', '/v1/data/sources', { body })
    expect([response.status, response.body]).toEqual([400, expect.objectContaining(refusal('https://'))])
  } finally {
    await strict.stop()
  }
})
