import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { EndpointDefinition } from '@wp/contracts'
import {
  type AccessContext,
  createAccessContext,
  eventually,
  openWorkerPool,
  startTestFleet,
  type TestFleet,
} from '@wp/testkit'
import { accessEnvironment, fixtureOf } from './access-fixtures.ts'
import { authenticated, createEndpointCalls, rowsOf } from './endpoint-calls.ts'

const links = '/v1/webhooks/portal-links'
const webhooks = '/v1/webhooks/webhooks'
const newWebhook = { endpoint: 'https://127.0.0.1:8443/', events: ['FORECASTING_FINISHED'], secret: 'secret' }

/** A portal link with its credential, and a context that creates resources with it. */
interface Customer {
  id: string
  linkId: string
  key: string
  context: AccessContext
}

let fleet: TestFleet
let context: AccessContext
let calls: ReturnType<typeof createEndpointCalls>
let acme: Customer
/** Another customer of the same workspace, and the same customer id in another one. */
let globex: Customer
let foreign: Customer

beforeAll(async () => {
  fleet = await startTestFleet({ services: ['auth', 'webhook-delivery'], env: accessEnvironment })
  context = await createAccessContext(fleet)
  calls = createEndpointCalls(context)
  acme = await createLink('acme')
  globex = await createLink('globex')
  foreign = await createLink('acme', {}, context.stranger.principal)
})
afterAll(() => fleet?.stop())

async function createLink(id: string, settings: object = {}, as = context.owner.principal): Promise<Customer> {
  const body = { customer_id: id, events: ['*'], ...settings }
  const response = await fleet.request('POST', links, { as, body })
  expect(response).toMatchObject({ status: 201, body: { data: { customer_id: id } } })
  const url = new URL(response.body.data.url)
  const key = url.hash.slice(1)
  const linkId = response.body.data.portal_link_id
  expect(url.pathname).toMatch(new RegExp(`^/portal/[a-z0-9]+[.]${linkId}$`))
  return { id, linkId, key, context: context.actingAs(key) }
}

const flagged = authenticated.filter(({ portal }) => portal === true)

describe('a portal link', () => {
  it.each(rowsOf(authenticated.filter(({ portal }) => portal !== true)))('gets 403 at %s', async (_, definition) => {
    const path = definition.path.replaceAll(/\{\w+\}/g, 'none')
    const response = await fleet.request(definition.method, path, { as: acme.key })
    expect(response).toMatchObject({ status: 403, body: { code: 'portal_link_forbidden' } })
  })

  it('reaches these endpoints', () => {
    expect(flagged.map(({ id }) => id).sort()).toEqual([
      'webhooks.cancelReplay',
      'webhooks.countDeliveries',
      'webhooks.createSubscription',
      'webhooks.deleteSubscription',
      'webhooks.getDelivery',
      'webhooks.getPortalLink',
      'webhooks.getReplay',
      'webhooks.getSecret',
      'webhooks.getStatistics',
      'webhooks.getSubscription',
      'webhooks.listDeliveries',
      'webhooks.listEventKinds',
      'webhooks.listSubscriptions',
      'webhooks.resendDelivery',
      'webhooks.rotateSecret',
      'webhooks.sendTest',
      'webhooks.startReplay',
      'webhooks.updateSubscription',
    ])
  })

  const paramsOf = async (definition: EndpointDefinition, { linkId, context: own }: Customer) =>
    definition.id === 'webhooks.getPortalLink'
      ? { portal_link_id: linkId }
      : ((await fixtureOf(definition).params?.(own)) ?? {})

  it.each(rowsOf(flagged.filter(({ params }) => params !== undefined)))(
    'gets 404 at %s for what another customer or workspace has, and reaches its own',
    async (_, definition) => {
      const params = await paramsOf(definition, acme)
      const send = async (as: string) => (await calls.prepare(definition, as, params)).send()
      for (const { key } of [globex, foreign])
        expect(await send(key)).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect((await send(acme.key)).status).toBeLessThan(300)
    },
  )

  it('gets 404 for webhooks of the workspace, which belong to no customer', async () => {
    const id = await context.createId(webhooks, newWebhook, 'webhook_id')
    expect((await fleet.request('GET', `${webhooks}/${id}`, { as: acme.key })).status).toBe(404)
  })

  it('lists the webhooks of its customer alone', async () => {
    const customer = await createLink('initech')
    const id = await customer.context.createId(webhooks, newWebhook, 'webhook_id')
    const idsFor = async (as: string, query = '') =>
      (await fleet.request('GET', `${webhooks}?limit=100${query}`, { as })).body.data.map(
        (webhook: { webhook_id: string }) => webhook.webhook_id,
      )
    expect(await idsFor(customer.key)).toEqual([id])
    expect(await idsFor((await createLink('hooli')).key)).toEqual([])
    expect(await idsFor((await createLink('initech', {}, context.stranger.principal)).key)).toEqual([])
    expect(await idsFor(globex.key, '&customer_id=initech')).toEqual([])
    expect(await idsFor(context.owner.principal, '&customer_id=initech')).toEqual([id])
  })

  it('cannot create a webhook for another customer', async () => {
    const body = { ...newWebhook, customer_id: 'globex' }
    expect(await fleet.request('POST', webhooks, { as: acme.key, body })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/customer_id' }] },
    })
  })

  it('changes nothing if it may only read', async () => {
    const { key } = await createLink('acme', { can_write: false })
    const id = await acme.context.createId(webhooks, newWebhook, 'webhook_id')
    expect((await fleet.request('GET', `${webhooks}/${id}`, { as: key })).status).toBe(200)
    for (const definition of flagged.filter(({ scope }) => scope === 'webhooks:write'))
      expect(await (await calls.prepare(definition, key, { webhook_id: id })).send()).toMatchObject({
        status: 403,
        body: { code: 'missing_scope' },
      })
  })

  it('is no API key: it is neither listed nor counted, and no id of one reads it', async () => {
    const { rows } = await query(`SELECT key_id FROM api_keys WHERE portal_link_id = '${acme.linkId}'`)
    const keys = (await fleet.request('GET', '/v1/auth/api-key?limit=100', { as: context.owner.user })).body.data
    expect(keys.map((key: { key_id: string }) => key.key_id)).not.toContain(rows[0].keyId)
    const read = await fleet.request('GET', `/v1/auth/api-key/${rows[0].keyId}`, { as: context.owner.user })
    expect(read.status).toBe(404)
  })

  it('has a rate limit of its own, lower than that of other credentials', async () => {
    const { headers } = await fleet.request('GET', webhooks, { as: acme.key })
    expect(headers.get('ratelimit-policy')).toContain('"credential";q=240;')
  })
})

