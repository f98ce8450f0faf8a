import { afterAll, describe, expect, it } from '@jest/globals'
import { setTestQuota } from '@wp/testkit'
import { officeBody, startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
afterAll(() => harness.stop())

describe('the quota of queued forecast runs', () => {
  it('rejects a run of the workspace that has exhausted it, and no other', async () => {
    const { fleet, owner, stranger } = harness
    await setTestQuota(fleet.env('solutions').DATABASE_WORKER_URL, fleet.stranger.workspaceId, 'queued_jobs', 0)
    expect(await harness.start(officeBody(), stranger)).toMatchObject({
      status: 403,
      body: { code: 'quota_exceeded', quota: 'queued_jobs', kind: 'forecast_run', limit: 0, current: 0 },
    })
    expect((await harness.start(officeBody(), owner)).status).toBe(202)
  })
})
