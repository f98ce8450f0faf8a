import { describe, expect, it } from '@jest/globals'
import { maxAgeSecondsOf } from '../../src/clients/client-directory.ts'
import { isAllowedRedirectUri, matchesRedirectUri } from '../../src/clients/redirect-uri.ts'
import { parseClientId } from '../../src/clients/registered-client.ts'

describe('a redirect URI', () => {
  it.each([
    'https://client.example/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:4000/callback',
    'http://localhost/callback',
    'com.example.app:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://publisher.extension/callback',
  ])('may be %s', (uri) => expect(isAllowedRedirectUri(uri)).toBe(true))

  it.each([
    'http://client.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'https://client.example/callback#fragment',
    'https://user@client.example/callback',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'view-source:https://client.example',
    'ms-msdt:/id',
    'smb://host.example/share',
    'ssh://host.example',
    'search-ms:query=x',
    'unknown-editor://callback',
    'x-apple.systempreferences:x',
    'microsoft.windows.camera:x',
    'https://client.example/\u202ekcabllac',
    '/callback',
    ' https://client.example/',
    'https:client.example',
    'https://client.example\\@evil.example/',
    'https://client.example/\tcallback',
    '',
  ])('must not be %s', (uri) => expect(isAllowedRedirectUri(uri)).toBe(false))

  it.each([
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5000/callback', true],
    ['http://127.0.0.1:80/callback', 'http://127.0.0.1:5000/callback', true],
    ['http://localhost:3000/a?b=c', 'http://localhost:5000/a?b=c', true],
    ['http://[::1]/callback', 'http://[::1]:5000/callback', true],
    ['http://127.0.0.1/callback', 'http://localhost:5000/callback', false],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5000/callback/', false],
    ['http://127.0.0.1/callback', 'https://127.0.0.1:5000/callback', false],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5000@evil.example/callback', false],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:5000/callback#x', false],
    ['https://client.example/callback', 'https://client.example:8443/callback', false],
    ['com.example.app:/callback', 'com.example.app:/callback', true],
  ])('registered as %s is matched by %s: %s', (registered, requested, expected) => {
    expect(matchesRedirectUri(registered, requested)).toBe(expected)
  })
})

describe('a client id', () => {
  it.each([
    ['https://client.example/client.json', true],
    ['https://client.example/', false],
    ['https://client.example', false],
    ['https://client.example/a/../client.json', false],
    ['https://client.example/client.json#x', false],
    ['https://client.example/client.json#', false],
    ['https://user:secret@client.example/client.json', false],
    ['HTTPS://client.example/client.json', false],
    ['http://client.example/client.json', false],
    ['http://127.0.0.1:3000/client.json', false],
    ['ftp://client.example/client.json', false],
    ['console', false],
    [`https://client.example/${'x'.repeat(500)}`, false],
  ])('%s is one outside development: %s', (text, expected) => {
    expect(parseClientId(text, false) !== undefined).toBe(expected)
  })

  it('may be http on loopback in development only', () => {
    expect(parseClientId('http://127.0.0.1:3000/client.json', true)?.port).toBe('3000')
    expect(parseClientId('http://client.example/client.json', true)).toBeUndefined()
  })
})

it.each([
  [{}, 300],
  [{ 'cache-control': 'max-age=60' }, 60],
  [{ 'cache-control': 'public, max-age=600, s-maxage=20' }, 20],
  [{ 'cache-control': 'max-age=600', age: '500' }, 100],
  [{ 'cache-control': 'max-age=600', age: '900' }, 0],
  [{ 'cache-control': 'max-age=99999999' }, 86_400],
  [{ 'cache-control': 'no-store' }, 0],
  [{ 'cache-control': 'no-cache, max-age=60' }, 0],
])('a response with %j may be cached for %i seconds', (headers, seconds) => {
  expect(maxAgeSecondsOf(headers)).toBe(seconds)
})
