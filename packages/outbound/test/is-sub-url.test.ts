import { describe, expect, it } from '@jest/globals'
import { isSubUrl } from '../src/index.ts'

const base = 'https://api.example.com/v1/'

describe('isSubUrl', () => {
  it.each([
    'https://api.example.com/v1',
    'https://api.example.com/v1/',
    'https://api.example.com/v1/rows.csv?since=1#x',
    'https://API.example.com:443/v1/rows',
    'https://api.example.com/v1/a/../b',
    'https://api.example.com/v1/a%20b/..c',
  ])('accepts %s', (address) => expect(isSubUrl(address, base)).toBe(true))

  it.each([
    ['a relative URL', 'rows.csv'],
    ['another path', 'https://api.example.com/v2/rows'],
    ['a path with the same prefix', 'https://api.example.com/v10/rows'],
    ['another scheme', 'http://api.example.com/v1/rows'],
    ['another port', 'https://api.example.com:8443/v1/rows'],
    ['another host', 'https://api.example.com.evil.example/v1/rows'],
    ['another host after a user name', 'https://api.example.com@evil.example/v1/rows'],
    ['user info', 'https://u:p@api.example.com/v1/rows'],
    ['a parent directory', 'https://api.example.com/v1/../admin'],
    ['an encoded parent directory', 'https://api.example.com/v1/%2e%2E/admin'],
    ['a parent directory with backslashes', 'https://api.example.com/v1\\..\\admin'],
    ['an encoded slash', 'https://api.example.com/v1/..%2fadmin'],
    ['an encoded backslash', 'https://api.example.com/v1/..%5Cadmin'],
    ['a slash encoded twice', 'https://api.example.com/v1/..%252fadmin'],
    ['a parent directory encoded twice', 'https://api.example.com/v1/%252e%252e/admin'],
    ['a parent directory with a parameter', 'https://api.example.com/v1/..;/admin'],
    ['a parent directory with an encoded parameter', 'https://api.example.com/v1/..%3b/admin'],
  ])('rejects %s', (_what, address) => expect(isSubUrl(address, base)).toBe(false))

  it('accepts any path of the origin when the base has no path', () => {
    expect(isSubUrl('https://api.example.com/rows', 'https://api.example.com')).toBe(true)
    expect(isSubUrl('https://other.example.com/rows', 'https://api.example.com')).toBe(false)
  })
})
