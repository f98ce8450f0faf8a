import { describe, expect, it } from '@jest/globals'
import { buildRequestHeaders, isReservedHeader } from '../../../src/delivery/request/request-headers.ts'

const body = Buffer.from('{}')

describe('buildRequestHeaders', () => {
  it('names event, delivery and attempt, and overrides custom headers', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const identity = {
      requestId: 'dlv_1',
      eventId: 'evt_1',
      eventKind: 'DATA_SYNC_FINISHED',
      attemptCount: 3,
      traceparent,
    }
    const custom = { Authorization: 'Bearer abc', 'content-type': 'text/plain', traceparent: 'custom' }
    const headers = buildRequestHeaders(identity, body, { current: null, previous: null }, custom, 1_700_000_000_999)
    expect(headers).toEqual({
      Authorization: 'Bearer abc',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^WorkspacePlatform-Webhooks\/\d/),
      'x-webhook-event': 'DATA_SYNC_FINISHED',
      'x-webhook-request-id': 'dlv_1',
      'x-webhook-event-id': 'evt_1',
      'x-webhook-attempt': '3',
      traceparent,
    })
    const untraced = { ...identity, traceparent: null }
    const secrets = { current: null, previous: null }
    expect(buildRequestHeaders(untraced, body, secrets, {}, 0)).not.toHaveProperty('traceparent')
  })
})

describe('isReservedHeader', () => {
  it.each([
    ['X-Webhook-Signature', true],
    ['x-webhook-anything', true],
    ['WEBHOOK-ID', true],
    ['Content-Type', true],
    ['Transfer-Encoding', true],
    ['connection', true],
    ['Host', true],
    ['TE', true],
    ['Traceparent', true],
    ['authorization', false],
    ['x-tenant', false],
  ])('returns for %s %s', (name, expected) => {
    expect(isReservedHeader(name)).toBe(expected)
  })
})
