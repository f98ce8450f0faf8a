import { describe, expect, test } from '@jest/globals'
import { apiKeySnippets, principalSnippets } from '../../../../web/src/developer/shared/snippets.ts'

const address = { baseUrl: 'https://platform.example', workspaceId: 'ws_1' }
const programs = (snippets: readonly { language: string; code: string }[]) =>
  Object.fromEntries(snippets.map(({ language, code }) => [language, code]))

describe('principalSnippets', () => {
  test('contain the secret in curl only when it is known', () => {
    const { curl, TypeScript, Python } = programs(
      principalSnippets({ ...address, clientId: 'sp_1', clientSecret: 'secret_1' }),
    )
    expect(curl).toContain('-u "sp_1:secret_1"')
    expect(TypeScript).toContain("clientId: 'sp_1'")
    expect(Python).toContain(`f"sp_1:{os.environ['WP_CLIENT_SECRET']}"`)
    expect(`${TypeScript}${Python}`).not.toContain('secret_1')
  })

  test('read what is missing from the environment', () => {
    const { curl, TypeScript, Python } = programs(principalSnippets(address))
    expect(curl).toContain('-u "$WP_CLIENT_ID:$WP_CLIENT_SECRET"')
    expect(TypeScript).toContain("clientId: process.env.WP_CLIENT_ID ?? ''")
    expect(Python).toContain(`f"{os.environ['WP_CLIENT_ID']}:{os.environ['WP_CLIENT_SECRET']}"`)
  })
})

test('apiKeySnippets contain the key in curl only', () => {
  const { curl, TypeScript, Python } = programs(apiKeySnippets(address.baseUrl, 'key_1'))
  expect(curl).toContain('x-api-key: key_1')
  expect(`${TypeScript}${Python}`).not.toContain('key_1')
})
