import { describe, expect, it } from '@jest/globals'
import { browserSessionCookie } from '../../src/sign-in/cookies.ts'

describe('the cookie of a browser session', () => {
  it('has the prefix __Host- and no narrower path with https', () => {
    const field = browserSessionCookie('https://api.example.com').set('value', 60)
    expect(field).toBe('__Host-browser-session=value; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure')
  })

  it('is not read under another prefix', () => {
    const cookie = browserSessionCookie('https://api.example.com')
    expect(cookie.read('__Host-browser-session=a')).toBe('a')
    expect(cookie.read('__Secure-browser-session=a; browser-session=b')).toBeUndefined()
  })

  it('is sent to the pages of an authorization only with http on loopback', () => {
    expect(browserSessionCookie('http://127.0.0.1:8080').set('value', 60)).toBe(
      'browser-session=value; Max-Age=60; Path=/v1/auth/authorize; HttpOnly; SameSite=Lax',
    )
  })
})
