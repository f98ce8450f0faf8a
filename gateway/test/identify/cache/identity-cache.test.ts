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
const away = () => problem('service_unavailable')

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
    issuedAt: 1000,
    expiresAt: 4_600_000,
    key: 'k',
    ...more,
  },
})
const validToken = token()
const machine = active({
  principal: { id: 'sp_1', type: 'service_principal' },
  credential_id: 'sp_1',
  credential_type: 'bearer',
})
const machineOrKey = (presented: PresentedCredential) => (presented.type === 'token' ? machine : active())

/** A cache whose clock, auth and invalidations the test holds. */
function world(
  answer: (asked: PresentedCredential) => Resolution | Promise<Resolution>,
  tokens: Record<string, TokenCheck | 'keys are away'> = {},
) {
  const asked: PresentedCredential[] = []
  const verified: string[] = []
  const state = { now: 1_000_000, answer, withdrawn: false }
  const invalidations = createInvalidations()
  const identities = createIdentityCache({
    tokens: {
      async verify(token) {
        verified.push(token)
        const check = tokens[token] ?? { status: 'invalid' }
        if (check === 'keys are away') throw problem('bad_gateway')
        return check
      },
      isKeyPublished: () => !state.withdrawn,
    },
    async resolve(presented) {
      asked.push(presented)
      return state.answer(presented)
    },
    invalidations,
    cacheMs: 10_000,
    staleMs: 60_000,
    maxEntries: 100,
    now: () => state.now,
  })
  return { identities, invalidations, asked, verified, state }
}

describe('a resolved credential', () => {
  it('is kept ten seconds, and no longer', async () => {
    const { identities, asked, state } = world(() => active())
    for (const after of [0, 5000, 4999]) {
      state.now += after
      await identities.find(key())
    }
    expect(asked).toHaveLength(1)
    state.now += 1
    await identities.find(key())
    expect(asked).toHaveLength(2)
  })

  it('is never kept past its own end', async () => {
    const { identities, asked, state } = world(() => active({ expires_at: new Date(1_003_000).toISOString() }))
    await identities.find(key())
    state.now = 1_003_000
    await identities.find(key())
    expect(asked).toHaveLength(2)
  })

  it('is looked up once for all who wait', async () => {
    const { promise, resolve } = Promise.withResolvers<Resolution>()
    const { identities, asked } = world(() => promise)
    const all = Promise.all(Array.from({ length: 50 }, () => identities.find(key())))
    resolve(active())
    expect(await all).toHaveLength(50)
    expect(asked).toHaveLength(1)
  })

  it('is asked again after an invalidation of it, its principal or its workspace, and of nothing else', async () => {
    const { identities, invalidations, asked } = world(() =>
      active({ credential_id: 'c', principal: { id: 'p', type: 'api_key' } }),
    )
    await identities.find(key())
    invalidations.add({ credential_id: 'other', principal_id: 'other', workspace_id: 'other' })
    await identities.find(key())
    expect(asked).toHaveLength(1)
    for (const [index, about] of [
      { credential_id: 'c' },
      { principal_id: 'p' },
      { workspace_id: workspace },
    ].entries()) {
      invalidations.add(about)
      await identities.find(key())
      expect(asked).toHaveLength(index + 2)
    }
    invalidations.flush()
    await identities.find(key())
    expect(asked).toHaveLength(5)
  })

  it('is not taken from a lookup that began before an invalidation, by one who asks after it', async () => {
    const first = Promise.withResolvers<Resolution>()
    const answers = [first.promise, Promise.resolve<Resolution>({ status: 'revoked' })]
    const { identities, invalidations, asked } = world(() => answers.shift() ?? active())
    const before = identities.find(key())
    while (asked.length === 0) await Promise.resolve()
    invalidations.add({ credential_id: 'akey_1' })
    const after = identities.find(key())
    const others = [identities.find(key()), identities.find(key())]
    first.resolve(active())
    expect((await before).identity.credential_id).toBe('akey_1')
    for (const late of [after, ...others]) await expect(late).rejects.toMatchObject({ code: 'revoked_credential' })
    expect(asked).toHaveLength(2)
  })

  it('is not pushed out by credentials that never were any', async () => {
    const { identities, asked, verified } = world(
      (presented) =>
        presented.type === 'api_key' && presented.hash !== 'digest-0' ? { status: 'unknown' } : machineOrKey(presented),
      { good: validToken },
    )
    await identities.find(key())
    await identities.find(bearer('good'))
    for (let serial = 1; serial < 500; serial += 1) {
      await expect(identities.find(key(String(serial)))).rejects.toMatchObject({ code: 'invalid_credential' })
      await expect(identities.find(bearer(`bad ${serial}`))).rejects.toMatchObject({ code: 'invalid_credential' })
    }
    asked.length = 0
    verified.length = 0
    await identities.find(key())
    await identities.find(bearer('good'))
    expect(asked).toEqual([])
    expect(verified).toEqual([])
  })

  it('that was refused since does not come back while auth is away', async () => {
    const { identities, state } = world(() => active())
    await identities.find(key())
    state.now += 10_000
    state.answer = () => ({ status: 'revoked' })
    await expect(identities.find(key())).rejects.toMatchObject({ code: 'revoked_credential' })
    state.now += 2000
    state.answer = () => Promise.reject(away())
    await expect(identities.find(key())).rejects.toMatchObject({ status: 503 })
  })

  it('whose lookup an invalidation overtook is used once and not kept', async () => {
    const first = Promise.withResolvers<Resolution>()
    const answers = [first.promise, Promise.resolve<Resolution>({ status: 'revoked' })]
    const { identities, invalidations, asked } = world(() => answers.shift() ?? active())
    const underWay = identities.find(key())
    while (asked.length === 0) await Promise.resolve()
    invalidations.add({ credential_id: 'akey_1' })
    first.resolve(active())
    await underWay
    await expect(identities.find(key())).rejects.toMatchObject({ code: 'revoked_credential' })
    expect(asked).toHaveLength(2)
  })
})

