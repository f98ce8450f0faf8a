import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { builtInRoles } from '@wp/contracts'
import { eventually } from '@wp/testkit'
import { decodeJwt } from 'jose'
import { createDerivedKeys } from '../../src/secrets/derived-keys.ts'
import { hashSecret } from '../../src/secrets/secret.ts'
import { rotateRefreshToken } from '../../src/sessions/rotate-refresh-token.ts'
import { startTestAuth, type TestAuth } from '../fixture/auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startTestAuth()
})
afterAll(() => auth.stop())

const refresh = (refresh_token: string, more: Record<string, unknown> = {}) => auth.token({ refresh_token, ...more })
const refreshForm = (refresh_token: string, more: Record<string, string> = {}, headers?: Record<string, string>) =>
  auth.token(new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...more }), headers)

const signIn = () => auth.signIn(auth.seeded.owner_user_id)
const tokensOf = (sessionId: string) =>
  auth.rows<{ hash: string; used_at: Date | null }>(
    'SELECT hash, used_at FROM refresh_tokens WHERE session_id = $1 ORDER BY created_at, used_at',
    [sessionId],
  )
const sessionRow = async (sessionId: string) => {
  const [row] = await auth.rows<{ ended_at: Date | null; ended_because: string | null }>(
    'SELECT ended_at, ended_because FROM sessions WHERE session_id = $1',
    [sessionId],
  )
  return row
}
/** Lets so many seconds pass since a token was used. */
const age = (token: string, seconds: number) =>
  auth.rows('UPDATE refresh_tokens SET used_at = used_at - make_interval(secs => $2) WHERE hash = $1', [
    hashSecret(token),
    seconds,
  ])
const refused = { status: 400, body: { error: 'invalid_grant', code: 'invalid_grant' } }

