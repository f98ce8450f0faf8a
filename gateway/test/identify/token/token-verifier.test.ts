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

/** A token signed by one key, saying that another did, if asked to. */
function tokenOf(kid: string, more: Record<string, unknown> = {}, said = kid): Promise<string> {
  const claims = { iss: base, aud: base, sub: 'sp_1', iat: 1000, exp: 4600, jti: 't', client_id: 'sp_1' }
  return new SignJWT({ ...claims, principal_type: 'service_principal', ...more })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: said })
    .sign(pair(kid).privateKey)
}

/** A verifier whose clock and published keys the test holds. */
function world(published: string[]) {
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
const away = () => Promise.reject(new Error('auth is away'))

describe('the published keys', () => {
  it('are read once for all who wait, and again for a key that is new', async () => {
    const { tokens, state } = world(['old'])
    const token = await tokenOf('old')
    const checks = await Promise.all([tokens.verify(token), tokens.verify(token)])
    expect(checks.map(({ status }) => status)).toEqual(['valid', 'valid'])
    expect(state.fetches).toBe(1)
    state.published = ['old', 'new']
    state.now += 1000
    expect((await tokens.verify(await tokenOf('new'))).status).toBe('valid')
    expect(state.fetches).toBe(2)
  })

  it('are asked for at most once a second, whatever keys are made up, and also while auth is away', async () => {
    const { tokens, state } = world(['old'])
    await tokens.verify(await tokenOf('old'))
    const forged = await tokenOf('new', {}, 'made up')
    for (let ms = 0; ms < 10_000; ms += 50) {
      state.now += 50
      expect((await tokens.verify(forged)).status).toBe('invalid')
    }
    expect(state.fetches).toBeLessThanOrEqual(11)
    state.fetches = 0
    state.fetch = away()
    state.fetch.catch(() => undefined)
    for (let ms = 0; ms < 10_000; ms += 50) {
      state.now += 50
      await tokens.verify(forged).catch(() => undefined)
    }
    expect(state.fetches).toBeLessThanOrEqual(11)
    expect((await tokens.verify(await tokenOf('old'))).status).toBe('valid')
  })

  it('are read again while they serve, and a key that was withdrawn is soon no longer taken', async () => {
    const { tokens, state } = world(['old', 'new'])
    const token = await tokenOf('old')
    expect((await tokens.verify(token)).status).toBe('valid')
    state.published = ['new']
    state.now += 60_001
    await tokens.verify(token)
    state.now += 1000
    expect((await tokens.verify(token)).status).toBe('invalid')
  })

  it('are also read again where all tokens were seen before', async () => {
    const { tokens, state } = world(['old', 'new'])
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

  it('serve on while auth does not answer, and nobody waits for it', async () => {
    const { tokens, state } = world(['old'])
    const token = await tokenOf('old')
    await tokens.verify(token)
    state.now += 100_000
    state.fetch = new Promise<never>(() => undefined)
    expect((await tokens.verify(token)).status).toBe('valid')
    expect((await tokens.verify(token)).status).toBe('valid')
  })

  it('that nobody could read yet are asked for again, but not by everybody', async () => {
    const { tokens, state } = world(['old'])
    state.fetch = away()
    state.fetch.catch(() => undefined)
    const token = await tokenOf('old')
    for (let count = 0; count < 20; count += 1) await expect(tokens.verify(token)).rejects.toThrow('auth is away')
    expect(state.fetches).toBe(1)
    state.fetch = undefined
    state.now += 1000
    expect((await tokens.verify(token)).status).toBe('valid')
  })
})

describe('a token', () => {
  it('names its key, or is none: an id alone could be given to another key', async () => {
    const { tokens, state } = world(['old'])
    const check = await tokens.verify(await tokenOf('old'))
    expect(check).toMatchObject({ status: 'valid', token: { key: expect.stringContaining(String(pair('old').jwk.x)) } })
    const nameless = new SignJWT({ iss: base, aud: base, sub: 's', iat: 1000, exp: 4600, jti: 't', client_id: 's' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
      .sign(pair('old').privateKey)
    expect((await tokens.verify(await nameless)).status).toBe('invalid')
    expect(state.fetches).toBe(1)
  })

  it('that has expired is expired, also where its key had to be read first', async () => {
    const { tokens, state } = world(['old'])
    await tokens.verify(await tokenOf('old'))
    state.published = ['old', 'new']
    state.now += 1000
    expect((await tokens.verify(await tokenOf('new', { exp: 999 }))).status).toBe('expired')
  })
})
