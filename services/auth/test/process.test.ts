import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { readConfig } from '@wp/service'
import { eventually, findFreePort, programEnvironment } from '@wp/testkit'
import { config } from '../src/config.ts'
import { presentApiKey, startTestAuth } from './fixture/auth.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

describe('the auth process', () => {
  it('serves requests, logs no secret at level debug, and stores last uses on SIGTERM', async () => {
    const port = String(await findFreePort())
    const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
      env: programEnvironment({ ...auth.service.env, PORT: port, LOG_LEVEL: 'debug' }),
    })
    const lines: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => lines.push(String(chunk)))
    const ended = once(child, 'exit')
    const url = `http://127.0.0.1:${port}`
    await eventually(async () => (await fetch(`${url}/readyz`)).ok, {
      description: 'the process to be ready',
    })

    const send = async (method: string, path: string, body: object, caller = auth.machine) => {
      const headers = { 'content-type': 'application/json', 'x-workspace-scope': await auth.service.assertion(caller) }
      const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
      const text = await response.text()
      return { status: response.status, data: JSON.parse(text) }
    }
    const { client_id, client_secret } = auth.seeded
    const wrong = 'wpcs_wrong-but-recognisable'
    expect((await send('POST', '/v1/auth/token', { client_id, client_secret: wrong })).status).toBe(401)
    const token = await send('POST', '/v1/auth/token', { client_id, client_secret })
    expect(token.status).toBe(200)
    const key = await send('POST', '/v1/auth/api-key', { name: 'logged' })
    expect(key.status).toBe(201)
    const presented = presentApiKey(key.data.data.api_key)
    const system = { ...auth.machine, principal: { id: 'svc:gateway', type: 'service' as const }, workspaceId: null }
    const resolved = await send('POST', '/internal/auth/resolve', presented, system)
    expect(resolved.data.data.status).toBe('active')
    expect((await send('POST', '/v1/auth/token', { client_id, client_secret, scope: 'x' })).status).toBe(400)

    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    const output = lines.join('')
    expect(output).toContain('auth.exchangeToken')
    const secrets = [client_secret, wrong, token.data.access_token, key.data.data.api_key.slice(-36), presented.hash]
    for (const secret of secrets) expect(output).not.toContain(secret)
    const [used] = await auth.rows<{ lastUsedAt: Date | null }>('SELECT last_used_at FROM api_keys WHERE key_id = $1', [
      key.data.data.key_id,
    ])
    expect(used?.lastUsedAt).toBeInstanceOf(Date)
  })

  it('accepts the well-known KEK only in development', () => {
    const env = { ...auth.service.env, KEK: Buffer.alloc(32).toString('base64') }
    for (const ENVIRONMENT of ['production', 'sandbox'])
      expect(() => readConfig(config, { ...env, ENVIRONMENT })).toThrow(
        /KEK is not valid: must not be the public development key/,
      )
    expect(readConfig(config, env).ENVIRONMENT).toBe('development')
  })
})
