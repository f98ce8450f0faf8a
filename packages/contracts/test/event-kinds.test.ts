import { describe, expect, it } from '@jest/globals'
import { auditRecorded, type EventDefinition, serviceNames, webhookEventKinds, webhookEvents } from '../src/index.ts'

/** The kinds of the public contract. */
const publicKinds = `
  FORECASTING_FINISHED FORECASTING_FAILED RECOMMENDATION_CREATED DATA_SYNC_FINISHED DATA_SYNC_FAILED
  INTEGRATION_CONNECTED INTEGRATION_FAILED API_KEY_CREATED API_KEY_REVOKED USER_INVITED USER_REMOVED
  WEBHOOK_FAILING WEBHOOK_DISABLED WEBHOOK_TEST AGENT_RUN_FINISHED AGENT_RUN_FAILED
  EVENT_DESTINATION_FAILING EVENT_DESTINATION_DISABLED
  AUDIT_DOC_FINISHED AUDIT_DOC_FAILED PLAN_CHANGED
  USAGE_LIMIT_REACHED INVOICE_ISSUED WORKPLACE_PLAN_CREATED`

const words = (text: string) => text.trim().split(/\s+/)
const events: [string, EventDefinition][] = Object.entries(webhookEvents)

describe('the event kinds', () => {
  it('are those of the public contract', () => {
    expect(Object.keys(webhookEvents).sort()).toEqual(words(publicKinds).sort())
  })

  it('can all be selected by subscriptions', () => {
    expect([...webhookEventKinds].sort()).toEqual(words(publicKinds).sort())
  })

  it.each(events)('%s has its key as kind, a valid example, and a known producer', (key, event) => {
    expect(event.kind).toBe(key)
    expect(event.isSubscribable).toBe(true)
    expect(event.data.parse(event.example)).toEqual(event.example)
    expect(serviceNames).toContain(event.producer)
  })

  it.each(events)('%s requires id and one of its statuses', (_, event) => {
    for (const field of ['id', 'status'] as const) {
      const { [field]: _removed, ...rest } = event.example
      expect(event.data.safeParse(rest).success).toBe(false)
    }
    expect(event.data.safeParse({ ...event.example, status: 'no such status' }).success).toBe(false)
  })

  it('show the example of FORECASTING_FINISHED as the public contract does', () => {
    expect(webhookEvents.FORECASTING_FINISHED.example).toEqual({
      id: expect.stringMatching(/^fr_/),
      status: 'finished',
    })
  })
})

describe('AUDIT_RECORDED', () => {
  it('has a valid example and cannot be selected by subscriptions', () => {
    expect(auditRecorded.data.parse(auditRecorded.example)).toEqual(auditRecorded.example)
    expect(auditRecorded.isSubscribable).toBe(false)
    expect(webhookEventKinds).not.toContain(auditRecorded.kind)
  })
})
