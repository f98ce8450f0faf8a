import { describe, expect, it } from '@jest/globals'
import { type Identity, type PresentedCredential, problem, type Resolution } from '@wp/contracts'
import { createIdentityCache } from '../../../src/identify/cache/identity-cache.ts'
import { createInvalidations } from '../../../src/identify/cache/invalidations.ts'
import type { RequestCredential } from '../../../src/identify/credential.ts'
import type { AccessToken, TokenCheck } from '../../../src/identify/token/access-token.ts'

const workspace = 'ws_01h455vb4pex5vsknk084sn02q'
const key = (serial = '0'): RequestCredential => ({
  kind: 'apiKey',
  value: `key_test.TST.${workspace}.0e37df36-f698-41e6-8dd0-000000000${serial.padStart(3, '0')}`,
  digest: `digest-${serial}`,
})
const bearer = (value: string): RequestCredential => ({ kind: 'bearer', value, digest: `digest of ${value}` })

const identity = (more: Partial<Identity> = {}): Identity => ({
  principal: { id: 'akey_1', type: 'api_key' },
  credential_id: 'akey_1',
  credential_type: 'api_key',
  workspace_id: workspace,
  grants: [
    {
      workspace_id: workspace,
      shard: 'test',
      location: 'TST',
      scopes: ['data:read'],
      limits: { workspace_per_minute: 10 },
    },
  ],
  limits: { credential_per_minute: 10 },
  expires_at: null,
  tokens_valid_after: null,
  ...more,
})
const active = (more: Partial<Identity> = {}): Resolution => ({ status: 'active', identity: identity(more) })
const unavailable = () => problem('service_unavailable')

const token = (more: Partial<AccessToken> = {}): TokenCheck => ({
  status: 'valid',
  token: {
    principalId: 'sp_1',
    principalType: 'service_principal',
    tokenId: 't',
    sessionId: undefined,
    workspaceId: workspace,
    scopes: undefined,
    scope: undefined,
    resource: undefined,
    authTime: undefined,
    maxAuthAge: undefined,
    issuedAt: 1000,
    expiresAt: 4_600_000,
    key: 'k',
    ...more,
  },
})
const validToken = token()
const servicePrincipal = active({
  principal: { id: 'sp_1', type: 'service_principal' },
  credential_id: 'sp_1',
  credential_type: 'bearer',
})
const principalOrKey = (presented: PresentedCredential) => (presented.type === 'token' ? servicePrincipal : active())

/** Creates a cache with a clock, an auth and invalidations that the test controls. */
function createHarness(
  resolve: (query: PresentedCredential) => Resolution | Promise<Resolution>,
  tokens: Record<string, TokenCheck | 'no keys'> = {},
) {
  const queries: PresentedCredential[] = []
  const verified: string[] = []
  const state = { now: 1_000_000, clockOffset: 0, provenUntil: 0, resolve, isKeyWithdrawn: false }
  const invalidations = createInvalidations()
  const cache = createIdentityCache({
    tokens: {
      async verify(token) {
        verified.push(token)
        const check = tokens[token] ?? { status: 'invalid' }
        if (check === 'no keys') throw problem('bad_gateway')
        return check
      },
      isKeyPublished: () => !state.isKeyWithdrawn,
    },
    async resolve(query) {
      queries.push(query)
      return state.resolve(query)
    },
    invalidations,
    cacheMs: 10_000,
    staleMs: 60_000,
    provenCacheMs: 300_000,
    provenUntil: () => state.provenUntil,
    maxEntries: 100,
    now: () => state.now + state.clockOffset,
    uptime: () => state.now,
  })
  return { cache, invalidations, queries, verified, state }
}

