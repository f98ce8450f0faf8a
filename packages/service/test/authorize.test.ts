import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createTemporaryKeys } from '@wp/testkit'
import { type CryptoKey, exportSPKI, importJWK, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { keyFilePaths, openKeyRing, rotateKey } from '../src/index.ts'
import { type BoxService, startBoxes } from './fixture.ts'

let boxes: BoxService
let key: CryptoKey
let jwk: JWK
beforeAll(async () => {
  boxes = await startBoxes()
  jwk = JSON.parse(await readFile(keyFilePaths(boxes.keysDirectory).keyFile('gateway'), 'utf8'))
  key = (await importJWK(jwk, 'ES256')) as CryptoKey
})
afterAll(() => boxes.stop())

const path = '/v1/data/boxes/box_1'
const claims = () => ({
  principal_type: 'service_principal',
  credential_id: 'sp_1',
  workspace_id: 'ws_01h455vb4pex5vsknk084sn02q',
  shard: 'test',
  location: 'TST',
  scopes: ['data:read'],
})
const now = () => Math.floor(Date.now() / 1000)

interface Bend {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  key?: CryptoKey | Uint8Array
}

function forge({ header = {}, claims: more = {}, key: other = key }: Bend = {}): Promise<string> {
  return new SignJWT({ ...claims(), iss: 'gateway', aud: 'data', sub: 'sp_1', iat: now(), exp: now() + 60, ...more })
    .setProtectedHeader({ alg: 'ES256', typ: 'scope+jwt', kid: String(jwk.kid), ...header })
    .sign(other)
}
const present = (token: string, headers = {}) =>
  boxes.request('GET', path, { headers: { 'x-workspace-scope': token, ...headers } })

describe('an assertion', () => {
  it('passes when everything about it is right', async () => {
    expect((await present(await forge())).status).toBe(200)
  })

  it('of a workspace of another cell was sent to the wrong one', async () => {
    const answer = await present(await forge({ claims: { shard: 'other' } }))
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  })

  it.each<[string, () => Promise<string>]>([
    ['an unknown key id', () => forge({ header: { kid: 'gateway-unknown' } })],
    ['no key id', () => forge({ header: { kid: undefined } })],
    ['another type', () => forge({ header: { typ: 'at+jwt' } })],
    ['another audience', () => forge({ claims: { aud: 'solutions' } })],
    ['an issuer its key is not bound to', () => forge({ claims: { iss: 'solutions' } })],
    ['an end long past', () => forge({ claims: { iat: now() - 200, exp: now() - 31 } })],
    [
      'an end further away than a minute from its beginning',
      () => forge({ claims: { iat: now() - 95, exp: now() + 600 } }),
    ],
    ['a beginning in the future', () => forge({ claims: { iat: now() + 45, exp: now() + 60 } })],
    ['no end', () => forge({ claims: { exp: undefined } })],
    ['a principal type that is none', () => forge({ claims: { principal_type: 'root' } })],
    [
      'alg none',
      async () => new UnsecuredJWT({ ...claims(), iss: 'gateway', aud: 'data', sub: 'sp_1', exp: now() + 60 }).encode(),
    ],
    [
      'HS256 keyed with the public key',
      async () => {
        const { d: _d, ...publicJwk } = jwk
        const pem = await exportSPKI((await importJWK(publicJwk, 'ES256', { extractable: true })) as CryptoKey)
        return forge({ header: { alg: 'HS256' }, key: new TextEncoder().encode(pem) })
      },
    ],
    ['a byte changed', async () => (await forge()).replace(/.(?=.{10}$)/, (byte) => (byte === 'A' ? 'B' : 'A'))],
  ])('is refused with %s', async (_, token) => {
    expect(await present(await token())).toMatchObject({ status: 401, body: { code: 'invalid_credential' } })
  })

  it('holds 30 seconds past its end, for clocks that differ', async () => {
    expect((await present(await forge({ claims: { iat: now() - 80, exp: now() - 20 } }))).status).toBe(200)
  })

  it('is trusted alone: plain headers that disagree are refused', async () => {
    const right = {
      'x-workspace-id': 'ws_01h455vb4pex5vsknk084sn02q',
      'x-principal-id': 'sp_1',
      'x-principal-type': 'service_principal',
    }
    expect((await present(await forge(), right)).status).toBe(200)
    for (const [name, value] of Object.entries({
      'x-workspace-id': 'ws_other',
      'x-principal-id': 'sp_2',
      'x-principal-type': 'user',
      'x-workspace-shard': 'eu9',
    }))
      expect((await present(await forge(), { ...right, [name]: value })).status).toBe(401)
  })

  it('is refused soon after its key was dropped from the file, with no unknown key to give the hint', async () => {
    const directory = await createTemporaryKeys()
    const { keysFile } = keyFilePaths(directory)
    let time = 0
    const ring = await openKeyRing(keysFile, () => time)
    const published = JSON.parse(await readFile(keysFile, 'utf8'))
    const kid = published.keys[0].kid
    expect(await ring.find(kid)).toBeDefined()
    await writeFile(keysFile, JSON.stringify({ keys: published.keys.slice(1) }))
    time = 10_001
    expect(await ring.find(kid)).toBeUndefined()
  })

  it('is verified as before while the file of keys cannot be read, and anew once it can', async () => {
    const directory = await createTemporaryKeys()
    const { keysFile } = keyFilePaths(directory)
    let time = 0
    const ring = await openKeyRing(keysFile, () => time)
    const published = await readFile(keysFile, 'utf8')
    const [dropped, kept] = JSON.parse(published).keys
    await writeFile(keysFile, published.slice(0, 100))
    time = 20_000
    expect(await ring.find(dropped.kid)).toBeDefined()
    await writeFile(keysFile, JSON.stringify({ keys: [kept] }))
    time = 40_000
    expect(await ring.find(dropped.kid)).toBeUndefined()
    expect(await ring.find(kept.kid)).toBeDefined()
  })

  it('is verified with a key published after the service started', async () => {
    await rotateKey(boxes.keysDirectory, 'solutions', 'publish')
    await rotateKey(boxes.keysDirectory, 'solutions', 'switch')
    const answer = await boxes.request('GET', '/internal/data/within', { signer: 'solutions' })
    expect(answer.status).toBe(200)
  })
})

describe('who may call what', () => {
  it('is the edge on public endpoints, and no service that is not named', async () => {
    expect((await boxes.request('GET', path, { signer: 'solutions' })).body.code).toBe('caller_not_allowed')
  })

  it('is the named services on internal endpoints, and not the edge', async () => {
    expect((await boxes.request('GET', '/internal/data/within', { signer: 'solutions' })).status).toBe(200)
    for (const signer of ['gateway', 'auth'] as const)
      expect((await boxes.request('GET', '/internal/data/within', { signer })).body.code).toBe('caller_not_allowed')
    expect(
      (await boxes.request('GET', '/internal/data/within', { signer: 'solutions', caller: { scopes: [] } })).body.code,
    ).toBe('missing_scope')
  })

  it('is a service by itself only where the contract says so, and only as itself', async () => {
    const itself = { principal: { id: 'svc:solutions', type: 'service' as const }, scopes: [], workspaceId: null }
    expect(
      (await boxes.request('GET', '/internal/data/by-itself', { signer: 'solutions', caller: itself })).status,
    ).toBe(200)
    expect((await boxes.request('GET', '/internal/data/within', { signer: 'solutions', caller: itself })).status).toBe(
      403,
    )
    const another = { ...itself, principal: { id: 'svc:auth', type: 'service' as const } }
    expect(
      (await boxes.request('GET', '/internal/data/by-itself', { signer: 'solutions', caller: another })).status,
    ).toBe(403)
  })

  it('is a service by itself without scopes nowhere a scope is declared', async () => {
    const itself = { principal: { id: 'svc:solutions', type: 'service' as const }, scopes: [], workspaceId: null }
    const answer = await boxes.request('GET', '/internal/data/by-itself-with-scope', {
      signer: 'solutions',
      caller: itself,
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
  })

  it('is users alone, by bearer token alone, where the contract says so', async () => {
    const code = async (principal: { id: string; type: 'user' | 'service_principal' | 'api_key' }) =>
      (await boxes.request('GET', '/v1/data/people', { caller: { principal } })).body.code
    expect(await code({ id: 'usr_1', type: 'user' })).toBeUndefined()
    expect(await code({ id: 'sp_1', type: 'service_principal' })).toBe('user_required')
    expect(await code({ id: 'akey_1', type: 'api_key' })).toBe('bearer_required')
  })

  it('is anybody on an open endpoint, and nobody anonymous elsewhere', async () => {
    const anonymous = { principal: { id: 'anonymous', type: 'anonymous' as const }, scopes: [], workspaceId: null }
    expect((await boxes.request('GET', '/v1/data/open', { caller: anonymous })).status).toBe(200)
    expect((await boxes.request('DELETE', path, { caller: anonymous })).status).toBe(401)
  })

  it('needs a workspace where the endpoint does', async () => {
    expect((await boxes.request('GET', path, { caller: { workspaceId: null } })).body.code).toBe('workspace_required')
  })
})
