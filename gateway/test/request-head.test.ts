import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestFleet } from '@wp/testkit'
import { openRaw } from './raw-connection.ts'

const fleet = await startTestFleet({
  services: ['auth'],
  env: { gateway: { HEADERS_TIMEOUT_SECONDS: '1', MAX_HEADER_BYTES: '2048', MAX_HEADERS: '20' } },
})
afterAll(() => fleet.stop())

const get = 'GET /docs HTTP/1.1\r\nHost: x\r\n'

describe('a request head', () => {
  it.each([
    ['that does not arrive', '', 'x'],
    ['that never ends', get, ''],
    ['that drips', get, 'X-A: 1\r\n'],
  ])('%s gets a 408', async (_, first, drip) => {
    const connection = openRaw(fleet.baseUrl)
    if (first !== '') await connection.write(first)
    const dripping = first !== '' && drip !== '' ? setInterval(() => connection.socket.write(drip), 100) : undefined
    const received = await connection.waitForClose()
    clearInterval(dripping)
    expect(received).toMatch(/^HTTP\/1\.1 408 [\s\S]*"request_timeout"/)
  })

  it('that drips after an earlier request gets a 408', async () => {
    const connection = openRaw(fleet.baseUrl)
    await connection.write(`${get}\r\n`)
    await connection.waitFor(/^HTTP\/1\.1 200 /)
    await connection.write(get)
    expect(await connection.waitForClose()).toMatch(/HTTP\/1\.1 408 [\s\S]*"request_timeout"/)
  })

  const fields = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: 1\r\n`).join('')
  it.each([
    ['of too many bytes', `X-A: ${'x'.repeat(2048)}\r\n`],
    ['of too many bytes in short fields', fields(250)],
    ['of too many fields', fields(20)],
    ['with too long a target', undefined],
  ])('%s gets a 431', async (_, more) => {
    const connection = openRaw(fleet.baseUrl)
    await connection.write(more === undefined ? `GET /${'a'.repeat(3000)} HTTP/1.1\r\n\r\n` : `${get}${more}\r\n`)
    const received = await connection.waitFor(/"header_fields_too_large"/)
    expect(received).toMatch(/^HTTP\/1\.1 431 /)
    connection.socket.destroy()
  })

  it('with the maximum number of fields is accepted', async () => {
    const connection = openRaw(fleet.baseUrl)
    await connection.write(`${get}${fields(18)}Connection: close\r\n\r\n`)
    expect(await connection.waitForClose()).toMatch(/^HTTP\/1\.1 200 /)
  })
})
