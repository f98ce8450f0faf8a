import { afterAll, describe, expect, it } from '@jest/globals'
import { eventually, startTestFleet } from '@wp/testkit'

const fleet = await startTestFleet({ services: ['auth', 'system', 'billing'] })
const token = await fleet.token(fleet.owner)
afterAll(() => fleet.stop())

interface Group {
  meter: string
  value: string | null
  quantity: number
}

describe('the calls of a workspace', () => {
  it('are reported to billing by service, without those that were refused', async () => {
    for (let n = 0; n < 3; n += 1) await fleet.request('GET', '/v1/system/workspace', { as: token })
    const missing = await fleet.request('GET', '/v1/system/workspace/variables/NONE', { as: token })
    expect(missing.status).toBe(404)
    const refused = await fleet.request('GET', '/v1/system/workspace', { as: 'no-token' })
    expect(refused.status).toBe(401)
    const plans = await fleet.request('GET', '/v1/billing/plans', { as: token })
    expect(plans.status).toBe(200)
    // `/v1/system/workspace` is served by auth. The calls of each service arrive in events of their own.
    const total = await eventually(
      async () => {
        const { body } = await fleet.request('GET', '/v1/billing/usage?meter=api_calls&group_by=service', { as: token })
        const groups: Group[] = body.data.groups
        const others = groups.filter(({ value }) => value !== 'billing')
        const sum = others.reduce((total, { quantity }) => total + quantity, 0)
        return sum >= 4 && sum
      },
      { timeoutMs: 60_000, intervalMs: 500 },
    )
    expect(total).toBe(4)
  })
})
