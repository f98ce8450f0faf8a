import { afterAll, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { setTestQuota } from '@wp/testkit'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

const subscription = { endpoint: 'https://127.0.0.1:8443/hook', events: ['*'], secret: 'a-secret-of-some-length' }

describe('the quota of subscriptions', () => {
  it('admits exactly one of 50 concurrent creations when one is left', async () => {
    const options = { workspaceId: newId('ws') }
    await setTestQuota(harness.service.env.DATABASE_WORKER_URL, options.workspaceId, 'subscriptions', 3)
    const create = () => harness.call('POST', '/webhooks', subscription, options)
    await create()
    await create()
    const responses = await Promise.all(Array.from({ length: 50 }, create))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(responses.find(({ status }) => status !== 201)).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', quota: 'subscriptions', limit: 3, current: 3 },
    })
  })
})

describe('the quota of queued replays', () => {
  it('rejects a replay when it is exhausted', async () => {
    const options = { workspaceId: newId('ws') }
    await setTestQuota(harness.service.env.DATABASE_WORKER_URL, options.workspaceId, 'queued_jobs', 0)
    const webhookId = await harness.subscribe(subscription, options)
    const range = { since: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' }
    expect(await harness.call('POST', `/webhooks/${webhookId}/replay`, range, options)).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', quota: 'queued_jobs', kind: 'replay', limit: 0, current: 0 },
    })
  })
})