describe('a resolved identity', () => {
  it('is cached for ten seconds', async () => {
    const { cache, queries, state } = createHarness(() => active())
    for (const after of [0, 5000, 4999]) {
      state.now += after
      await cache.find(key())
    }
    expect(queries).toHaveLength(1)
    state.now += 1
    await cache.find(key())
    expect(queries).toHaveLength(2)
  })

  it('is not cached beyond its expiry', async () => {
    const { cache, queries, state } = createHarness(() => active({ expires_at: new Date(1_003_000).toISOString() }))
    await cache.find(key())
    state.now = 1_003_000
    await cache.find(key())
    expect(queries).toHaveLength(2)
  })

  it('is looked up once when many requests wait for it', async () => {
    const { promise, resolve } = Promise.withResolvers<Resolution>()
    const { cache, queries } = createHarness(() => promise)
    const all = Promise.all(Array.from({ length: 50 }, () => cache.find(key())))
    resolve(active())
    expect(await all).toHaveLength(50)
    expect(queries).toHaveLength(1)
  })

  it('is looked up again after an invalidation of its credential, principal or workspace only', async () => {
    const { cache, invalidations, queries } = createHarness(() =>
      active({ credential_id: 'c', principal: { id: 'p', type: 'api_key' } }),
    )
    await cache.find(key())
    invalidations.add({ credential_id: 'other', principal_id: 'other', workspace_id: 'other' })
    await cache.find(key())
    expect(queries).toHaveLength(1)
    for (const [index, about] of [
      { credential_id: 'c' },
      { principal_id: 'p' },
      { workspace_id: workspace },
    ].entries()) {
      invalidations.add(about)
      await cache.find(key())
      expect(queries).toHaveLength(index + 2)
    }
    invalidations.flush()
    await cache.find(key())
    expect(queries).toHaveLength(5)
  })

  it('is not taken from a lookup that started before an invalidation when the request arrived after it', async () => {
    const first = Promise.withResolvers<Resolution>()
    const answers = [first.promise, Promise.resolve<Resolution>({ status: 'revoked' })]
    const { cache, invalidations, queries } = createHarness(() => answers.shift() ?? active())
    const before = cache.find(key())
    while (queries.length === 0) await Promise.resolve()
    invalidations.add({ credential_id: 'akey_1' })
    const after = cache.find(key())
    const others = [cache.find(key()), cache.find(key())]
    first.resolve(active())
    expect((await before).identity.credential_id).toBe('akey_1')
    for (const late of [after, ...others]) await expect(late).rejects.toMatchObject({ code: 'revoked_credential' })
    expect(queries).toHaveLength(2)
  })

  it('is not evicted by invalid credentials', async () => {
    const { cache, queries, verified } = createHarness(
      (presented) =>
        presented.type === 'api_key' && presented.hash !== 'digest-0'
          ? { status: 'unknown' }
          : principalOrKey(presented),
      { good: validToken },
    )
    await cache.find(key())
    await cache.find(bearer('good'))
    for (let serial = 1; serial < 500; serial += 1) {
      await expect(cache.find(key(String(serial)))).rejects.toMatchObject({ code: 'invalid_credential' })
      await expect(cache.find(bearer(`bad ${serial}`))).rejects.toMatchObject({ code: 'invalid_credential' })
    }
    queries.length = 0
    verified.length = 0
    await cache.find(key())
    await cache.find(bearer('good'))
    expect(queries).toEqual([])
    expect(verified).toEqual([])
  })

  it('is not used after a rejection, even while auth is unavailable', async () => {
    const { cache, state } = createHarness(() => active())
    await cache.find(key())
    state.now += 10_000
    state.resolve = () => ({ status: 'revoked' })
    await expect(cache.find(key())).rejects.toMatchObject({ code: 'revoked_credential' })
    state.now += 2000
    state.resolve = () => Promise.reject(unavailable())
    await expect(cache.find(key())).rejects.toMatchObject({ status: 503 })
  })

  it('is used once but not cached when an invalidation arrives during the lookup', async () => {
    const first = Promise.withResolvers<Resolution>()
    const answers = [first.promise, Promise.resolve<Resolution>({ status: 'revoked' })]
    const { cache, invalidations, queries } = createHarness(() => answers.shift() ?? active())
    const pending = cache.find(key())
    while (queries.length === 0) await Promise.resolve()
    invalidations.add({ credential_id: 'akey_1' })
    first.resolve(active())
    await pending
    await expect(cache.find(key())).rejects.toMatchObject({ code: 'revoked_credential' })
    expect(queries).toHaveLength(2)
  })
})

