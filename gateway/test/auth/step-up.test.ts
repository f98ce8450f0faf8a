import { afterAll, describe, expect, it } from '@jest/globals'
import { authUsers, type EndpointDefinition, publicEndpoints, requiresStepUp } from '@wp/contracts'
import { createLogger } from '@wp/service'
import { startMailbox, startTestFleet } from '@wp/testkit'
import pg from 'pg'
import { createAuthorizer } from '../../src/authorize.ts'
import { config as schema } from '../../src/config.ts'
import { createContext } from '../../src/context.ts'

const mailbox = await startMailbox()
const fleet = await startTestFleet({ services: ['auth', 'system'], env: { auth: { SMTP_URL: mailbox.url } } })
const context = await createContext(schema.parse(fleet.env('gateway')), createLogger('gateway', 'silent'), false)
const pool = new pg.Pool({ connectionString: fleet.databases.get('auth')?.workerUrl, max: 2 })
afterAll(async () => {
  await pool.end()
  await context.close()
  await fleet.stop()
  await mailbox.close()
})

const email = 'owner@example.com'

/** Requests a code and returns it with the id of its login. */
async function requestCode(path: string, options: { as?: string; body?: unknown }) {
  mailbox.clear()
  const { body } = await fleet.request('POST', path, options)
  const { code } = await mailbox.waitFor((mail) => mail.to === email && mail.code !== null)
  return { login_id: body.data.login_id, code }
}

/** Signs the owner in by mail. */
async function signIn(more: Record<string, unknown>) {
  const proof = await requestCode('/v1/auth/login', { body: { email } })
  return (await fleet.request('POST', '/v1/auth/verify', { body: { ...proof, ...more } })).body.data
}

async function refresh(refreshToken: string, more: Record<string, unknown> = {}) {
  const body = { refresh_token: refreshToken, ...more }
  return (await fleet.request('POST', '/v1/auth/token', { body })).body.data
}

/** Moves the last authentication of all sessions back in time. */
const age = (seconds: number) =>
  pool.query('UPDATE sessions SET authenticated_at = authenticated_at - make_interval(secs => $1)', [seconds])

let serial = 0
const createRole = (as: string) => {
  serial += 1
  const body = { name: `role ${serial}`, scopes: ['data:read'] }
  return fleet.request('POST', '/v1/auth/admin/roles', { as, body })
}

/** Authorizes a request at a time. Returns `admitted`, or the code of the error. */
async function authorizeAt(
  token: string,
  now: number,
  definition: EndpointDefinition = authUsers.createRole,
): Promise<string> {
  const authorization = {
    endpoint: { definition, service: 'auth' as const },
    request: { headers: { authorization: `Bearer ${token}` } },
    response: { setHeader: () => undefined, once: () => undefined },
    requestId: 'req-of-this-one',
    clientAddress: '203.0.113.9',
    onIdentified: () => undefined,
  }
  try {
    await createAuthorizer({ ...context, now: () => now })(
      // only these parts of the request and response are used
      authorization as unknown as Parameters<ReturnType<typeof createAuthorizer>>[0],
    )
    return 'admitted'
  } catch (error) {
    return String(Object(error).code)
  }
}

const authTimeMs = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).auth_time * 1000

describe('an endpoint that requires a recent authentication', () => {
  it('admits a session with step-up authentication for ten minutes, and is every one that the contracts name', async () => {
    const { access_token: token } = await signIn({ step_up: true })
    const signedInAt = authTimeMs(token)
    expect(await authorizeAt(token, signedInAt)).toBe('admitted')
    expect(await authorizeAt(token, signedInAt + 600_000)).toBe('admitted')
    expect(await authorizeAt(token, signedInAt + 601_000)).toBe('reauthentication_required')
    const definitions = publicEndpoints
      .map(({ definition }) => definition)
      .filter(({ credentials }) => credentials !== 'none')
    expect(definitions.length).toBeGreaterThan(150)
    for (const definition of definitions) {
      const outcome = await authorizeAt(token, signedInAt + 601_000, definition)
      expect([definition.id, outcome]).toEqual([
        definition.id,
        requiresStepUp(definition) ? 'reauthentication_required' : 'admitted',
      ])
    }
  })

  it('admits it again with the token of a re-authentication, and not with earlier ones', async () => {
    const session = await signIn({ step_up: true })
    expect((await createRole(session.access_token)).status).toBe(201)
    await age(601)
    const { access_token: stale } = await refresh(session.refresh_token)
    const refused = await createRole(stale)
    expect(refused).toMatchObject({
      status: 401,
      body: {
        success: false,
        code: 'reauthentication_required',
        detail: 'The last authentication was more than 600 seconds ago; re-authenticate and use the new token',
        max_age: 600,
      },
    })
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", max_age="600"',
    )
    expect((await fleet.request('GET', '/v1/auth/admin/roles', { as: stale })).status).toBe(200)
    const proof = await requestCode('/v1/auth/reauthentication', { as: stale })
    const renewed = await fleet.request('POST', '/v1/auth/reauthentication/verify', { as: stale, body: proof })
    expect(renewed.status).toBe(200)
    expect((await createRole(renewed.body.data.access_token)).status).toBe(201)
    expect((await createRole(stale)).body.code).toBe('reauthentication_required')
  })

  it('asks only callers whom everything else permits', async () => {
    const { ownerId } = fleet.owner
    const setRole = (role: string) =>
      pool.query('UPDATE memberships SET built_in_role = $2 WHERE user_id = $1', [ownerId, role])
    await setRole('viewer')
    const { access_token: token } = await signIn({ step_up: true })
    expect(await authorizeAt(token, authTimeMs(token) + 601_000)).toBe('missing_scope')
    await setRole('owner')
  })

  it('asks restricted tokens of the session too', async () => {
    const session = await signIn({ step_up: true })
    await age(86_400)
    const restricted = await refresh(session.refresh_token, { workspace_id: fleet.owner.workspaceId })
    const response = await createRole(restricted.access_token)
    expect([response.status, response.body.code]).toEqual([401, 'reauthentication_required'])
  })

  it('does not ask other sessions, service principals and API keys', async () => {
    const plain = await signIn({})
    await age(86_400)
    const token = (await refresh(plain.refresh_token)).access_token
    for (const credential of [token, await fleet.token(fleet.owner), fleet.owner.apiKey])
      expect((await createRole(credential)).status).toBe(201)
  })
})