describe('while auth is away', () => {
  it('serves what it knew for a minute, and then nothing', async () => {
    const { identities, state } = world(() => active())
    await identities.find(key())
    state.answer = () => Promise.reject(away())
    state.now += 69_999
    expect((await identities.find(key())).identity.credential_id).toBe('akey_1')
    state.now += 1
    await expect(identities.find(key())).rejects.toMatchObject({ status: 503 })
  })

  it('serves nothing it never knew, nothing that was invalidated, nothing past its end', async () => {
    const { identities, invalidations, state } = world((asked) =>
      active(
        asked.type === 'api_key' && asked.hash === 'digest-2' ? { expires_at: new Date(1_020_000).toISOString() } : {},
      ),
    )
    await identities.find(key('1'))
    await identities.find(key('2'))
    state.answer = () => Promise.reject(away())
    await expect(identities.find(key('3'))).rejects.toMatchObject({ status: 503 })
    state.now = 1_020_000
    await expect(identities.find(key('2'))).rejects.toMatchObject({ status: 503 })
    expect((await identities.find(key('1'))).identity.credential_id).toBe('akey_1')
    invalidations.add({ workspace_id: workspace })
    await expect(identities.find(key('1'))).rejects.toMatchObject({ status: 503 })
  })

  it('serves nothing that was invalidated while auth was asked in vain', async () => {
    const { identities, invalidations, asked, state } = world(() => active())
    await identities.find(key())
    state.now += 10_000
    const vain = Promise.withResolvers<Resolution>()
    state.answer = () => vain.promise
    const underWay = identities.find(key())
    while (asked.length < 2) await Promise.resolve()
    invalidations.add({ credential_id: 'akey_1' })
    vain.reject(away())
    await expect(underWay).rejects.toMatchObject({ status: 503 })
  })
})

describe('a refusal', () => {
  it.each(['unknown', 'expired', 'revoked'] as const)('is remembered for a second: %s', async (status) => {
    const { identities, asked, state } = world(() => ({ status }))
    await expect(identities.find(key())).rejects.toMatchObject({ status: 401 })
    state.now += 999
    await expect(identities.find(key())).rejects.toMatchObject({ status: 401 })
    expect(asked).toHaveLength(1)
    state.now += 1
    await expect(identities.find(key())).rejects.toMatchObject({ status: 401 })
    expect(asked).toHaveLength(2)
  })
})