describe('a resolved identity that the change log proves to be current', () => {
  const minutesMs = 60_000

  it('is cached for five minutes', async () => {
    const { cache, queries, state } = createHarness(() => active())
    for (const minute of [0, 1, 2, 3, 4]) {
      state.now = 1_000_000 + minute * minutesMs
      state.provenUntil = state.now + 3_000
      await cache.find(key())
    }
    state.now = 1_000_000 + 5 * minutesMs - 1
    state.provenUntil = state.now + 3_000
    await cache.find(key())
    expect(queries).toHaveLength(1)
    state.now += 1
    await cache.find(key())
    expect(queries).toHaveLength(2)
  })

  it('is cached for ten seconds from its lookup once the proof ends', async () => {
    const { cache, queries, state } = createHarness(() => active())
    await cache.find(key('1'))
    state.now += minutesMs
    state.provenUntil = state.now + 3_000
    await cache.find(key('2'))
    state.now += 2_999
    await cache.find(key('1'))
    expect(queries).toHaveLength(2)
    state.now += 1
    await cache.find(key('1'))
    expect(queries).toHaveLength(3)
    state.now += 6_999
    await cache.find(key('2'))
    expect(queries).toHaveLength(3)
    state.now += 1
    await cache.find(key('2'))
    expect(queries).toHaveLength(4)
  })

  it('is used again without a lookup when the proof returns', async () => {
    const { cache, queries, state } = createHarness(() => active())
    await cache.find(key())
    state.now += minutesMs
    state.provenUntil = state.now + 3_000
    await cache.find(key())
    expect(queries).toHaveLength(1)
  })

  it('is used for a minute after the end of the proof while auth is unavailable', async () => {
    const { cache, state } = createHarness(() => active())
    await cache.find(key())
    state.now += minutesMs
    state.provenUntil = state.now + 3_000
    state.resolve = () => Promise.reject(unavailable())
    state.now += 62_999
    expect((await cache.find(key())).identity.credential_id).toBe('akey_1')
    state.now += 1
    await expect(cache.find(key())).rejects.toMatchObject({ status: 503 })
  })

  it('is not cached beyond its expiry', async () => {
    const { cache, queries, state } = createHarness(() => active({ expires_at: new Date(1_060_000).toISOString() }))
    await cache.find(key())
    state.now = 1_060_000
    state.provenUntil = state.now + 3_000
    await cache.find(key())
    expect(queries).toHaveLength(2)
  })

  it('does not live longer when the clock is set back', async () => {
    const { cache, queries, state } = createHarness(() => active())
    await cache.find(key())
    state.clockOffset = -3_600_000
    state.now += 10_000
    await cache.find(key())
    expect(queries).toHaveLength(2)
  })

  it.each(['heartbeat', 'flush'])('is not served from a lookup answered before a change: %s', async (cause) => {
    // the change is applied while the answer, read before it, is still on its way
    const answers = [Promise.withResolvers<Resolution>(), Promise.withResolvers<Resolution>()]
    const { cache, invalidations, queries, state } = createHarness(() => {
      const answer = answers[queries.length - 1]
      return answer?.promise ?? active()
    })
    state.provenUntil = state.now + 10 * minutesMs
    const early = cache.find(key())
    while (queries.length === 0) await Promise.resolve()
    if (cause === 'heartbeat') invalidations.add({ workspace_id: workspace })
    else invalidations.flush()
    answers[0]?.resolve(active())
    await early
    const late = cache.find(key())
    answers[1]?.resolve({ status: 'revoked' })
    await expect(late).rejects.toMatchObject({ code: 'revoked_credential' })
    expect(queries).toHaveLength(2)
  })
})