/** Sends a statement to the database of auth. */
async function query(text: string) {
  const pool = openWorkerPool(fleet.databases.get('auth')?.workerUrl ?? '')
  try {
    return await pool.query(text)
  } finally {
    await pool.end()
  }
}

const codeOf = async ({ key }: Customer) => (await fleet.request('GET', webhooks, { as: key })).body.code

describe('the end of a portal link', () => {
  it('comes with its revocation, before a cached identity expires', async () => {
    const customer = await createLink('acme')
    expect(await codeOf(customer)).toBeUndefined()
    const path = `${links}/${customer.linkId}`
    expect((await fleet.request('DELETE', path, { as: context.owner.principal })).status).toBe(200)
    await eventually(async () => (await codeOf(customer)) === 'revoked_credential', { timeoutMs: 9_000 })
    expect((await fleet.request('GET', path, { as: context.owner.principal })).status).toBe(404)
    expect((await fleet.request('DELETE', path, { as: context.owner.principal })).status).toBe(404)
  })

  it('comes with its expiry', async () => {
    const customer = await createLink('acme')
    expect(await codeOf(customer)).toBeUndefined()
    await query(`UPDATE api_keys SET expires_at = now() WHERE portal_link_id = '${customer.linkId}'`)
    await eventually(async () => (await codeOf(customer)) === 'expired_credential')
  })

  it('comes with the deletion of the key that created it', async () => {
    const body = { scopes: ['webhooks:read', 'webhooks:write'] }
    const { api_key: creator, key_id: id } = (
      await fleet.request('POST', '/v1/auth/api-key', { as: context.owner.user, body })
    ).body.data
    const customer = await createLink('acme', {}, creator)
    expect(await codeOf(customer)).toBeUndefined()
    await fleet.request('DELETE', `/v1/auth/api-key/${id}`, { as: context.owner.user })
    await eventually(async () => (await codeOf(customer)) === 'revoked_credential')
  })

  it('has a secret that no other text opens', async () => {
    const { key } = acme
    const tampered = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
    expect(await fleet.request('GET', webhooks, { as: tampered })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credential' },
    })
  })
})

describe('the creator of a portal link', () => {
  it('must have the scopes that the link gets', async () => {
    const as = await fleet.token(fleet.owner, 'webhooks:write')
    const response = await fleet.request('POST', links, { as, body: { customer_id: 'acme', events: ['*'] } })
    expect(response).toMatchObject({ status: 403, body: { code: 'scope_escalation' } })
  })

  it('gets the address once', async () => {
    const read = await fleet.request('GET', `${links}/${acme.linkId}`, { as: context.owner.principal })
    const listed = await fleet.request('GET', `${links}?customer_id=acme`, { as: context.owner.principal })
    for (const { body } of [read, listed]) expect(JSON.stringify(body)).not.toContain(acme.key.slice(-36))
    expect(listed.body.data.map((link: { customer_id: string }) => link.customer_id)).toContain('acme')
  })
})
