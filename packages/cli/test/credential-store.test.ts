import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { StoredSession } from '../src/credentials/credential.ts'
import { createCredentialStore } from '../src/credentials/credential-store.ts'

const folder = await mkdtemp(join(tmpdir(), 'wp-store-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const [production, sandbox] = ['https://api.example.com', 'https://sandbox.example.com']
const session = (token: string): StoredSession => ({
  type: 'session',
  access_token: token,
  refresh_token: `refresh ${token}`,
  expires_at_ms: 1,
})

describe('the credential store', () => {
  it('keeps the current platform and the workspace when the session of another one is refreshed', async () => {
    const store = createCredentialStore({ env: { XDG_CONFIG_HOME: folder, WP_CREDENTIAL_STORE: 'file' } })
    await store.write(sandbox, session('a'), 'ws_1')
    await store.write(production, session('b'), undefined)
    await store.update(sandbox, session('c'))
    expect(await store.currentBaseUrl()).toBe(production)
    expect(await store.read(sandbox)).toEqual({ credential: session('c'), workspaceId: 'ws_1' })
    expect(await store.read(production)).toEqual({ credential: session('b'), workspaceId: undefined })
    expect(await store.remove(production)).toBe(true)
    expect(await store.read(production)).toBeUndefined()
    expect(await store.remove(production)).toBe(false)
  })
})
