import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { newId } from '@wp/database'
import { startTestService } from '@wp/testkit'
import { definition } from '../../src/index.ts'
import { payInvoice, voidInvoice } from '../../src/payments/settle-invoice.ts'
import { isSignedByStripe } from '../../src/payments/stripe-provider.ts'
import { connectBillingDatabase, insertOpenInvoice } from '../invoices/billing-database.ts'
import { stripeEventRequest, stripeSignature, testWebhookSecret } from './stripe-event.ts'
import { startStripeServer } from './stripe-server.ts'

const stripe = await startStripeServer()
const service = await startTestService(definition, {
  STRIPE_SECRET_KEY: 'sk_test_key',
  STRIPE_WEBHOOK_SECRET: testWebhookSecret,
  STRIPE_API_URL: stripe.url,
})
const billing = await connectBillingDatabase(service.env)
const database = billing.connect()
afterAll(async () => {
  await database.close()
  await billing.close()
  await service.stop()
  await stripe.stop()
})

interface Issued {
  id: string
  workspaceId: string
  shard: string
  number: string
}
let invoice: Issued
beforeEach(async () => {
  invoice = await insertOpenInvoice(billing, newId('ws'))
})

const asOwner = () => ({ caller: { workspaceId: invoice.workspaceId } })
const start = () => service.request('POST', `/v1/billing/invoices/${invoice.id}/payment`, asOwner())
const read = async () => (await service.request('GET', `/v1/billing/invoices/${invoice.id}`, asOwner())).body.data
const deliver = (request: ReturnType<typeof stripeEventRequest>) =>
  service.request('POST', '/v1/billing/payments/stripe/events', {
    ...request,
    caller: { principal: { id: 'anonymous', type: 'anonymous' }, workspaceId: null, scopes: [] },
  })
const session = (changes: Record<string, unknown> = {}) => ({
  id: 'cs_test_paid',
  client_reference_id: invoice.id,
  payment_status: 'paid',
  amount_total: 5831,
  currency: 'eur',
  ...changes,
})
const audited = async (action: string) =>
  (
    await billing.admin.query(`SELECT data FROM platform.outbox WHERE workspace_id = $1 AND data->>'action' = $2`, [
      invoice.workspaceId,
      action,
    ])
  ).rows

describe('the payment of an invoice', () => {
  it('is started at Stripe once for an hour, with amount, currency and reference of the invoice', async () => {
    const first = await start()
    expect(first).toMatchObject({ status: 200, body: { data: { id: invoice.id, provider: 'stripe' } } })
    expect((await start()).body.data.url).toBe(first.body.data.url)
    const created = stripe.calls.filter(({ form }) => form.client_reference_id === invoice.id)
    expect(created[0]).toMatchObject({
      authorization: 'Bearer sk_test_key',
      idempotencyKey: expect.stringContaining(invoice.id),
      form: { 'line_items[0][price_data][unit_amount]': '5831', 'line_items[0][price_data][currency]': 'eur' },
    })
    expect([...stripe.sessions.values()].filter((each) => each.client_reference_id === invoice.id)).toHaveLength(1)
  })

  it('is recorded when it is started again, if the event of Stripe was lost', async () => {
    await start()
    for (const each of stripe.sessions.values())
      if (each.client_reference_id === invoice.id) each.payment_status = 'paid'
    expect((await start()).body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('paid') })
    expect(await read()).toMatchObject({ status: 'paid' })
  })

  it('is refused for a draft, a paid invoice, and one of another workspace', async () => {
    expect((await service.request('POST', `/v1/billing/invoices/${newId('bill')}/payment`, asOwner())).status).toBe(404)
    await payInvoice({ database, now: Date.now }, invoice, { reference: 'bank', requestId: 'test' })
    expect((await start()).body.code).toBe('conflict')
    const stranger = { caller: { workspaceId: newId('ws') } }
    expect((await service.request('POST', `/v1/billing/invoices/${invoice.id}/payment`, stranger)).status).toBe(404)
  })

  it('is answered 503 when Stripe fails', async () => {
    stripe.failWith(500)
    expect(await start()).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
    stripe.failWith(undefined)
  })
})

