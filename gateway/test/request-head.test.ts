import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestFleet, type TestFleet } from '@wp/testkit'
import { openRaw } from './raw-connection.ts'

let fleet: TestFleet
beforeAll(async () => {
  fleet = await startTestFleet({
    services: ['auth'],
    env: { gateway: { HEADERS_TIMEOUT_SECONDS: '1', MAX_HEADER_BYTES: '2048', MAX_HEADERS: '20' } },
  })
})
afterAll(() => fleet.stop())

const get = 'GET /docs HTTP/1.1\r\nHost: x\r\n'

describe('the head of a request', () => {
  it.each([
    ['that does not come at all', '', 'x'],
    ['that never ends', get, ''],
    ['that drips', get, 'X-A: 1\r\n'],
  ])('%s is 408', async (_, first, drip) => {
    const connection = openRaw(fleet.baseUrl)
    if (first !== '') await connection.write(first)
    const dripping = first !== '' && drip !== '' ? setInterval(() => connection.socket.write(drip), 100) : undefined
    const said = await connection.untilClosed()
    clearInterval(dripping)
    expect(said).toMatch(/^HTTP\/1\.1 408 [\s\S]*"request_timeout"/)
  })

  it('that drips behind an answered request is 408, too', async () => {
    const connection = openRaw(fleet.baseUrl)
    await connection.write(`${get}\r\n`)
    await connection.until(/^HTTP\/1\.1 200 /)
    await connection.write(get)
    expect(await connection.untilClosed()).toMatch(/HTTP\/1\.1 408 [\s\S]*"request_timeout"/)
  })

  const fields = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: 1\r\n`).join('')
  it.each([
    ['of too many bytes', `X-A: ${'x'.repeat(2048)}\r\n`],
    ['of too many bytes in fields that are none too long', fields(250)],
    ['of too many fields', fields(20)],
    ['of too long a target', undefined],
  ])('%s is 431', async (_, more) => {
    const connection = openRaw(fleet.baseUrl)
    await connection.write(more === undefined ? `GET /${'a'.repeat(3000)} HTTP/1.1\r\n\r\n` : `${get}${more}\r\n`)
    const said = await connection.until(/"header_fields_too_large"/)
    expect(said).toMatch(/^HTTP\/1\.1 431 /)
    connection.socket.destroy()
  })

  it('of as many fields as there may be is taken', async () => {
    const connection = openRaw(fleet.baseUrl)
    await connection.write(`${get}${fields(18)}Connection: close\r\n\r\n`)
    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 200 /)
  })
})