describe('while auth is unavailable', () => {
  it('uses stale identities for a minute', async () => {
    const { cache, state } = createHarness(() => active())
    await cache.find(key())
    state.resolve = () => Promise.reject(unavailable())
    state.now += 69_999
    expect((await cache.find(key())).identity.credential_id).toBe('akey_1')
    state.now += 1
    await expect(cache.find(key())).rejects.toMatchObject({ status: 503 })
  })

  it('rejects credentials that are unknown, invalidated or expired', async () => {
    const { cache, invalidations, state } = createHarness((query) =>
      active(
        query.type === 'api_key' && query.hash === 'digest-2' ? { expires_at: new Date(1_020_000).toISOString() } : {},
      ),
    )
    await cache.find(key('1'))
    await cache.find(key('2'))
    state.resolve = () => Promise.reject(unavailable())
    await expect(cache.find(key('3'))).rejects.toMatchObject({ status: 503 })
    state.now = 1_020_000
    await expect(cache.find(key('2'))).rejects.toMatchObject({ status: 503 })
    expect((await cache.find(key('1'))).identity.credential_id).toBe('akey_1')
    invalidations.add({ workspace_id: workspace })
    await expect(cache.find(key('1'))).rejects.toMatchObject({ status: 503 })
  })

  it('rejects a credential that is invalidated during a failed lookup', async () => {
    const { cache, invalidations, queries, state } = createHarness(() => active())
    await cache.find(key())
    state.now += 10_000
    const failing = Promise.withResolvers<Resolution>()
    state.resolve = () => failing.promise
    const pending = cache.find(key())
    while (queries.length < 2) await Promise.resolve()
    invalidations.add({ credential_id: 'akey_1' })
    failing.reject(unavailable())
    await expect(pending).rejects.toMatchObject({ status: 503 })
  })
})

describe('a rejection', () => {
  it.each(['unknown', 'expired', 'revoked'] as const)('is cached for a second: %s', async (status) => {
    const { cache, queries, state } = createHarness(() => ({ status }))
    await expect(cache.find(key())).rejects.toMatchObject({ status: 401 })
    state.now += 999
    await expect(cache.find(key())).rejects.toMatchObject({ status: 401 })
    expect(queries).toHaveLength(1)
    state.now += 1
    await expect(cache.find(key())).rejects.toMatchObject({ status: 401 })
    expect(queries).toHaveLength(2)
  })
})

describe('access tokens', () => {
  it('are trusted while their key is published', async () => {
    const checks: Record<string, TokenCheck> = { a: token() }
    const { cache, verified, state } = createHarness(() => servicePrincipal, checks)
    await cache.find(bearer('a'))
    state.now += 100_000
    await cache.find(bearer('a'))
    expect(verified).toEqual(['a'])
    state.isKeyWithdrawn = true
    checks.a = { status: 'invalid' }
    await expect(cache.find(bearer('a'))).rejects.toMatchObject({ code: 'invalid_credential' })
  })

  it('are answered with 503 and Retry-After when no signing keys are available', async () => {
    const { cache } = createHarness(() => servicePrincipal, { a: 'no keys' })
    await expect(cache.find(bearer('a'))).rejects.toMatchObject({
      code: 'service_unavailable',
      headers: { 'retry-after': '1' },
    })
  })

  it('of one principal share a lookup, and each is verified once', async () => {
    const { cache, queries, verified } = createHarness(() => servicePrincipal, {
      a: token(),
      b: token({ scopes: ['data:read'] }),
    })
    for (const value of ['a', 'b', 'a', 'b']) await cache.find(bearer(value))
    expect(queries).toEqual([{ type: 'token', principal_id: 'sp_1', principal_type: 'service_principal' }])
    expect(verified).toEqual(['a', 'b'])
    expect((await cache.find(bearer('b'))).tokenScopes).toEqual(['data:read'])
  })

  it('of two sessions of a user have separate lookups', async () => {
    const { cache, queries } = createHarness(() => active(), {
      a: token({ sessionId: 'ses_1' }),
      b: token({ sessionId: 'ses_2' }),
    })
    await cache.find(bearer('a'))
    await cache.find(bearer('b'))
    expect(queries).toHaveLength(2)
  })

  it('expire although their verification is cached', async () => {
    const { cache, state } = createHarness(() => servicePrincipal, { a: token({ expiresAt: 1_005_000 }) })
    await cache.find(bearer('a'))
    state.now = 1_005_000
    await expect(cache.find(bearer('a'))).rejects.toMatchObject({ code: expect.stringMatching(/expired|invalid/) })
  })

  it('are revoked when issued before the principal allows', async () => {
    const after = active({ tokens_valid_after: 1001 })
    const { cache } = createHarness(() => after, { old: token({ issuedAt: 1000 }), fresh: token({ issuedAt: 1001 }) })
    await expect(cache.find(bearer('old'))).rejects.toMatchObject({ code: 'revoked_credential' })
    expect((await cache.find(bearer('fresh'))).identity).toBeDefined()
  })
})

