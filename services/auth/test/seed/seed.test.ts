import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { scopes } from '@wp/contracts'
import { newId } from '@wp/database'
import { bundledProgram } from '@wp/testkit'
import { decodeJwt } from 'jose'
import { issueAccessToken, seed } from '../../src/index.ts'
import { presentApiKey, startTestAuth, subject } from '../fixture/auth.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const options = (name: string) => ({ workspaceName: name, ownerEmail: `${name}@example.test` })

describe('seeding', () => {
  it('creates a workspace with an owner, a service principal and an API key', async () => {
    const created = await seed(auth.service.env, options('whole'))
    const client = { client_id: created.client_id, client_secret: created.client_secret }
    expect((await auth.token(client)).body.scope).toBe(scopes.join(' '))
    expect(await auth.resolve(presentApiKey(String(created.api_key)))).toMatchObject({
      status: 'active',
      identity: { principal: { id: created.key_id }, workspace_id: created.workspace_id },
    })
    const { session } = await auth.signIn(created.owner_user_id)
    const owner = { type: 'token', principal_type: 'user', session_id: session.sessionId } as const
    expect(await auth.resolve({ ...owner, principal_id: created.owner_user_id })).toMatchObject({
      identity: { grants: [{ workspace_id: created.workspace_id, scopes: [...scopes] }] },
    })
  })

  it('changes nothing and returns no secrets when repeated', async () => {
    const first = await seed(auth.context, options('twice'))
    const second = await seed(auth.context, options('twice'))
    expect(second).toEqual({ ...first, client_secret: null, api_key: null })
  })

  it('creates one workspace when runs are concurrent', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => seed(auth.context, options('race'))))
    expect(new Set(all.map(({ workspace_id, client_id, key_id }) => `${workspace_id}${client_id}${key_id}`)).size).toBe(
      1,
    )
    expect(all.filter(({ client_secret, api_key }) => client_secret !== null && api_key !== null)).toHaveLength(1)
  })

  it('does not recreate deleted credentials', async () => {
    const created = await seed(auth.context, options('deleted'))
    const caller = subject('user', created.owner_user_id, created.workspace_id, auth.context.shard)
    await auth.request('DELETE', `/v1/auth/api-key/${created.key_id}`, { caller })
    await auth.request('DELETE', `/v1/auth/admin/service-principals/${created.client_id}`, { caller })
    expect(await seed(auth.context, options('deleted'))).toMatchObject({ client_secret: null, api_key: null })
    expect(await auth.resolve(presentApiKey(String(created.api_key)))).toEqual({ status: 'revoked' })
  })

  it('accepts given credentials', async () => {
    const [workspaceId, clientId] = [newId('ws'), newId('sp')]
    const apiKey = `key_${auth.context.shard}.TST.${workspaceId}.7f0c9a52-6b1e-4c55-9b7e-0d6f0a3b1c2d`
    const clientSecret = 'development-only-client-secret-000000'
    const created = await seed(auth.context, { ...options('known'), workspaceId, clientId, clientSecret, apiKey })
    expect(created).toMatchObject({
      workspace_id: workspaceId,
      client_id: clientId,
      client_secret: clientSecret,
      api_key: apiKey,
    })
    const response = await auth.token({ client_id: clientId, client_secret: clientSecret, workspace_id: workspaceId })
    expect(response.status).toBe(200)
    expect(await auth.resolve(presentApiKey(apiKey))).toMatchObject({ status: 'active' })
  })

  it.each([
    [{ clientSecret: 'short' }, /client secret/],
    [{ apiKey: 'key_x' }, /workspace id/],
    [{ workspaceId: 'ws_01h455vb4pex5vsknk084sn02q', apiKey: 'key_x.TST.y.z' }, /API key must be/],
    [{ workspaceId: 'x' }, /workspace id/],
    [{ ownerEmail: 'no-address' }, /mail address/],
  ])('rejects the options %j', async (more, message) => {
    await expect(seed(auth.context, { ...options('bad'), ...more })).rejects.toThrow(message)
  })
})

describe('the seed process', () => {
  it('writes the credentials once and keeps them when repeated', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wp-seed-'))
    const file = join(folder, 'credentials.json')
    const env = {
      ...auth.service.env,
      SEED_WORKSPACE_NAME: 'By process',
      SEED_OWNER_EMAIL: 'process@example.test',
      SEED_OUTPUT_FILE: file,
    }
    try {
      const first = await run(env)
      expect([first.code, first.output]).toEqual([0, expect.stringContaining('seeded')])
      const stored = JSON.parse(await readFile(file, 'utf8'))
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(stored).toMatchObject({
        owner_email: 'process@example.test',
        client_secret: expect.stringMatching(/^wpcs_/),
      })
      const second = await run(env)
      expect(second.code).toBe(0)
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(stored)
      for (const secret of [stored.client_secret, stored.api_key.slice(-36)])
        expect(first.output + second.output).not.toContain(secret)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('names a missing variable', async () => {
    const { code, output } = await run(auth.service.env)
    expect([code, output]).toEqual([1, expect.stringContaining('SEED_OWNER_EMAIL is missing')])
  })
})

describe('an access token of a user', () => {
  it('states the authentication, and a workspace and scopes only when downscoped', async () => {
    const authenticatedAt = new Date(1_800_000_000_999)
    const { owner_user_id: id, workspace_id: workspaceId } = auth.seeded
    const plain = decodeJwt(
      await issueAccessToken(auth.context, { type: 'user', id, sessionId: 'ses_1', authenticatedAt }),
    )
    expect(plain).toEqual({
      iss: 'http://localhost:4000',
      aud: ['http://localhost:4000', 'http://localhost:4000/api/v1/mcp/mcp'],
      sub: id,
      client_id: 'console',
      sid: 'ses_1',
      auth_time: 1_800_000_000,
      jti: expect.any(String),
      principal_type: 'user',
      iat: expect.any(Number),
      exp: Number(plain.iat) + 3600,
    })
    const home = { workspaceId, shard: auth.context.shard, location: 'TST' }
    const narrowed = await issueAccessToken(auth.context, {
      type: 'user',
      id,
      sessionId: 'ses_1',
      authenticatedAt,
      placement: home,
      scopes: ['data:read'],
    })
    expect(decodeJwt(narrowed)).toMatchObject({ workspace_id: workspaceId, scope: 'data:read' })
    const short = decodeJwt(
      await issueAccessToken(
        auth.context,
        { type: 'user', id, sessionId: 'ses_1', authenticatedAt },
        { lifetimeSeconds: -1 },
      ),
    )
    expect(Number(short.exp)).toBe(Number(short.iat) - 1)
  })
})

/** Runs the seed process until it exits. */
async function run(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const program = await bundledProgram('services/auth/src/seed-main.ts', env)
  const child = spawn(process.execPath, [program.path], { env: program.env })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => lines.push(String(chunk)))
  const [code] = await once(child, 'close')
  return { code: Number(code), output: lines.join('') }
}
