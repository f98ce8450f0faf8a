import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { verifyWebhook, WebhookVerificationError } from '@wp/client/webhooks'
import { signerNames } from '@wp/contracts'
import { assertionHeader, createSigner, keyFilePaths, readSigningKey } from '@wp/service'
import {
  createTestCaller,
  eventually,
  type Mailbox,
  type Receiver,
  startMailbox,
  startReceiver,
  startTestFleet,
  type TestFleet,
  testAuthority,
} from '@wp/testkit'
import { localEnvironments } from '../src/environments.ts'

/**
 * Development and sandbox, as `npm start` runs them beside each other: two platforms that share a machine and a broker.
 */
const names = ['development', 'sandbox'] as const
type Name = (typeof names)[number]
const directions = [
  ['development', 'sandbox'],
  ['sandbox', 'development'],
] as const

let fleets: Record<Name, TestFleet>
let mailbox: Mailbox
let receiver: Receiver

beforeAll(async () => {
  ;[mailbox, receiver] = await Promise.all([startMailbox(), startReceiver()])
  const [development, sandbox] = await Promise.all(names.map(start))
  if (development === undefined || sandbox === undefined) throw new Error('a fleet did not start')
  fleets = { development, sandbox }
})
afterAll(async () => {
  await Promise.all(Object.values(fleets ?? {}).map((fleet) => fleet.stop()))
  await Promise.all([mailbox?.close(), receiver?.close()])
})

function start(name: Name): Promise<TestFleet> {
  const variables = { ...localEnvironments[name].variables }
  const env = Object.fromEntries(signerNames.map((service) => [service, variables]))
  return startTestFleet({
    services: ['auth', 'console', 'data', 'webhook-delivery'],
    env: { ...env, auth: { ...variables, SMTP_URL: mailbox.url } },
    outbound: { OUTBOUND_CA_FILE: testAuthority().file },
  })
}

/** Returns the status of a request to an environment with the credential, and of the same request to its own. */
async function statusOf(at: Name, credential: string): Promise<number> {
  return (await fleets[at].request('GET', '/v1/auth/me', { as: credential })).status
}

describe.each(directions)('a credential of %s', (own, other) => {
  it('is refused by the other environment: an access token', async () => {
    const token = await fleets[own].token(fleets[own].owner)
    expect([await statusOf(own, token), await statusOf(other, token)]).toEqual([200, 401])
  })

  it('is refused by the other environment: an API key', async () => {
    const { apiKey } = fleets[own].owner
    expect([await statusOf(own, apiKey), await statusOf(other, apiKey)]).toEqual([200, 401])
  })

  it('is refused by the other environment: a client secret', async () => {
    const { clientId, clientSecret } = fleets[own].owner
    const body = { client_id: clientId, client_secret: clientSecret }
    const exchange = async (at: Name) => (await fleets[at].request('POST', '/v1/auth/token', { body })).status
    expect([await exchange(own), await exchange(other)]).toEqual([200, 401])
  })

  it('is refused by the other environment: a refresh token', async () => {
    const { refresh_token } = await fleets[own].signIn(fleets[own].owner.ownerId)
    const refresh = async (at: Name) =>
      (await fleets[at].request('POST', '/v1/auth/token', { body: { refresh_token } })).body.error ?? 'accepted'
    expect([await refresh(other), await refresh(own)]).toEqual(['invalid_grant', 'accepted'])
  })

  it('is refused by the other environment: the cookie of the console', async () => {
    const cookie = await signInToConsole(own)
    expect([await isSignedIn(own, cookie), await isSignedIn(other, cookie)]).toEqual([true, false])
  })

  it('is refused by the other environment: the assertion of its edge, also in front of a service', async () => {
    const { owner } = fleets[own]
    const keys = keyFilePaths(fleets[own].env('gateway').ASSERTION_KEY_FILE?.replace(/\/[^/]*$/, '') ?? '')
    const signer = createSigner(await readSigningKey(keys.keyFile('gateway'), 'gateway'))
    const ask = async (at: Name) => {
      const { PORT, SHARD = '' } = fleets[at].env('data')
      const assertion = await signer.sign(createTestCaller(owner.workspaceId, SHARD), 'data')
      const headers = { [assertionHeader]: assertion }
      return (await fetch(`http://127.0.0.1:${PORT}/v1/data/sources`, { headers })).status
    }
    expect([await ask(own), await ask(other)]).toEqual([200, 401])
  })
})

describe('a webhook', () => {
  it('is signed with the secret of its environment: a receiver of the other refuses it', async () => {
    const secrets = { development: 'secret of development', sandbox: 'secret of the sandbox' }
    for (const name of names) {
      const as = fleets[name].owner.apiKey
      const body = { endpoint: receiver.url(`/${name}`), events: ['API_KEY_CREATED'], secret: secrets[name] }
      const made = await fleets[name].request('POST', '/v1/webhooks/webhooks', { as, body })
      await fleets[name].request('POST', `/v1/webhooks/webhooks/${made.body.data.webhook_id}/test`, { as })
    }
    for (const [own, other] of directions) {
      const { body, headers } = await eventually(
        () => receiver.received.find(({ path }) => path === `/${own}`) ?? false,
      )
      expect(verifyWebhook({ body, headers, secret: secrets[own] }).event).toBe('WEBHOOK_TEST')
      expect(() => verifyWebhook({ body, headers, secret: secrets[other] })).toThrow(WebhookVerificationError)
    }
  })
})

describe('the sandbox of npm start', () => {
  it('shares neither a port, a folder nor the cookies of a host with development', () => {
    const { development, sandbox } = localEnvironments
    const ports = Object.values(development.defaultPorts)
    expect(Object.values(sandbox.defaultPorts).filter((port) => ports.includes(port))).toEqual([])
    expect([sandbox.folder === development.folder, sandbox.host === development.host]).toEqual([false, false])
    expect(sandbox.cell).not.toEqual(development.cell)
  })

  it('names itself where people see it', async () => {
    const environmentOf = async (name: Name) => (await readSession(name, '')).environment
    expect([await environmentOf('development'), await environmentOf('sandbox')]).toEqual(names)
  })
})

const consoleHeaders = { 'x-console': '1', 'sec-fetch-site': 'same-origin' }

/** Signs the owner in to the console by the code of a mail. @returns the cookie */
async function signInToConsole(name: Name): Promise<string> {
  const known = new Set(mailbox.mails)
  const post = (path: string, body: unknown) =>
    fleets[name].request('POST', `/console/api/session${path}`, { headers: consoleHeaders, body })
  const { body } = await post('/login', { email: 'owner@example.com' })
  const mail = await mailbox.waitFor((candidate) => !known.has(candidate) && candidate.code !== null)
  const response = await post('/verify', { login_id: body.data.login_id, code: mail.code })
  const [cookie = ''] = response.headers.getSetCookie().filter((field) => field.startsWith('console='))
  return cookie.replace(/;.*/, '')
}

const isSignedIn = async (name: Name, cookie: string): Promise<boolean> =>
  (await readSession(name, cookie)).authenticated

async function readSession(name: Name, cookie: string): Promise<{ authenticated: boolean; environment: string }> {
  const headers = { ...consoleHeaders, cookie }
  return (await fleets[name].request('GET', '/console/api/session', { headers })).body.data
}