describe('invalidations', () => {
  const dependencies = identity({ credential_id: 'c', principal: { id: 'p', type: 'api_key' } })

  it('invalidate everything when they name nothing', () => {
    const invalidations = createInvalidations()
    const sequence = invalidations.sequence()
    invalidations.add({})
    expect(invalidations.isCurrentSince(sequence, dependencies)).toBe(false)
  })

  it('stay in effect however many follow', () => {
    const invalidations = createInvalidations()
    const sequence = invalidations.sequence()
    invalidations.add({ credential_id: 'c' })
    for (let count = 0; count < 150_000; count += 1) invalidations.add({ credential_id: `other-${count}` })
    expect(invalidations.isCurrentSince(sequence, dependencies)).toBe(false)
    expect(invalidations.isCurrentSince(invalidations.sequence(), dependencies)).toBe(true)
  })
})

describe('a single revoked token', () => {
  const tokens = { one: token({ tokenId: 'one' }), two: token({ tokenId: 'two' }) }
  const revoking = (...revoked_token_ids: string[]): Resolution =>
    active({
      principal: { id: 'sp_1', type: 'service_principal' },
      credential_id: 'sp_1',
      credential_type: 'bearer',
      revoked_token_ids,
    })

  it('is rejected, while other tokens of its principal are accepted', async () => {
    const { cache, queries } = createHarness(() => revoking('one'), tokens)
    await expect(cache.find(bearer('one'))).rejects.toMatchObject({ code: 'revoked_credential' })
    expect((await cache.find(bearer('two'))).tokenId).toBe('two')
    expect(queries).toHaveLength(1)
  })

  it('is rejected after the invalidation arrives', async () => {
    const { cache, invalidations, state } = createHarness(() => servicePrincipal, tokens)
    await cache.find(bearer('one'))
    state.resolve = () => revoking('one')
    await cache.find(bearer('one'))
    invalidations.add({ principal_id: 'sp_1' })
    await expect(cache.find(bearer('one'))).rejects.toMatchObject({ code: 'revoked_credential' })
  })
})

describe('refetch', () => {
  it('asks auth although the cached identity is fresh, at most once a second', async () => {
    const { cache, queries, state } = createHarness(() => active())
    await cache.find(key())
    await cache.refetch(key())
    expect(queries).toHaveLength(2)
    await cache.refetch(key())
    await cache.find(key())
    expect(queries).toHaveLength(2)
    state.now += 1000
    await cache.refetch(key())
    expect(queries).toHaveLength(3)
  })

  it('uses the cached identity while auth is unavailable', async () => {
    const { cache, state } = createHarness(() => active())
    await cache.find(key())
    state.now += 1000
    state.resolve = () => Promise.reject(unavailable())
    expect((await cache.refetch(key())).identity.credential_id).toBe('akey_1')
  })
})
