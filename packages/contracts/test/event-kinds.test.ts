import { describe, expect, it } from '@jest/globals'
import { auditRecorded, serviceNames, webhookEventKinds, webhookEvents } from '../src/index.ts'

/** The kinds the public interface promises. */
const promised = `
  FORECASTING_FINISHED FORECASTING_FAILED RECOMMENDATION_CREATED DATA_SYNC_FINISHED DATA_SYNC_FAILED AGENT_RUN_FINISHED
  AGENT_RUN_FAILED INTEGRATION_CONNECTED INTEGRATION_FAILED API_KEY_CREATED API_KEY_REVOKED USER_INVITED USER_REMOVED
  WEBHOOK_FAILING WEBHOOK_DISABLED AUDIT_DOC_FINISHED INVOICE_ISSUED PLAN_CHANGED USAGE_LIMIT_REACHED WEBHOOK_TEST`

const planned = ['agents', 'ai', 'integrations', 'audit', 'billing']

describe('event kinds', () => {
  it('are exactly those promised', () => {
    expect([...webhookEventKinds].sort()).toEqual(promised.trim().split(/\s+/).sort())
  })

  it.each(Object.entries(webhookEvents))('%s is named by its key and fits its own example', (key, event) => {
    expect(event.kind).toBe(key)
    expect(event.isSubscribable).toBe(true)
    expect(event.data.parse(event.example)).toEqual(event.example)
    expect([...serviceNames, ...planned]).toContain(event.producer)
  })

  it.each(Object.entries(webhookEvents))('%s carries at least id and status', (_, event) => {
    for (const field of ['id', 'status'] as const) {
      const { [field]: _left, ...rest } = event.example as Record<string, unknown>
      expect(event.data.safeParse(rest).success).toBe(false)
    }
    expect(event.data.safeParse({ ...event.example, status: 'no such status' }).success).toBe(false)
  })

  it('say of a forecast that it is finished, as the public contract shows it', () => {
    expect(webhookEvents.FORECASTING_FINISHED.example).toEqual({
      id: expect.stringMatching(/^fr_/),
      status: 'finished',
    })
  })
})

describe('what the audit log hears', () => {
  it('fits its own example, and no subscription can name it', () => {
    expect(auditRecorded.data.parse(auditRecorded.example)).toEqual(auditRecorded.example)
    expect(auditRecorded.isSubscribable).toBe(false)
    expect(webhookEventKinds).not.toContain(auditRecorded.kind)
  })
})
