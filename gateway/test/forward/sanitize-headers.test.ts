import { describe, expect, it } from '@jest/globals'
import { sanitizeHeaders } from '../../src/forward/sanitize-headers.ts'

describe('sanitizeHeaders', () => {
  it('keeps Basic credentials and cookies only if they are allowed', () => {
    const remaining = (authorization: string, basic: boolean, cookies: boolean) => {
      const headers = { authorization, cookie: 'a=1' }
      sanitizeHeaders(headers, { basic, cookies: () => cookies })
      return Object.keys(headers)
    }
    expect(remaining('Basic eDp5', true, false)).toEqual(['authorization'])
    expect(remaining('Basic eDp5', false, true)).toEqual(['cookie'])
    expect(remaining('Bearer x', true, true)).toEqual(['cookie'])
  })

  it('keeps exactly the allowed cookies, whatever the form of the list', () => {
    const cookiesOf = (cookie: string) => {
      const headers = { cookie }
      sanitizeHeaders(headers, { cookies: (name) => name === 'mine' })
      return headers.cookie
    }
    expect(cookiesOf('mine=1')).toBe('mine=1')
    expect(cookiesOf('other=1; mine=a=b;mine=2 ;; mine ; Mine=3;mine2=4; =mine')).toBe('mine=a=b; mine=2; mine')
    expect(cookiesOf('other="; mine=1"')).toBe('mine=1"')
    for (const none of ['other=1', '', ';', 'other=mine=1', 'MINE=1']) expect(cookiesOf(none)).toBeUndefined()
  })

  it('keeps the header that selects a workspace only if it is allowed', () => {
    const namesOf = (workspaceKey: boolean, connection = 'keep-alive') => {
      const headers = { 'x-workspace-key': 'a', x_workspace_key: 'b', 'x-workspace-id': 'c', connection }
      sanitizeHeaders(headers, { workspaceKey })
      return Object.keys(headers)
    }
    expect(namesOf(true)).toEqual(['x-workspace-key'])
    expect(namesOf(false)).toEqual([])
    expect(namesOf(true, 'x-workspace-key')).toEqual([])
  })

  it('keeps the framing of a body, even if Connection lists it', () => {
    const headers = {
      'transfer-encoding': 'chunked',
      connection: 'transfer-encoding, content-length',
      'content-length': '3',
    }
    sanitizeHeaders(headers, {})
    expect(headers).toEqual({ 'transfer-encoding': 'chunked', 'content-length': '3' })
  })
})