describe('tokens', () => {
  it('are trusted while their key is published, and no longer', async () => {
    const checks: Record<string, TokenCheck> = { a: token() }
    const { identities, verified, state } = world(() => machine, checks)
    await identities.find(bearer('a'))
    state.now += 100_000
    await identities.find(bearer('a'))
    expect(verified).toEqual(['a'])
    state.withdrawn = true
    checks.a = { status: 'invalid' }
    await expect(identities.find(bearer('a'))).rejects.toMatchObject({ code: 'invalid_credential' })
  })

  it('cannot be judged while nobody has the keys: that is 503, with a time to come back', async () => {
    const { identities } = world(() => machine, { a: 'keys are away' })
    await expect(identities.find(bearer('a'))).rejects.toMatchObject({
      code: 'service_unavailable',
      headers: { 'retry-after': '1' },
    })
  })

  it('of one principal are asked about once, and each is verified once', async () => {
    const { identities, asked, verified } = world(() => machine, { a: token(), b: token({ scopes: ['data:read'] }) })
    for (const value of ['a', 'b', 'a', 'b']) await identities.find(bearer(value))
    expect(asked).toEqual([{ type: 'token', principal_id: 'sp_1', principal_type: 'service_principal' }])
    expect(verified).toEqual(['a', 'b'])
    expect((await identities.find(bearer('b'))).tokenScopes).toEqual(['data:read'])
  })

  it('of two sessions of a user are asked about separately', async () => {
    const { identities, asked } = world(() => active(), {
      a: token({ sessionId: 'ses_1' }),
      b: token({ sessionId: 'ses_2' }),
    })
    await identities.find(bearer('a'))
    await identities.find(bearer('b'))
    expect(asked).toHaveLength(2)
  })

  it('end when they say so, though their verification is kept', async () => {
    const { identities, state } = world(() => machine, { a: token({ expiresAt: 1_005_000 }) })
    await identities.find(bearer('a'))
    state.now = 1_005_000
    await expect(identities.find(bearer('a'))).rejects.toMatchObject({ code: expect.stringMatching(/expired|invalid/) })
  })

  it('issued before the principal says are revoked', async () => {
    const after = active({ tokens_valid_after: 1001 })
    const { identities } = world(() => after, { old: token({ issuedAt: 1000 }), fresh: token({ issuedAt: 1001 }) })
    await expect(identities.find(bearer('old'))).rejects.toMatchObject({ code: 'revoked_credential' })
    expect((await identities.find(bearer('fresh'))).identity).toBeDefined()
  })
})

describe('invalidations', () => {
  const dependencies = { credentialId: 'c', principalId: 'p', workspaceIds: [workspace] }

  it('that name nothing drop everything: what they meant is not known', () => {
    const invalidations = createInvalidations()
    const mark = invalidations.sequence()
    invalidations.add({})
    expect(invalidations.isCurrentSince(mark, dependencies)).toBe(false)
  })

  it('are remembered however many come, or taken for all', () => {
    const invalidations = createInvalidations()
    const mark = invalidations.sequence()
    invalidations.add({ credential_id: 'c' })
    for (let count = 0; count < 150_000; count += 1) invalidations.add({ credential_id: `other-${count}` })
    expect(invalidations.isCurrentSince(mark, dependencies)).toBe(false)
    expect(invalidations.isCurrentSince(invalidations.sequence(), dependencies)).toBe(true)
  })
})

describe('a token that was revoked by itself', () => {
  const tokens = { one: token({ tokenId: 'one' }), two: token({ tokenId: 'two' }) }
  const revoking = (...revoked_token_ids: string[]): Resolution =>
    active({
      principal: { id: 'sp_1', type: 'service_principal' },
      credential_id: 'sp_1',
      credential_type: 'bearer',
      revoked_token_ids,
    })

  it('is refused, and no other of its principal', async () => {
    const { identities, asked } = world(() => revoking('one'), tokens)
    await expect(identities.find(bearer('one'))).rejects.toMatchObject({ code: 'revoked_credential' })
    expect((await identities.find(bearer('two'))).tokenId).toBe('two')
    expect(asked).toHaveLength(1)
  })

  it('is refused once the edge has heard of it', async () => {
    const { identities, invalidations, state } = world(() => machine, tokens)
    await identities.find(bearer('one'))
    state.answer = () => revoking('one')
    await identities.find(bearer('one'))
    invalidations.add({ principal_id: 'sp_1' })
    await expect(identities.find(bearer('one'))).rejects.toMatchObject({ code: 'revoked_credential' })
  })
})

describe('asking again', () => {
  it('asks auth although the kept answer is fresh, once a second at most', async () => {
    const { identities, asked, state } = world(() => active())
    await identities.find(key())
    await identities.refetch(key())
    expect(asked).toHaveLength(2)
    await identities.refetch(key())
    await identities.find(key())
    expect(asked).toHaveLength(2)
    state.now += 1000
    await identities.refetch(key())
    expect(asked).toHaveLength(3)
  })

  it('keeps to what is known while auth is away', async () => {
    const { identities, state } = world(() => active())
    await identities.find(key())
    state.now += 1000
    state.answer = () => Promise.reject(away())
    expect((await identities.refetch(key())).identity.credential_id).toBe('akey_1')
  })
})
