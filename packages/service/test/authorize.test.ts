import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, describe, expect, it } from '@jest/globals'
import { type Scope, scopes } from '@wp/contracts'
import { createTemporaryKeys } from '@wp/testkit'
import { type CryptoKey, exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { keyFilePaths, openKeyRing, rotateKey } from '../src/index.ts'
import { startBoxes } from './fixture.ts'

const boxes = await startBoxes()
const jwk = JSON.parse(await readFile(keyFilePaths(boxes.keysDirectory).keyFile('gateway'), 'utf8'))
const key = (await importJWK(jwk, 'ES256')) as CryptoKey
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

interface Forgery {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  key?: CryptoKey | Uint8Array
}

function forge({ header = {}, claims: changedClaims = {}, key: signingKey = key }: Forgery = {}): Promise<string> {
  return new SignJWT({
    ...claims(),
    iss: 'gateway',
    aud: 'data',
    sub: 'sp_1',
    iat: now(),
    exp: now() + 60,
    ...changedClaims,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'scope+jwt', kid: String(jwk.kid), ...header })
    .sign(signingKey)
}
const present = (token: string, headers = {}) =>
  boxes.request('GET', path, { headers: { 'x-workspace-scope': token, ...headers } })

describe('an assertion', () => {
  it('is accepted when it is valid', async () => {
    expect((await present(await forge())).status).toBe(200)
  })

  it('is rejected with 503 when its workspace is in another cell', async () => {
    const response = await present(await forge({ claims: { shard: 'other' } }))
    expect(response).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  })

  it.each<[string, () => Promise<string>]>([
    ['an unknown key id', () => forge({ header: { kid: 'gateway-unknown' } })],
    ['no key id', () => forge({ header: { kid: undefined } })],
    ['another type', () => forge({ header: { typ: 'at+jwt' } })],
    ['another audience', () => forge({ claims: { aud: 'solutions' } })],
    ['an issuer to which its key does not belong', () => forge({ claims: { iss: 'solutions' } })],
    ['an expiry in the past', () => forge({ claims: { iat: now() - 200, exp: now() - 31 } })],
    ['a lifetime of more than a minute', () => forge({ claims: { iat: now() - 95, exp: now() + 600 } })],
    ['an issue time in the future', () => forge({ claims: { iat: now() + 45, exp: now() + 60 } })],
    ['no expiry', () => forge({ claims: { exp: undefined } })],
    ['an unknown principal type', () => forge({ claims: { principal_type: 'root' } })],
    [
      'alg none',
      async () => new UnsecuredJWT({ ...claims(), iss: 'gateway', aud: 'data', sub: 'sp_1', exp: now() + 60 }).encode(),
    ],
    [
      'HS256 with the public key as secret',
      async () => {
        const { d: _d, ...publicJwk } = jwk
        const pem = await exportSPKI((await importJWK(publicJwk, 'ES256', { extractable: true })) as CryptoKey)
        return forge({ header: { alg: 'HS256' }, key: new TextEncoder().encode(pem) })
      },
    ],
    ['a byte changed', async () => (await forge()).replace(/.(?=.{10}$)/, (byte) => (byte === 'A' ? 'B' : 'A'))],
  ])('is rejected with 401 when it has %s', async (_, token) => {
    expect(await present(await token())).toMatchObject({ status: 401, body: { code: 'invalid_credential' } })
  })

  it('is accepted up to 30 seconds after its expiry, because clocks differ', async () => {
    expect((await present(await forge({ claims: { iat: now() - 80, exp: now() - 20 } }))).status).toBe(200)
  })

  it('is rejected when the plain identity headers contradict it', async () => {
    const matching = {
      'x-workspace-id': 'ws_01h455vb4pex5vsknk084sn02q',
      'x-principal-id': 'sp_1',
      'x-principal-type': 'service_principal',
    }
    expect((await present(await forge(), matching)).status).toBe(200)
    for (const [name, value] of Object.entries({
      'x-workspace-id': 'ws_other',
      'x-principal-id': 'sp_2',
      'x-principal-type': 'user',
      'x-workspace-shard': 'eu9',
    }))
      expect((await present(await forge(), { ...matching, [name]: value })).status).toBe(401)
  })

  it('is no longer verified ten seconds after its key was removed from the file', async () => {
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

  it('is verified with the known keys while the file cannot be read, and with the new ones once it can', async () => {
    const directory = await createTemporaryKeys()
    const { keysFile } = keyFilePaths(directory)
    let time = 0
    const ring = await openKeyRing(keysFile, () => time)
    const published = await readFile(keysFile, 'utf8')
    const [removed, remaining] = JSON.parse(published).keys
    await writeFile(keysFile, published.slice(0, 100))
    time = 20_000
    expect(await ring.find(removed.kid)).toBeDefined()
    await writeFile(keysFile, JSON.stringify({ keys: [remaining] }))
    time = 40_000
    expect(await ring.find(removed.kid)).toBeUndefined()
    expect(await ring.find(remaining.kid)).toBeDefined()
  })

  it('is verified with a key published after the service started', async () => {
    await rotateKey(boxes.keysDirectory, 'solutions', 'publish')
    await rotateKey(boxes.keysDirectory, 'solutions', 'switch')
    const response = await boxes.request('GET', '/internal/data/internal', { signer: 'solutions' })
    expect(response.status).toBe(200)
  })
})

describe('authorization', () => {
  it('accepts the edge on a public endpoint, and rejects a service that the endpoint does not list', async () => {
    expect((await boxes.request('GET', path, { signer: 'solutions' })).body.code).toBe('caller_not_allowed')
  })

  it('accepts the listed services on an internal endpoint, and rejects the edge', async () => {
    expect((await boxes.request('GET', '/internal/data/internal', { signer: 'solutions' })).status).toBe(200)
    for (const signer of ['gateway', 'auth'] as const)
      expect((await boxes.request('GET', '/internal/data/internal', { signer })).body.code).toBe('caller_not_allowed')
    expect(
      (await boxes.request('GET', '/internal/data/internal', { signer: 'solutions', caller: { scopes: [] } })).body
        .code,
    ).toBe('missing_scope')
  })

  it('accepts a service on its own behalf only when the contract allows it, and only under its own name', async () => {
    const ownCall = { principal: { id: 'svc:solutions', type: 'service' as const }, scopes: [], workspaceId: null }
    expect(
      (await boxes.request('GET', '/internal/data/own-call', { signer: 'solutions', caller: ownCall })).status,
    ).toBe(200)
    expect(
      (await boxes.request('GET', '/internal/data/internal', { signer: 'solutions', caller: ownCall })).status,
    ).toBe(403)
    const another = { ...ownCall, principal: { id: 'svc:auth', type: 'service' as const } }
    expect(
      (await boxes.request('GET', '/internal/data/own-call', { signer: 'solutions', caller: another })).status,
    ).toBe(403)
  })

  it('accepts a service on its own behalf where a scope is declared only when a delegated use is its own', async () => {
    const request = (signer: 'ai' | 'solutions') => {
      const caller = { principal: { id: `svc:${signer}`, type: 'service' as const }, scopes: [], workspaceId: null }
      return boxes.request('GET', '/internal/data/delegated', { signer, caller })
    }
    expect((await request('ai')).status).toBe(200)
    expect(await request('solutions')).toMatchObject({ status: 403, body: { code: 'caller_not_allowed' } })
  })

  it('checks the scope of a caller when the endpoint also serves a delegated use', async () => {
    const request = (scopes: Scope[]) =>
      boxes.request('GET', '/internal/data/delegated', { signer: 'ai', caller: { scopes } })
    expect((await request(['data:read'])).status).toBe(200)
    expect(await request(['data:write'])).toMatchObject({
      status: 403,
      body: { code: 'missing_scope', required_scope: 'data:read' },
    })
  })

  it('rejects a caller when an internal endpoint is for services on their own behalf alone', async () => {
    const request = { signer: 'solutions' as const, caller: { scopes: [...scopes] } }
    expect(await boxes.request('GET', '/internal/data/own-call', request)).toMatchObject({
      status: 403,
      body: { code: 'caller_not_allowed' },
    })
  })

  it('accepts only users with a bearer token when the contract requires it', async () => {
    const code = async (principal: { id: string; type: 'user' | 'service_principal' | 'api_key' }) =>
      (await boxes.request('GET', '/v1/data/people', { caller: { principal } })).body.code
    expect(await code({ id: 'usr_1', type: 'user' })).toBeUndefined()
    expect(await code({ id: 'sp_1', type: 'service_principal' })).toBe('user_required')
    expect(await code({ id: 'akey_1', type: 'api_key' })).toBe('bearer_required')
  })

  it('accepts an anonymous caller on an open endpoint only', async () => {
    const anonymous = { principal: { id: 'anonymous', type: 'anonymous' as const }, scopes: [], workspaceId: null }
    expect((await boxes.request('GET', '/v1/data/open', { caller: anonymous })).status).toBe(200)
    expect((await boxes.request('DELETE', path, { caller: anonymous })).status).toBe(401)
  })

  it('rejects a caller without a workspace when the endpoint requires one', async () => {
    expect((await boxes.request('GET', path, { caller: { workspaceId: null } })).body.code).toBe('workspace_required')
  })
})
