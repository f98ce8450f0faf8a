import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { uploadTypes } from '@wp/contracts/upload-types'
import { clientVersion, createClient } from '../src/client.ts'
import { type FakePlatform, startFakePlatform, success } from './fixture/fake-platform.ts'

const names = ['WP_BASE_URL', 'WP_API_KEY', 'WP_TOKEN'] as const
const before = names.map((name) => process.env[name])
const setVariables = (values: Partial<Record<(typeof names)[number], string>>) => {
  for (const name of names) delete process.env[name]
  Object.assign(process.env, values)
}

let platform: FakePlatform
beforeEach(async () => {
  platform = await startFakePlatform()
  platform.reply('/v1/system/workspace', success({ name: 'Acme' }))
})
afterEach(async () => {
  setVariables(Object.fromEntries(names.flatMap((name, index) => (before[index] ? [[name, before[index]]] : []))))
  await platform.stop()
})

const sentHeaders = async (options?: Parameters<typeof createClient>[0]) => {
  await createClient(options).system.getWorkspace()
  return platform.requests.at(-1)?.headers
}

describe('a client without address and credential', () => {
  it('uses those of the environment, without white space around the secret', async () => {
    setVariables({ WP_BASE_URL: platform.baseUrl, WP_API_KEY: 'key_1\n' })
    expect(await sentHeaders()).toMatchObject({ 'x-api-key': 'key_1' })
    setVariables({ WP_BASE_URL: platform.baseUrl, WP_TOKEN: ' token_1 ' })
    expect(await sentHeaders()).toMatchObject({ authorization: 'Bearer token_1' })
  })

  it('names the variable that is missing, and refuses two credentials', () => {
    setVariables({ WP_API_KEY: 'key_1' })
    expect(() => createClient()).toThrow(/^baseUrl: .* WP_BASE_URL$/)
    setVariables({ WP_BASE_URL: platform.baseUrl })
    expect(() => createClient()).toThrow(/^credential: .* WP_API_KEY or WP_TOKEN$/)
    setVariables({ WP_BASE_URL: platform.baseUrl, WP_API_KEY: 'key_1', WP_TOKEN: 'token_1' })
    expect(() => createClient()).toThrow(/^credential: WP_API_KEY and WP_TOKEN are both set/)
  })
})

it('a request names the client and its version, or what the caller names', async () => {
  const options = { baseUrl: platform.baseUrl, credential: { apiKey: 'key_1' } }
  expect(await sentHeaders(options)).toMatchObject({
    'user-agent': `workspace-platform-js/${clientVersion} node/${process.versions.node}`,
  })
  expect(await sentHeaders({ ...options, headers: { 'User-Agent': 'own/1' } })).toMatchObject({ 'user-agent': 'own/1' })
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  expect(clientVersion).toBe(version)
})

it.each(['', '\n', 'key\n_1', 'key 1', 'kéy_1'])('refuses the secret %j without showing it', async (secret) => {
  const baseUrl = platform.baseUrl
  const attempts: (() => unknown)[] = [
    () => createClient({ baseUrl, credential: { apiKey: secret } }),
    () => createClient({ baseUrl, credential: { clientId: 'sp_1', clientSecret: secret } }),
    () => createClient({ baseUrl, credential: { accessToken: () => secret } }).system.getWorkspace(),
  ]
  for (const attempt of attempts) {
    const error: Error = await Promise.resolve()
      .then(attempt)
      .then(
        () => new Error('nothing was thrown'),
        (thrown) => thrown,
      )
    expect(error.message).toMatch(/^(apiKey|accessToken|clientSecret): (is empty|contains white space)/)
    if (secret.trim() !== '') expect(error.message).not.toContain(secret)
  }
})

it('sends files with the content types that the Python client has', () => {
  const upload = readFileSync(
    join(import.meta.dirname, '../../../clients/python/src/workspace_platform/upload.py'),
    'utf8',
  )
  const types = Object.fromEntries(
    [...upload.matchAll(/^ {4}"\.(\w+)": "([\w./+-]+)",$/gm)].map(([, name, type]) => [name, type]),
  )
  expect(types).toEqual(uploadTypes)
})
