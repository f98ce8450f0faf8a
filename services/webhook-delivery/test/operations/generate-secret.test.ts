import { afterAll, describe, expect, it } from '@jest/globals'
import { startReceiver } from '@wp/testkit'
import { Webhook } from 'standardwebhooks'
import { startHarness } from '../fixture/harness.ts'

const harness = await startHarness()
const receiver = await startReceiver()

afterAll(async () => {
  await harness.stop()
  await receiver.close()
})

const create = (body: object, headers: Record<string, string> = {}) =>
  harness.call('POST', '/webhooks', { endpoint: receiver.url(), events: ['*'], ...body }, { headers })

describe('generate_secret of a new subscription', () => {
  it('makes a strong secret, which the response shows once', async () => {
    const { status, headers, body } = await create({ generate_secret: true })
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store'])
    const { webhook_id: id, secret } = body.data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(body.data).toMatchObject({ has_secret: true, warnings: [] })
    expect((await create({ generate_secret: true })).body.data.secret).not.toBe(secret)

    const read = await harness.call('GET', `/webhooks/${id}`)
    const listed = await harness.call('GET', '/webhooks?limit=100')
    for (const response of [read, listed]) expect(JSON.stringify(response.body)).not.toContain(secret)
    expect((await harness.call('GET', `/webhooks/${id}/secret`)).body.data.secret).toBe(secret)
  })

  it('signs deliveries with the secret of the response', async () => {
    const { webhook_id: id, secret } = (await create({ generate_secret: true })).body.data
    receiver.clear()
    await harness.call('POST', `/webhooks/${id}/test`)
    const [request] = await receiver.waitFor(1)
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(request?.headers[name])]),
    )
    expect(new Webhook(secret).verify(String(request?.body), headers)).toMatchObject({ event: 'WEBHOOK_TEST' })
  })

  it('is rejected together with a secret', async () => {
    const response = await create({ generate_secret: true, secret: 'a secret of my own' })
    expect(response).toMatchObject({
      status: 400,
      body: {
        code: 'validation_failed',
        errors: [{ pointer: '/generate_secret', detail: 'cannot be combined with `secret`; send one of them' }],
      },
    })
  })

  it('is not used when it is false', async () => {
    const none = (await create({ generate_secret: false })).body.data
    expect([none.has_secret, none.warnings]).toEqual([false, [expect.stringContaining('not signed')]])
    expect(none).not.toHaveProperty('secret')
    const own = (await create({ generate_secret: false, secret: 'a secret of my own' })).body.data
    expect([own.has_secret, own.warnings]).toEqual([true, []])
    expect(own).not.toHaveProperty('secret')
  })

  it('is stored nowhere in clear, also not for a repeated request, which is answered 409', async () => {
    const key = { 'idempotency-key': 'generate-once' }
    const { webhook_id: id, secret } = (await create({ generate_secret: true, external_id: 'generated' }, key)).body
      .data
    const again = await create({ generate_secret: true, external_id: 'generated' }, key)
    expect(again).toMatchObject({ status: 409, body: { code: 'secret_not_replayable', webhook_id: id } })
    expect((await harness.call('GET', '/webhooks?external_id=generated')).body.data).toHaveLength(1)

    const { rows } = await harness.sql.query(
      `SELECT row_to_json(i)::text AS text FROM platform.idempotency i
       UNION ALL SELECT row_to_json(o)::text FROM platform.outbox o
       UNION ALL SELECT row_to_json(s)::text FROM subscriptions s`,
    )
    expect(rows.length).toBeGreaterThan(2)
    for (const { text } of rows) expect(text).not.toContain(secret)
  })
})

describe('the warning about a missing secret', () => {
  it('names both ways to get one', async () => {
    const { warnings } = (await create({})).body.data
    expect(warnings).toEqual([
      'The subscription has no secret, so its deliveries are not signed; set `secret`, or rotate the secret, which ' +
        'generates one',
    ])
  })
})