describe('an event of Stripe', () => {
  it.each(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])(
    'marks the invoice as paid once, however often it arrives: %s',
    async (type) => {
      const request = stripeEventRequest(type, session())
      const responses = await Promise.all(Array.from({ length: 5 }, () => deliver(request)))
      expect(responses.map(({ status, body }) => [status, body])).toEqual(Array(5).fill([200, { received: true }]))
      expect(await read()).toMatchObject({ status: 'paid', paid_at: expect.any(String) })
      expect(await audited('invoice.paid')).toEqual([
        { data: expect.objectContaining({ changes: { payment_reference: 'cs_test_paid' } }) },
      ])
    },
  )

  it.each([
    ['is not paid yet', { payment_status: 'unpaid' }],
    ['is for another amount', { amount_total: 5830 }],
    ['is in another currency', { currency: 'usd' }],
    ['names no invoice', { client_reference_id: null }],
  ])('changes nothing when the session %s', async (_, changes) => {
    expect((await deliver(stripeEventRequest('checkout.session.completed', session(changes)))).status).toBe(200)
    expect(await read()).toMatchObject({ status: 'open', paid_at: null })
  })

  it('changes nothing when it is of another type, or the invoice is void', async () => {
    expect((await deliver(stripeEventRequest('customer.created', { id: 'cus_1' }))).status).toBe(200)
    expect(await read()).toMatchObject({ status: 'open' })
    await voidInvoice({ database, now: Date.now }, invoice, { reason: 'wrong', requestId: 'test' })
    expect((await deliver(stripeEventRequest('checkout.session.completed', session()))).status).toBe(200)
    expect(await read()).toMatchObject({ status: 'void', paid_at: null, voided_at: expect.any(String) })
    expect(await audited('invoice.voided')).toHaveLength(1)
  })

  it('is refused when its signature is wrong, old or missing', async () => {
    const request = stripeEventRequest('checkout.session.completed', session())
    const signatures = [
      stripeSignature(request.rawBody, 'whsec_another'),
      stripeSignature(request.rawBody, testWebhookSecret, Date.now() - 301_000),
      stripeSignature(`${request.rawBody} `),
      '',
    ]
    for (const signature of signatures) {
      const headers = { ...request.headers, 'stripe-signature': signature }
      expect(await deliver({ ...request, headers })).toMatchObject({ status: 400 })
    }
    expect(await read()).toMatchObject({ status: 'open' })
  })
})

describe('a signature of Stripe', () => {
  const body = Buffer.from('{"id":"evt_1"}')
  const now = 1_771_228_800_000
  const valid = stripeSignature(body.toString(), testWebhookSecret, now)
  it.each([
    ['as Stripe sends it', valid, true],
    ['with another of an old secret before it', valid.replace('v1=', `v1=${'0'.repeat(64)},v1=`), true],
    ['with unknown schemes', `${valid},v0=abc`, true],
    ['without a timestamp', valid.replace(/^t=\d+,/, ''), false],
    ['with another timestamp', valid.replace(/^t=(\d+)/, 't=1771228801'), false],
    ['in upper case', valid.toUpperCase().replace('T=', 't=').replace('V1=', 'v1='), false],
    ['that is cut', valid.slice(0, -1), false],
    ['of many guesses', `t=1771228800${',v1='.concat('0'.repeat(64)).repeat(20)},${valid.slice(13)}`, false],
  ])('%s', (_, header, expected) => {
    expect(isSignedByStripe(body, header, testWebhookSecret, now)).toBe(expected)
  })

  it.each([
    [300_000, true],
    [301_000, false],
    [-300_000, true],
    [-301_000, false],
  ])('is accepted %d ms after it was made: %s', (age, expected) => {
    expect(isSignedByStripe(body, valid, testWebhookSecret, now + age)).toBe(expected)
  })
})
