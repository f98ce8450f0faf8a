import { afterAll, describe, expect, it } from '@jest/globals'
import { startTestFleet } from '@wp/testkit'

const fleet = await startTestFleet({ services: ['auth', 'system'], env: { gateway: { REUSE_PORT: 'true' } } })
afterAll(() => fleet.stop())

describe('two edges on one port', () => {
  const samePort = () => new URL(fleet.baseUrl).port
  const request = async () => {
    const { status } = await fleet.request('GET', '/v1/system/health', { headers: { connection: 'close' } })
    return status
  }

  it('share its connections, and one continues when the other stops', async () => {
    await fleet.addEdge({ PORT: samePort() })
    expect(await Promise.all(Array.from({ length: 20 }, request))).toEqual(Array(20).fill(200))
    await fleet.member('gateway').stop()
    expect(await Promise.all(Array.from({ length: 20 }, request))).toEqual(Array(20).fill(200))
  })

  it('must both set REUSE_PORT', async () => {
    await expect(fleet.addEdge({ PORT: samePort(), REUSE_PORT: 'false' })).rejects.toThrow(/is already in use/)
  })
})
