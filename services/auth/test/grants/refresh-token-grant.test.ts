import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from '@jest/globals'
import { builtInRoles } from '@wp/contracts'
import { eventually } from '@wp/testkit'
import { decodeJwt } from 'jose'
import { rotateRefreshToken } from '../../src/grants/refresh-token-grant.ts'
import { createDerivedKeys } from '../../src/secrets/derived-keys.ts'
import { hashSecret } from '../../src/secrets/secret.ts'
import { recordInvalidations, startTestAuth } from '../fixture/auth.ts'
import { expectExpiry } from '../fixture/expiry.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const refresh = (refresh_token: string, more: Record<string, unknown> = {}) => auth.token({ refresh_token, ...more })
const refreshForm = (refresh_token: string, more: Record<string, string> = {}, headers?: Record<string, string>) =>
  auth.token(new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...more }), headers)

const signIn = () => auth.signIn(auth.seeded.owner_user_id)
const tokensOf = (sessionId: string) =>
  auth.rows<{ hash: string; usedAt: Date | null }>(
    'SELECT hash, used_at FROM refresh_tokens WHERE session_id = $1 ORDER BY created_at, used_at',
    [sessionId],
  )
const sessionRow = async (sessionId: string) => {
  const [row] = await auth.rows<{ endedAt: Date | null; endReason: string | null }>(
    'SELECT ended_at, end_reason FROM sessions WHERE session_id = $1',
    [sessionId],
  )
  return row
}
/** Moves the use of a token back in time. */
const age = (token: string, seconds: number) =>
  auth.rows('UPDATE refresh_tokens SET used_at = used_at - make_interval(secs => $2) WHERE hash = $1', [
    hashSecret(token),
    seconds,
  ])
const rejected = { status: 400, body: { error: 'invalid_grant', code: 'invalid_grant' } }