describe('form B', () => {
  it('gives the next tokens in the envelope', async () => {
    const { refreshToken, session } = await signIn()
    const before = Date.now()
    const { status, headers, body } = await refresh(refreshToken)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      success: true,
      data: {
        user: { user_id: auth.seeded.owner_user_id, email: 'owner@example.test' },
        access_token: expect.any(String),
        refresh_token: expect.stringMatching(/^wprt_[A-Za-z0-9_-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_expires_at: expect.any(String),
      },
    })
    expect(body.data.refresh_token).not.toBe(refreshToken)
    const days = (Date.parse(body.data.refresh_expires_at) - before) / 86_400_000
    expect(days).toBeGreaterThan(29.99)
    expect(days).toBeLessThan(30.01)
    const claims = decodeJwt(body.data.access_token)
    expect(claims).toMatchObject({ sid: session.sessionId, client_id: 'console', principal_type: 'user' })
    expect([claims.workspace_id, claims.scope]).toEqual([undefined, undefined])
  })

  it('gives them at top level as well where it is asked form-encoded', async () => {
    const { refreshToken } = await signIn()
    const { status, body } = await refreshForm(refreshToken, { client_id: 'console' })
    expect(status).toBe(200)
    const { user: _user, refresh_expires_at: _end, ...standard } = body.data
    expect(body).toEqual({ success: true, data: body.data, ...standard })
    expect(Object.keys(standard).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type'])
  })

  it('keeps no refresh token, only what it hashes to', async () => {
    const { refreshToken, session } = await signIn()
    const { body } = await refresh(refreshToken)
    const kept = JSON.stringify(
      await auth.rows('SELECT * FROM refresh_tokens WHERE session_id = $1', [session.sessionId]),
    )
    for (const token of [refreshToken, body.data.refresh_token]) {
      expect(kept).toContain(hashSecret(token))
      expect(kept).not.toContain(token.slice(5))
    }
  })

  it.each([
    ['nothing', {}],
    ['its id', { client_id: 'console' }],
    ['an empty secret', { client_id: 'console', client_secret: '' }],
  ])('takes from the public client %s', async (_, client) => {
    const { refreshToken } = await signIn()
    expect((await refresh(refreshToken, client)).status).toBe(200)
  })

  it('takes no other client, and no secret of the public one', async () => {
    const { refreshToken } = await signIn()
    const { client_id, client_secret } = auth.seeded
    for (const client of [
      { client_id, client_secret },
      { client_id: 'other' },
      { client_id: 'console', client_secret: 'x' },
    ])
      expect(await refresh(refreshToken, client)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    const basic = { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` }
    expect(await refreshForm(refreshToken, {}, basic)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect((await refresh(refreshToken)).status).toBe(200)
  })

  it.each(['x', 'wprt_', `wprt_${'A'.repeat(43)}`, `wprt_${'A'.repeat(900)}`])('refuses %s', async (token) => {
    expect(await refresh(token)).toMatchObject(refused)
  })

  it('says that a refresh token is missing', async () => {
    const { status, body } = await auth.token({ grant_type: 'refresh_token' })
    expect([status, body.error, body.errors[0].pointer]).toEqual([400, 'invalid_request', '/refresh_token'])
  })

  it('ends a session after 90 days, however much it is used, and its tokens with it', async () => {
    const { refreshToken, session } = await signIn()
    const left = async (seconds: number) =>
      auth.rows('UPDATE sessions SET expires_at = now() + make_interval(secs => $2) WHERE session_id = $1', [
        session.sessionId,
        seconds,
      ])
    expect((session.expiresAt.getTime() - Date.now()) / 86_400_000).toBeCloseTo(90, 2)
    await left(600)
    const { body } = await refresh(refreshToken)
    expect(body.data.expires_in).toBeGreaterThan(590)
    expect(body.data.expires_in).toBeLessThanOrEqual(600)
    const { iat = 0, exp = 0 } = decodeJwt(body.data.access_token)
    expect(exp - iat).toBe(body.data.expires_in)
    expect(Date.parse(body.data.refresh_expires_at)).toBeLessThanOrEqual(Date.now() + 600_500)
    await left(0)
    expect(await refresh(body.data.refresh_token)).toMatchObject(refused)
  })

  it('refuses a token that was not used for 30 days, and one of a disabled user', async () => {
    const idle = await signIn()
    await auth.rows('UPDATE refresh_tokens SET expires_at = now() WHERE session_id = $1', [idle.session.sessionId])
    expect(await refresh(idle.refreshToken)).toMatchObject(refused)
    const { userId } = await auth.workspace()
    const { refreshToken } = await auth.signIn(userId)
    await auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [userId])
    expect(await refresh(refreshToken)).toMatchObject(refused)
    await expect(auth.signIn(userId)).rejects.toMatchObject({ code: 'invalid_login' })
  })
})

describe('a narrowed access token', () => {
  it('embeds a workspace of the user', async () => {
    const { refreshToken } = await signIn()
    const { workspace_id } = auth.seeded
    const { body } = await refresh(refreshToken, { workspace_id })
    const claims = decodeJwt(body.data.access_token)
    expect(claims).toMatchObject({ workspace_id, shard: auth.context.shard, location: 'TST' })
    expect(claims.scope).toBeUndefined()
  })

  it('embeds no workspace of others, and the refusal costs no refresh token', async () => {
    const { refreshToken, session } = await signIn()
    const other = await auth.workspace()
    for (const workspace_id of [other.workspaceId, 'nowhere']) {
      const { status, body } = await refresh(refreshToken, { workspace_id })
      expect([status, body.error, body.errors[0].pointer]).toEqual([400, 'invalid_request', '/workspace_id'])
    }
    expect(await tokensOf(session.sessionId)).toEqual([{ hash: hashSecret(refreshToken), used_at: null }])
  })

  it('carries what is asked of what the role in the workspace has', async () => {
    const { userId } = await auth.workspace()
    await auth.rows(`INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'viewer')`, [
      auth.seeded.workspace_id,
      userId,
    ])
    const { refreshToken } = await auth.signIn(userId)
    const asked = { workspace_id: auth.seeded.workspace_id, scope: 'data:read data:write' }
    const first = await refresh(refreshToken, asked)
    expect(first.body.data.scope).toBe('data:read')
    expect(decodeJwt(first.body.data.access_token)).toMatchObject({ scope: 'data:read' })
    const next = first.body.data.refresh_token
    for (const scope of ['data:write', 'data:everything', 'data:read data:everything']) {
      const { status, body } = await refresh(next, { ...asked, scope })
      expect([status, body.error]).toEqual([400, 'invalid_scope'])
    }
    // owner of the other workspace: somewhere, the scope is theirs
    const wide = await refreshForm(next, { scope: 'data:write' })
    expect([wide.body.scope, wide.body.data.scope]).toEqual(['data:write', 'data:write'])
    expect(builtInRoles.viewer).not.toContain('data:write')
  })

  it('is good for the resource that was named', async () => {
    const { refreshToken } = await signIn()
    const resource = `${auth.context.publicBaseUrl}/api/v1/mcp/mcp`
    const { body } = await refresh(refreshToken, { resource })
    expect(decodeJwt(body.data.access_token).aud).toEqual([resource])
    const other = await refresh(body.data.refresh_token, { resource: 'https://example.test' })
    expect([other.status, other.body.error]).toEqual([400, 'invalid_target'])
  })
})

describe('a refresh token that comes again', () => {
  it('gets the same successor within ten seconds, with a fresh access token', async () => {
    const { refreshToken, session } = await signIn()
    const first = await refresh(refreshToken)
    await age(refreshToken, 9)
    const again = await refresh(refreshToken)
    expect(again.status).toBe(200)
    expect(again.body.data.refresh_token).toBe(first.body.data.refresh_token)
    expect(again.body.data.refresh_expires_at).toBe(first.body.data.refresh_expires_at)
    expect(again.body.data.access_token).not.toBe(first.body.data.access_token)
    expect(await tokensOf(session.sessionId)).toHaveLength(2)
    expect((await refresh(first.body.data.refresh_token)).status).toBe(200)
  })

  it('of 50 at once makes one successor', async () => {
    const { refreshToken, session } = await signIn()
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken)))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(new Set(answers.map(({ body }) => body.data.refresh_token)).size).toBe(1)
    expect(await tokensOf(session.sessionId)).toHaveLength(2)
  })

  it('ends the session after ten seconds: every token of it is refused, and it is told', async () => {
    const { refreshToken, session } = await signIn()
    const heard: unknown[] = []
    auth.context.bus.subscribe('invalidate.identities', (data) => heard.push(data))
    const first = await refresh(refreshToken)
    await age(refreshToken, 11)
    expect(await refresh(refreshToken)).toMatchObject(refused)
    expect(await sessionRow(session.sessionId)).toEqual({ ended_at: expect.any(Date), ended_because: 'reuse' })
    expect(await refresh(first.body.data.refresh_token)).toMatchObject(refused)
    const shown = { type: 'token', principal_type: 'user', principal_id: session.userId } as const
    expect(await auth.resolve({ ...shown, session_id: session.sessionId })).toEqual({ status: 'revoked' })
    await eventually(() => heard.some((one) => JSON.stringify(one).includes(session.sessionId)))
    const [audited, ...more] = await auth.rows<{ data: Record<string, unknown> }>(
      `SELECT data FROM platform.outbox WHERE data->>'action' = 'session.reuse_detected' AND data::text LIKE $1`,
      [`%${session.sessionId}%`],
    )
    expect(more).toEqual([])
    expect(audited?.data).toMatchObject({
      outcome: 'denied',
      targets: [
        { type: 'session', id: session.sessionId },
        { type: 'user', id: session.userId },
      ],
    })
  })

  it('ends the session once, of 20 that come too late at once', async () => {
    const { refreshToken, session } = await signIn()
    await refresh(refreshToken)
    await age(refreshToken, 11)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(400))
    const audited = await auth.rows(`SELECT FROM platform.outbox WHERE data::text LIKE $1`, [`%${session.sessionId}%`])
    expect(audited).toHaveLength(1)
  })

  it('leaves other sessions of the user alone', async () => {
    const [stolen, other] = [await signIn(), await signIn()]
    await refresh(stolen.refreshToken)
    await age(stolen.refreshToken, 3600)
    await refresh(stolen.refreshToken)
    expect((await refresh(other.refreshToken)).status).toBe(200)
  })

  it('gets the same successor also when the key it was derived with has been replaced since', async () => {
    const { refreshToken } = await signIn()
    const { body } = await refresh(refreshToken)
    const rotated = randomBytes(32).toString('base64')
    const caller = { ...auth.owner, requestId: 'test-rotated' }
    const spend = (serverKeys: ReturnType<typeof createDerivedKeys>) =>
      rotateRefreshToken({ ...auth.context, derivedKeys: serverKeys }, caller, refreshToken)
    const spent = await spend(createDerivedKeys(rotated, auth.service.env.KEK))
    expect(spent?.successor).toBe(body.data.refresh_token)
    // with the old key gone nobody can say which it was; that is no reason to end the session
    expect(await spend(createDerivedKeys(rotated))).toBeUndefined()
    expect((await refresh(body.data.refresh_token)).status).toBe(200)
  })
})

it('derives keys that are neither the key-encryption key nor each other', () => {
  const kek = randomBytes(32).toString('base64')
  const keys = createDerivedKeys(kek)
  expect(keys.mac('a', 'x')).not.toBe(keys.mac('b', 'x'))
  expect(keys.mac('a', 'x')).toBe(createDerivedKeys(kek).mac('a', 'x'))
  expect(createDerivedKeys(randomBytes(32).toString('base64'), kek).macsUnderAllKeys('a', 'x')[1]).toBe(
    keys.mac('a', 'x'),
  )
})
