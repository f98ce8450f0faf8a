import { beforeAll, describe, expect, it } from '@jest/globals'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { createTokenVerifier } from '../../../src/identify/token/token-verifier.ts'

const base = 'https://api.example.com'
const pairs = new Map<string, { privateKey: CryptoKey; jwk: JWK }>()
beforeAll(async () => {
  for (const kid of ['old', 'new']) {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    pairs.set(kid, { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } })
  }
})

function pair(kid: string) {
  const found = pairs.get(kid)
  if (found === undefined) throw new Error(`no key ${kid}`)
  return found
}

/** Signs a token with one key. @param statedKid the key id it states */
function tokenOf(kid: string, more: Record<string, unknown> = {}, statedKid = kid): Promise<string> {
  const claims = { iss: base, aud: base, sub: 'sp_1', iat: 1000, exp: 4600, jti: 't', client_id: 'sp_1' }
  return new SignJWT({ ...claims, principal_type: 'service_principal', ...more })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: statedKid })
    .sign(pair(kid).privateKey)
}

/** Creates a verifier with a clock and published keys that the test controls. */
function createHarness(published: string[]) {
  const state = { now: 1_000_000, published, fetches: 0, fetch: undefined as Promise<never> | undefined }
  const tokens = createTokenVerifier({
    base,
    now: () => state.now,
    async fetchKeys() {
      state.fetches += 1
      if (state.fetch !== undefined) return state.fetch
      return { keys: state.published.map((kid) => pair(kid).jwk) }
    },
  })
  return { tokens, state }
}
const unavailable = () => Promise.reject(new Error('auth is unavailable'))

describe('the signing keys', () => {
  it('are fetched once for concurrent requests, and again for a new key', async () => {
    const { tokens, state } = createHarness(['old'])
    const token = await tokenOf('old')
    const checks = await Promise.all([tokens.verify(token), tokens.verify(token)])
    expect(checks.map(({ status }) => status)).toEqual(['valid', 'valid'])
    expect(state.fetches).toBe(1)
    state.published = ['old', 'new']
    state.now += 1000
    expect((await tokens.verify(await tokenOf('new'))).status).toBe('valid')
    expect(state.fetches).toBe(2)
  })

  it('are fetched at most once a second, whatever key ids tokens state, also while auth is unavailable', async () => {
    const { tokens, state } = createHarness(['old'])
    await tokens.verify(await tokenOf('old'))
    const forged = await tokenOf('new', {}, 'unknown')
    for (let ms = 0; ms < 10_000; ms += 50) {
      state.now += 50
      expect((await tokens.verify(forged)).status).toBe('invalid')
    }
    expect(state.fetches).toBe(11)
    state.fetches = 0
    state.fetch = unavailable()
    state.fetch.catch(() => undefined)
    for (let ms = 0; ms < 10_000; ms += 50) {
      state.now += 50
      await tokens.verify(forged).catch(() => undefined)
    }
    expect(state.fetches).toBeLessThanOrEqual(11)
    expect((await tokens.verify(await tokenOf('old'))).status).toBe('valid')
  })

  it('are refreshed in the background, so that a withdrawn key is soon rejected', async () => {
    const { tokens, state } = createHarness(['old', 'new'])
    const token = await tokenOf('old')
    expect((await tokens.verify(token)).status).toBe('valid')
    state.published = ['new']
    state.now += 60_001
    await tokens.verify(token)
    state.now += 1000
    expect((await tokens.verify(token)).status).toBe('invalid')
  })

  it('are refreshed when only cached tokens are used', async () => {
    const { tokens, state } = createHarness(['old', 'new'])
    const check = await tokens.verify(await tokenOf('old'))
    const key = check.status === 'valid' ? check.token.key : ''
    expect(tokens.isKeyPublished(key)).toBe(true)
    state.published = ['new']
    expect(tokens.isKeyPublished(key)).toBe(true)
    state.now += 60_001
    tokens.isKeyPublished(key)
    await tokens.verify(await tokenOf('new'))
    expect(state.fetches).toBe(2)
    expect(tokens.isKeyPublished(key)).toBe(false)
  })

  it('stay in use without delay while auth does not respond', async () => {
    const { tokens, state } = createHarness(['old'])
    const token = await tokenOf('old')
    await tokens.verify(token)
    state.now += 100_000
    state.fetch = new Promise<never>(() => undefined)
    expect((await tokens.verify(token)).status).toBe('valid')
    expect((await tokens.verify(token)).status).toBe('valid')
  })

  it('are fetched again after a failed first fetch, not by every request', async () => {
    const { tokens, state } = createHarness(['old'])
    state.fetch = unavailable()
    state.fetch.catch(() => undefined)
    const token = await tokenOf('old')
    for (let count = 0; count < 20; count += 1)
      await expect(tokens.verify(token)).rejects.toThrow('auth is unavailable')
    expect(state.fetches).toBe(1)
    state.fetch = undefined
    state.now += 1000
    expect((await tokens.verify(token)).status).toBe('valid')
  })
})

describe('an access token', () => {
  it('is identified by the fingerprint of its key, and rejected without a key id', async () => {
    const { tokens, state } = createHarness(['old'])
    const check = await tokens.verify(await tokenOf('old'))
    expect(check).toMatchObject({ status: 'valid', token: { key: expect.stringContaining(String(pair('old').jwk.x)) } })
    const withoutKeyId = new SignJWT({ iss: base, aud: base, sub: 's', iat: 1000, exp: 4600, jti: 't', client_id: 's' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
      .sign(pair('old').privateKey)
    expect((await tokens.verify(await withoutKeyId)).status).toBe('invalid')
    expect(state.fetches).toBe(1)
  })

  it('is reported as expired when its key had to be fetched first', async () => {
    const { tokens, state } = createHarness(['old'])
    await tokens.verify(await tokenOf('old'))
    state.published = ['old', 'new']
    state.now += 1000
    expect((await tokens.verify(await tokenOf('new', { exp: 999 }))).status).toBe('expired')
  })
})

describe('a valid token', () => {
  it.each([
    ['padding', (token: string) => `${token}==`],
    ['a line break', (token: string) => `${token}\n`],
    ['a fourth part', (token: string) => `${token}.`],
    ['the other alphabet', (token: string) => token.replaceAll('_', '/').replaceAll('-', '+')],
  ])('is invalid with %s', async (_name, change) => {
    const { tokens } = createHarness(['old'])
    let token = await tokenOf('old')
    while (!/[-_]/.test(token)) token = await tokenOf('old')
    expect((await tokens.verify(token)).status).toBe('valid')
    expect((await tokens.verify(change(token))).status).toBe('invalid')
  })
})
