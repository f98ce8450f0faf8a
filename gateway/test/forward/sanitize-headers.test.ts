import { describe, expect, it } from '@jest/globals'
import { sanitizeHeaders } from '../../src/forward/sanitize-headers.ts'

describe('sanitizeHeaders', () => {
  it('keeps Basic credentials and cookies only if they are allowed', () => {
    const remaining = (authorization: string, basic: boolean, cookies: boolean) => {
      const headers = { authorization, cookie: 'a=1' }
      sanitizeHeaders(headers, { basic, cookies })
      return Object.keys(headers)
    }
    expect(remaining('Basic eDp5', true, false)).toEqual(['authorization'])
    expect(remaining('Basic eDp5', false, true)).toEqual(['cookie'])
    expect(remaining('Bearer x', true, true)).toEqual(['cookie'])
  })

  it('keeps the framing of a body, even if Connection lists it', () => {
    const headers = {
      'transfer-encoding': 'chunked',
      connection: 'transfer-encoding, content-length',
      'content-length': '3',
    }
    sanitizeHeaders(headers, { basic: false, cookies: false })
    expect(headers).toEqual({ 'transfer-encoding': 'chunked', 'content-length': '3' })
  })
})
