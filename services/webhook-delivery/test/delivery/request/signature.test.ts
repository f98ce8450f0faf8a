import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { createSignatureHeaders } from '../../../src/delivery/request/signature.ts'

const body = Buffer.from('{"event":"FORECASTING_FINISHED","payload":{"title":"größer ✓"}}')
const signed = () => ({ requestId: 'dlv_01h455vb4pex5vsknk084sn02q', timestamp: Math.floor(Date.now() / 1000), body })
const hex = (secret: string) => createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')
const encoded = () => `whsec_${randomBytes(32).toString('base64')}`

/** Verifies with the Standard Webhooks library; throws if the signature does not match. */
const verify = (secret: string, headers: Record<string, string>) =>
  new Webhook(secret, secret.startsWith('whsec_') ? {} : { format: 'raw' }).verify(body.toString(), headers)

describe('createSignatureHeaders', () => {
  it.each([['plain'], ['with spaces and ~'], [encoded()]])(
    'signs under %j so that plain HMAC and the Standard Webhooks library verify it',
    (secret) => {
      const headers = createSignatureHeaders({ current: secret, previous: null }, signed())
      expect(headers['x-webhook-signature']).toBe(hex(secret))
      expect(headers['x-webhook-signature']).toMatch(/^[0-9a-f]{64}$/)
      expect(verify(secret, headers)).toEqual(JSON.parse(body.toString()))
      expect(() => verify('another secret', headers)).toThrow('No matching signature')
    },
  )

  it('signs with both secrets during a rotation, so that receivers with either accept it', () => {
    const [current, previous] = [encoded(), 'the one before']
    const headers = createSignatureHeaders({ current, previous }, signed())
    expect(headers).toMatchObject({
      'x-webhook-signature': hex(current),
      'x-webhook-signature-previous': hex(previous),
    })
    expect(verify(current, headers)).toBeDefined()
    expect(verify(previous, headers)).toBeDefined()
  })

  it('returns no headers without a secret', () => {
    expect(createSignatureHeaders({ current: null, previous: null }, signed())).toEqual({})
  })
})