describe('the refresh token grant', () => {
  it('returns the next tokens in the response envelope', async () => {
    const { refreshToken, session } = await signIn()
    const { status, headers, body } = await expectExpiry(
      () => refresh(refreshToken),
      ({ body }) => body.data.refresh_expires_at,
      30 * 86_400_000,
    )
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

    const claims = decodeJwt(body.data.access_token)
    expect(claims).toMatchObject({ sid: session.sessionId, client_id: 'console', principal_type: 'user' })
    expect([claims.workspace_id, claims.scope]).toEqual([undefined, undefined])
  })

  it('also returns them at top level for a form-encoded request', async () => {
    const { refreshToken } = await signIn()
    const { status, body } = await refreshForm(refreshToken, { client_id: 'console' })
    expect(status).toBe(200)
    const { user: _user, refresh_expires_at: _end, ...standard } = body.data
    expect(body).toEqual({ success: true, data: body.data, ...standard })
    expect(Object.keys(standard).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type'])
  })

  it('stores only the hashes of refresh tokens', async () => {
    const { refreshToken, session } = await signIn()
    const { body } = await refresh(refreshToken)
    const stored = JSON.stringify(
      await auth.rows('SELECT * FROM refresh_tokens WHERE session_id = $1', [session.sessionId]),
    )
    for (const token of [refreshToken, body.data.refresh_token]) {
      expect(stored).toContain(hashSecret(token))
      expect(stored).not.toContain(token.slice(5))
    }
  })

  it.each([
    ['nothing', {}],
    ['its id', { client_id: 'console' }],
    ['an empty secret', { client_id: 'console', client_secret: '' }],
  ])('accepts the public client with %s', async (_, client) => {
    const { refreshToken } = await signIn()
    expect((await refresh(refreshToken, client)).status).toBe(200)
  })

  it('rejects other clients and a secret for the public client', async () => {
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

  it.each(['x', 'wprt_', `wprt_${'A'.repeat(43)}`, `wprt_${'A'.repeat(900)}`])(
    'rejects the token %s',
    async (token) => {
      expect(await refresh(token)).toMatchObject(rejected)
    },
  )

  it('names a missing refresh token', async () => {
    const { status, body } = await auth.token({ grant_type: 'refresh_token' })
    expect([status, body.error, body.errors[0].pointer]).toEqual([400, 'invalid_request', '/refresh_token'])
  })

  it('ends a session and its tokens after 90 days regardless of use', async () => {
    const { refreshToken, session } = await expectExpiry(signIn, ({ session }) => session.expiresAt, 90 * 86_400_000)
    const setRemaining = async (seconds: number) => {
      const [row] = await auth.rows<{ expiresAt: Date }>(
        `UPDATE sessions SET expires_at = date_trunc('milliseconds', now()) + make_interval(secs => $2)
         WHERE session_id = $1 RETURNING expires_at`,
        [session.sessionId, seconds],
      )
      return row?.expiresAt.toISOString() ?? ''
    }
    const sessionExpiresAt = await setRemaining(600)
    const { body } = await refresh(refreshToken)
    const { iat = 0, exp = 0 } = decodeJwt(body.data.access_token)
    expect(exp - iat).toBe(body.data.expires_in)
    // Issue time and lifetime have whole seconds, so the token expires within two seconds before the session.
    const marginSeconds = Date.parse(sessionExpiresAt) / 1000 - exp
    expect(marginSeconds).toBeGreaterThan(-1)
    expect(marginSeconds).toBeLessThan(2)
    expect(body.data.refresh_expires_at).toBe(sessionExpiresAt)
    await setRemaining(0)
    expect(await refresh(body.data.refresh_token)).toMatchObject(rejected)
  })

  it('rejects a token that was unused for 30 days and tokens of a disabled user', async () => {
    const idle = await signIn()
    await auth.rows('UPDATE refresh_tokens SET expires_at = now() WHERE session_id = $1', [idle.session.sessionId])
    expect(await refresh(idle.refreshToken)).toMatchObject(rejected)
    const { userId } = await auth.workspace()
    const { refreshToken } = await auth.signIn(userId)
    await auth.rows('UPDATE users SET disabled_at = now() WHERE user_id = $1', [userId])
    expect(await refresh(refreshToken)).toMatchObject(rejected)
    await expect(auth.signIn(userId)).rejects.toMatchObject({ code: 'invalid_login' })
  })
})

describe('a downscoped access token', () => {
  it('contains the requested workspace', async () => {
    const { refreshToken } = await signIn()
    const { workspace_id } = auth.seeded
    const { body } = await refresh(refreshToken, { workspace_id })
    const claims = decodeJwt(body.data.access_token)
    expect(claims).toMatchObject({ workspace_id, shard: auth.context.shard, location: 'TST' })
    expect(claims.scope).toBeUndefined()
  })

  it('is rejected for a workspace without membership, and the refresh token stays valid', async () => {
    const { refreshToken, session } = await signIn()
    const other = await auth.workspace()
    for (const workspace_id of [other.workspaceId, 'nowhere']) {
      const { status, body } = await refresh(refreshToken, { workspace_id })
      expect([status, body.error, body.errors[0].pointer]).toEqual([400, 'invalid_request', '/workspace_id'])
    }
    expect(await tokensOf(session.sessionId)).toEqual([{ hash: hashSecret(refreshToken), usedAt: null }])
  })

  it('contains the requested scopes that the role has', async () => {
    const { userId } = await auth.workspace()
    await auth.rows(`INSERT INTO memberships (workspace_id, user_id, built_in_role) VALUES ($1, $2, 'viewer')`, [
      auth.seeded.workspace_id,
      userId,
    ])
    const { refreshToken } = await auth.signIn(userId)
    const restriction = { workspace_id: auth.seeded.workspace_id, scope: 'data:read data:write' }
    const first = await refresh(refreshToken, restriction)
    expect(first.body.data.scope).toBe('data:read')
    expect(decodeJwt(first.body.data.access_token)).toMatchObject({ scope: 'data:read' })
    const next = first.body.data.refresh_token
    for (const scope of ['data:write', 'data:everything', 'data:read data:everything']) {
      const { status, body } = await refresh(next, { ...restriction, scope })
      expect([status, body.error]).toEqual([400, 'invalid_scope'])
    }
    // Without a workspace, scopes of any membership count: the user owns another workspace.
    const wide = await refreshForm(next, { scope: 'data:write' })
    expect([wide.body.scope, wide.body.data.scope]).toEqual(['data:write', 'data:write'])
    expect(builtInRoles.viewer).not.toContain('data:write')
  })

  it('has the requested resource as audience', async () => {
    const { refreshToken } = await signIn()
    const resource = `${auth.context.publicBaseUrl}/api/v1/mcp/mcp`
    const { body } = await refresh(refreshToken, { resource })
    expect(decodeJwt(body.data.access_token).aud).toEqual([resource])
    const other = await refresh(body.data.refresh_token, { resource: 'https://example.test' })
    expect([other.status, other.body.error]).toEqual([400, 'invalid_target'])
  })
})

describe('a replayed refresh token', () => {
  it('returns the same successor and a new access token within 10 seconds', async () => {
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

  it('creates one successor when 50 requests are concurrent', async () => {
    const { refreshToken, session } = await signIn()
    const responses = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken)))
    expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(new Set(responses.map(({ body }) => body.data.refresh_token)).size).toBe(1)
    expect(await tokensOf(session.sessionId)).toHaveLength(2)
  })

  it('ends the session after 10 seconds, with an audit event and an invalidation', async () => {
    const { refreshToken, session } = await signIn()
    const invalidations = await recordInvalidations(auth)
    const first = await refresh(refreshToken)
    await age(refreshToken, 11)
    expect(await refresh(refreshToken)).toMatchObject(rejected)
    expect(await sessionRow(session.sessionId)).toEqual({ endedAt: expect.any(Date), endReason: 'reuse' })
    expect(await refresh(first.body.data.refresh_token)).toMatchObject(rejected)
    const presented = { type: 'token', principal_type: 'user', principal_id: session.userId } as const
    expect(await auth.resolve({ ...presented, session_id: session.sessionId })).toEqual({ status: 'revoked' })
    await eventually(() => invalidations.some((text) => text.includes(session.sessionId)))
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

  it('ends the session once when 20 late replays are concurrent', async () => {
    const { refreshToken, session } = await signIn()
    await refresh(refreshToken)
    await age(refreshToken, 11)
    const responses = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(400))
    const audited = await auth.rows(`SELECT FROM platform.outbox WHERE data::text LIKE $1`, [`%${session.sessionId}%`])
    expect(audited).toHaveLength(1)
  })

  it('does not affect other sessions of the user', async () => {
    const [stolen, other] = [await signIn(), await signIn()]
    await refresh(stolen.refreshToken)
    await age(stolen.refreshToken, 3600)
    await refresh(stolen.refreshToken)
    expect((await refresh(other.refreshToken)).status).toBe(200)
  })

  it('returns the same successor when the KEK was rotated since', async () => {
    const { refreshToken } = await signIn()
    const { body } = await refresh(refreshToken)
    const rotated = randomBytes(32).toString('base64')
    const caller = { ...auth.owner, requestId: 'test-rotated' }
    const spend = (serverKeys: ReturnType<typeof createDerivedKeys>) =>
      rotateRefreshToken({ ...auth.context, derivedKeys: serverKeys }, caller, refreshToken)
    const spent = await spend(createDerivedKeys(rotated, auth.service.env.KEK))
    expect(spent?.successor).toBe(body.data.refresh_token)
    // Without the old key the successor cannot be derived, which does not end the session.
    expect(await spend(createDerivedKeys(rotated))).toBeUndefined()
    expect((await refresh(body.data.refresh_token)).status).toBe(200)
  })
})

it('derived keys differ by purpose and stay the same after a KEK rotation', () => {
  const kek = randomBytes(32).toString('base64')
  const keys = createDerivedKeys(kek)
  expect(keys.mac('a', 'x')).not.toBe(keys.mac('b', 'x'))
  expect(keys.mac('a', 'x')).toBe(createDerivedKeys(kek).mac('a', 'x'))
  expect(createDerivedKeys(randomBytes(32).toString('base64'), kek).macsUnderAllKeys('a', 'x')[1]).toBe(
    keys.mac('a', 'x'),
  )
})
