import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { serializeBody } from '../../src/delivery/body.ts'
import { buildRequestHeaders, isReservedHeader } from '../../src/delivery/request-headers.ts'
import { createSignatureHeaders } from '../../src/delivery/signature.ts'

const body = Buffer.from('{"event":"FORECASTING_FINISHED","payload":{"title":"größer ✓"}}')
const signed = () => ({ requestId: 'dlv_01h455vb4pex5vsknk084sn02q', timestamp: Math.floor(Date.now() / 1000), body })
const hex = (secret: string) => createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')
const encoded = () => `whsec_${randomBytes(32).toString('base64')}`

/** Throws where it does not hold. */
const standard = (secret: string, headers: Record<string, string>) =>
  new Webhook(secret, secret.startsWith('whsec_') ? {} : { format: 'raw' }).verify(body.toString(), headers)

describe('the signature', () => {
  it.each([['plain'], ['with spaces and ~'], [encoded()]])(
    'under %j holds by plain HMAC and by the standard',
    (secret) => {
      const headers = createSignatureHeaders({ current: secret, previous: null }, signed())
      expect(headers['x-webhook-signature']).toBe(hex(secret))
      expect(headers['x-webhook-signature']).toMatch(/^[0-9a-f]{64}$/)
      expect(standard(secret, headers)).toEqual(JSON.parse(body.toString()))
      expect(() => standard('another secret', headers)).toThrow('No matching signature')
    },
  )

  it('is made with both secrets during a rotation, and both receivers accept it', () => {
    const [current, previous] = [encoded(), 'the one before']
    const headers = createSignatureHeaders({ current, previous }, signed())
    expect(headers).toMatchObject({
      'x-webhook-signature': hex(current),
      'x-webhook-signature-previous': hex(previous),
    })
    expect(standard(current, headers)).toBeDefined()
    expect(standard(previous, headers)).toBeDefined()
  })

  it('is left out, with all that belongs to it, where there is no secret', () => {
    expect(createSignatureHeaders({ current: null, previous: null }, signed())).toEqual({})
  })
})

describe('the headers of an attempt', () => {
  it('name event, delivery and attempt, and have the last word over custom ones', () => {
    const identity = { requestId: 'dlv_1', eventId: 'evt_1', eventKind: 'DATA_SYNC_FINISHED', number: 3 }
    const custom = { Authorization: 'Bearer abc', 'content-type': 'text/plain' }
    const headers = buildRequestHeaders(identity, body, { current: null, previous: null }, custom, 1_700_000_000_999)
    expect(headers).toEqual({
      Authorization: 'Bearer abc',
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^WorkspacePlatform-Webhooks\/\d/),
      'x-webhook-event': 'DATA_SYNC_FINISHED',
      'x-webhook-request-id': 'dlv_1',
      'x-webhook-event-id': 'evt_1',
      'x-webhook-attempt': '3',
    })
  })

  it.each([
    ['X-Webhook-Signature', true],
    ['x-webhook-anything', true],
    ['WEBHOOK-ID', true],
    ['Content-Type', true],
    ['Transfer-Encoding', true],
    ['connection', true],
    ['Host', true],
    ['TE', true],
    ['authorization', false],
    ['x-tenant', false],
  ])('%s: reserved %s', (name, expected) => {
    expect(isReservedHeader(name)).toBe(expected)
  })
})

describe('the body', () => {
  it('has the four fields of the specification, and a payload that begins with id, status and time', () => {
    const event = {
      kind: 'DATA_SYNC_FAILED',
      workspace_id: 'ws_1',
      occurred_at: '2026-01-05T09:30:00.000Z',
      data: { error: { code: 'auth' }, status: 'failed', id: 'sync_1' },
    }
    expect(serializeBody(event, 'dlv_1', 'https://api.example.com').toString()).toBe(
      '{"event":"DATA_SYNC_FAILED","workspace_id":"ws_1","request_id":"dlv_1",' +
        '"payload":{"id":"sync_1","status":"failed","occurred_at":"2026-01-05T09:30:00.000Z","error":{"code":"auth"}}}',
    )
  })
})
