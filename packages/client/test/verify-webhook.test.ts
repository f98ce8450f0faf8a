import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { type VerifyOptions, verifyWebhook, WebhookVerificationError } from '../src/index.ts'

const body = JSON.stringify({
  event: 'FORECASTING_FINISHED',
  workspace_id: 'ws_1',
  request_id: 'dlv_1',
  payload: { id: 'fr_1', status: 'finished' },
})
const secret = 'shhh'
/** printf '<body>' | openssl dgst -sha256 -hmac shhh */
const signature = '6168eb08640cad1bb32afa9792d6c129c51a882438c1524104adf52076001a0f'
const sentAt = new Date('2026-01-05T09:30:00.000Z')

const hex = (key: string, signed = body) => createHmac('sha256', key).update(signed).digest('hex')
/** The Standard Webhooks headers, made by its own library. */
const standard = (keys: string[], signed = body, at = sentAt) => ({
  'webhook-id': 'dlv_1',
  'webhook-timestamp': String(at.getTime() / 1000),
  'webhook-signature': keys
    .map((key) => (key.startsWith('whsec_') ? new Webhook(key) : new Webhook(key, { format: 'raw' })))
    .map((webhook) => webhook.sign('dlv_1', at, signed))
    .join(' '),
})
const verify = (headers: VerifyOptions['headers'], options: Partial<VerifyOptions> = {}) =>
  verifyWebhook({ body, headers, secret, now: sentAt.getTime(), ...options })
const refuses = (headers: VerifyOptions['headers'], options?: Partial<VerifyOptions>) =>
  expect(() => verify(headers, options)).toThrow(WebhookVerificationError)

describe('verifyWebhook', () => {
  it('accepts a raw body signed with the secret', () => {
    expect(hex(secret)).toBe(signature)
    expect(verify({ 'x-webhook-signature': signature })).toEqual(JSON.parse(body))
    expect(verify({ 'x-webhook-signature': signature }, { body: Buffer.from(body) })).toEqual(JSON.parse(body))
    expect(verify({ 'x-webhook-signature': signature, ...standard([secret]) })).toEqual(JSON.parse(body))
  })

  it('accepts the header in any case, in a Headers object, and in an array', () => {
    verify({ 'X-Webhook-Signature': signature })
    verify(new Headers({ 'X-Webhook-Signature': signature, ...standard([secret]) }))
    verify({ 'x-webhook-signature': [signature], ...standard([secret]) })
  })

  it('accepts the previous secret during a rotation', () => {
    const rotated = { 'x-webhook-signature': hex('new'), 'x-webhook-signature-previous': signature }
    verify({ ...rotated, ...standard(['new', secret]) })
    verify({ ...rotated, ...standard(['new', secret]) }, { secret: 'new' })
  })

  it('accepts a whsec_ secret, whose text is the key of one signature and whose decoded bytes of the other', () => {
    const whsec = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    verify({ 'x-webhook-signature': hex(whsec), ...standard([whsec]) }, { secret: whsec })
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    refuses({ 'x-webhook-signature': hex(whsec), ...standard([other]) }, { secret: whsec })
  })

  it('accepts the headers and body of a Node.js request', async () => {
    const verified = new Promise((resolve) => {
      const server = createServer(async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        resolve(verify(request.headers, { body: Buffer.concat(chunks) }))
        response.end()
        server.close()
      })
      server.listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo // a server that listens on TCP has such an address
        const headers = { 'x-webhook-signature': signature, ...standard([secret]) }
        void fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })
      })
    })
    expect(await verified).toEqual(JSON.parse(body))
  })

  it('rejects a body that was changed or serialized again', () => {
    refuses({ 'x-webhook-signature': signature }, { body: body.replace('fr_1', 'fr_2') })
    refuses({ 'x-webhook-signature': signature }, { body: JSON.stringify(JSON.parse(body), null, 1) })
  })

  it('rejects a body signed with another secret, or not signed', () => {
    refuses({ 'x-webhook-signature': hex('other') })
    refuses({})
    refuses(standard([secret]))
    refuses({ 'x-webhook-signature-previous': hex('other') })
  })

  it.each([
    ['the signature is missing', {}, {}, 'x-webhook-signature is missing'],
    ['the signature is malformed', { 'x-webhook-signature': 'abc' }, {}, '64 lowercase hexadecimal digits'],
    [
      'the secret is another one',
      { 'x-webhook-signature': hex('other') },
      {},
      'the secret is another one, or the body',
    ],
    [
      'a timestamp is required',
      { 'x-webhook-signature': signature },
      { requireTimestamp: true },
      'a header is missing',
    ],
    [
      'the delivery is old',
      { 'x-webhook-signature': signature, ...standard([secret]) },
      { now: sentAt.getTime() + 400_000 },
      'webhook-timestamp is 400 s old, more than 300 s',
    ],
    [
      'the other signature is wrong',
      { 'x-webhook-signature': signature, ...standard(['other']) },
      {},
      'webhook-signature does not match',
    ],
  ])('says why it rejects when %s', (_, headers, options, message) => {
    expect(() => verify(headers, options)).toThrow(message)
  })

  it('throws a TypeError when the body was parsed before', () => {
    expect(() => verify({ 'x-webhook-signature': signature }, { body: JSON.parse(body) })).toThrow(
      'must be the raw body',
    )
  })

  it.each([
    ['in upper case', signature.toUpperCase()],
    ['cut short', signature.slice(0, 62)],
    ['empty', ''],
    ['followed by other characters', `${signature}00`],
    ['followed by a line break', `${signature}\n`],
    ['repeated', `${signature}, ${signature}`],
    ['in base64', Buffer.from(signature, 'hex').toString('base64')],
  ])('rejects a signature that is %s', (_, changed) => refuses({ 'x-webhook-signature': changed }))

  it('rejects a timestamp outside the tolerance', () => {
    const headers = { 'x-webhook-signature': signature, ...standard([secret]) }
    const seconds = (offset: number) => ({ now: sentAt.getTime() + offset * 1000 })
    verify(headers, seconds(300))
    verify(headers, seconds(-300))
    refuses(headers, seconds(301))
    refuses(headers, seconds(-301))
    verify(headers, { ...seconds(3600), toleranceSeconds: 3600 })
    refuses(headers, { now: Date.now() })
  })

  it('rejects a timestamp that is not the signed one', () => {
    const headers = { 'x-webhook-signature': signature, ...standard([secret], body, new Date('2026-01-05T08:00:00Z')) }
    refuses({ ...headers, 'webhook-timestamp': String(sentAt.getTime() / 1000) })
    refuses({ ...headers, 'webhook-timestamp': 'soon' })
  })

  it('rejects a signed body that is not JSON', () => {
    refuses({ 'x-webhook-signature': hex(secret, 'hello') }, { body: 'hello' })
  })

  it('throws when the secret is empty', () => {
    expect(() => verify({ 'x-webhook-signature': hex('') }, { secret: '' })).toThrow('secret: must not be empty')
  })
})
