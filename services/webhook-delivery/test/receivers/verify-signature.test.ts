import { describe, expect, it } from '@jest/globals'
import { createSignatureHeaders } from '../../src/delivery/request/signature.ts'
import { verifySignature } from '../../src/receive-request.ts'
import { receiverAddress, receiverTokenOf } from '../../src/subscriptions/receiver-address.ts'

const nowMs = Date.UTC(2026, 2, 4)
const body = Buffer.from('{"event":"WEBHOOK_TEST"}')
const sign = (current: string, previous: string | null = null, timestamp = nowMs / 1000) =>
  createSignatureHeaders({ current, previous }, { requestId: 'dlv_1', timestamp, body })

describe('the signature of a received request', () => {
  it('is valid with the secret of a subscription, also with the previous one', () => {
    expect(verifySignature(sign('secret one'), body, ['another', 'secret one'], nowMs)).toBe('valid')
    expect(verifySignature(sign('new secret', 'old secret'), body, ['old secret'], nowMs)).toBe('valid')
  })

  it.each([
    ['with another secret', sign('other secret'), body],
    ['over another body', sign('secret one'), Buffer.from('{}')],
    ['in one form only', { ...sign('secret one'), 'webhook-signature': 'v1,AAAA' }, body],
    ['without an id', { ...sign('secret one'), 'webhook-id': '' }, body],
  ])('is invalid if it was made %s', (_case, headers, received) => {
    expect(verifySignature(headers, received, ['secret one'], nowMs)).toBe('invalid')
  })

  it('is expired if it was made more than five minutes before', () => {
    expect(verifySignature(sign('secret one', null, nowMs / 1000 - 301), body, ['secret one'], nowMs)).toBe('expired')
  })

  it('is missing in a request without one', () => {
    expect(verifySignature({}, body, ['secret one'], nowMs)).toBe('unsigned')
  })
})

describe('the address of a test receiver', () => {
  const base = 'https://api.example.com'
  const token = `eu1.${'a'.repeat(32)}`

  it('is recognized in its exact form only', () => {
    const address = receiverAddress(base, token)
    expect(receiverTokenOf(base, address)).toBe(token)
    const others = [
      `${address}&x=1`,
      `${address}#x`,
      `${address}a`,
      receiverAddress('https://api.example.com.evil.test', token),
      receiverAddress('http://api.example.com', token),
      `${base}/v1/webhooks/receive/../receive?token=${token}`,
      `${base}/v1/webhooks/webhooks?token=${token}`,
    ]
    for (const other of others) expect(receiverTokenOf(base, other)).toBeUndefined()
  })
})
