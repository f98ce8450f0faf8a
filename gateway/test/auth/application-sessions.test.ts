import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  allowClient,
  eventually,
  type Mailbox,
  type Receiver,
  respond,
  startMailbox,
  startReceiver,
  startTestFleet,
  type TestFleet,
} from '@wp/testkit'
import * as strict from 'oauth4webapi'

/** What an application does for a user, and what remains of it after its session. */

const redirectUri = 'http://127.0.0.1:3917/callback'
const overHttp = { [strict.allowInsecureRequests]: true }

let fleet: TestFleet
let mailbox: Mailbox
let documents: Receiver
let client: strict.Client
let server: strict.AuthorizationServer
beforeAll(async () => {
  ;[mailbox, documents] = await Promise.all([startMailbox(), startReceiver()])
  client = { client_id: documents.url('/client.json') }
  const document = { ...client, client_name: 'Reporter', redirect_uris: ['http://127.0.0.1/callback'] }
  const headers = { 'content-type': 'application/json' }
  documents.setResponder(respond(200, { body: JSON.stringify(document), headers }))
  const env = { auth: { SMTP_URL: mailbox.url, OUTBOUND_CA_FILE: documents.caFile } }
  fleet = await startTestFleet({ services: ['auth', 'audit', 'webhook-delivery'], env })
  const issuer = new URL(fleet.baseUrl)
  server = await strict.processDiscoveryResponse(
    issuer,
    await strict.discoveryRequest(issuer, { algorithm: 'oauth2', ...overHttp }),
  )
})
afterAll(async () => {
  await fleet?.stop()
  await Promise.all([mailbox?.close(), documents?.close()])
})

interface Application {
  token: string
  /** Signs the application out, as its user can in the list of sessions. */
  endSession(): Promise<unknown>
}

/** Signs in at the application as the owner, with the scopes for webhooks. */
async function connect(): Promise<Application> {
  const verifier = strict.generateRandomCodeVerifier()
  const url = new URL(server.authorization_endpoint ?? '')
  const state = strict.generateRandomState()
  const parameters = {
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'webhooks:read webhooks:write',
    state,
    code_challenge: await strict.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const location = await allowClient(url, { mailbox, email: 'owner@example.com' })
  const callback = strict.validateAuthResponse(server, client, new URL(location), state)
  const response = await strict.authorizationCodeGrantRequest(
    ...([server, client, strict.None(), callback, redirectUri, verifier, overHttp] as const),
  )
  const tokens = await strict.processAuthorizationCodeResponse(server, client, response)
  const refreshToken = String(tokens.refresh_token)
  return {
    token: tokens.access_token,
    endSession: () => strict.revocationRequest(server, client, strict.None(), refreshToken, overHttp),
  }
}

async function createWebhook(as: string) {
  const body = { delivery: 'poll', events: ['DATA_SYNC_FINISHED'] }
  const { status, body: answer } = await fleet.request('POST', '/v1/webhooks/webhooks', { as, body })
  expect(status).toBe(201)
  return answer.data
}

const webhook = async (id: string) =>
  (await fleet.request('GET', `/v1/webhooks/webhooks/${id}`, { as: fleet.owner.apiKey })).body.data
const activate = (id: string, as: string) =>
  fleet.request('PATCH', `/v1/webhooks/webhooks/${id}`, { as, body: { status: 'active' } })
const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid

describe('the webhook of an application', () => {
  it('names the application and its session, also in the audit log', async () => {
    const { token } = await connect()
    const created = await createWebhook(token)
    expect(created).toMatchObject({
      created_by: fleet.owner.ownerId,
      created_by_client: client.client_id,
      depends_on_session: sessionOf(token),
      warnings: [expect.stringContaining('is disabled when the session of the application ends')],
    })
    const path = `/v1/audit/logs?target=${created.webhook_id}&action=webhook.created`
    const [record] = await eventually(async () => {
      const { data } = (await fleet.request('GET', path, { as: fleet.owner.apiKey })).body
      return data.length > 0 && data
    })
    expect(record.actor).toMatchObject({
      id: fleet.owner.ownerId,
      type: 'user',
      client_id: client.client_id,
      session_id: sessionOf(token),
    })
    const verified = await fleet.request('GET', '/v1/audit/logs/verify', { as: fleet.owner.apiKey })
    expect(verified.body.data).toMatchObject({ status: 'ok' })
  })

  it('is disabled when the session ends, unless a person has activated it or made it', async () => {
    const application = await connect()
    const [left, kept] = [await createWebhook(application.token), await createWebhook(application.token)]
    const owned = await createWebhook((await fleet.signIn(fleet.owner.ownerId)).access_token)
    // An application that activates the webhook of a person does not bind it to its session.
    expect((await activate(owned.webhook_id, application.token)).body.data.depends_on_session).toBeNull()
    expect((await activate(kept.webhook_id, fleet.owner.apiKey)).body.data).toMatchObject({
      depends_on_session: null,
      warnings: [],
    })
    await application.endSession()
    const disabled = await eventually(async () => {
      const found = await webhook(left.webhook_id)
      return found.status === 'disabled' && found
    })
    expect(disabled.disabled_reason).toBe('session_ended')
    for (const { webhook_id } of [kept, owned]) expect((await webhook(webhook_id)).status).toBe('active')
    const again = await activate(left.webhook_id, fleet.owner.apiKey)
    expect(again.body.data).toMatchObject({ status: 'active', depends_on_session: null })
  })
})
