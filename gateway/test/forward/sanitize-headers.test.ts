import { describe, expect, it } from '@jest/globals'
import { networkPrefix } from '@wp/service'
import { sanitizeHeaders } from '../../src/forward/sanitize-headers.ts'
import { malformedRequestResponse } from '../../src/malformed-request.ts'

describe('header hygiene', () => {
  it('keeps Basic and cookies only where they are allowed', () => {
    const left = (authorization: string, basic: boolean, cookies: boolean) => {
      const headers = { authorization, cookie: 'a=1' }
      sanitizeHeaders(headers, { basic, cookies })
      return Object.keys(headers)
    }
    expect(left('Basic eDp5', true, false)).toEqual(['authorization'])
    expect(left('Basic eDp5', false, true)).toEqual(['cookie'])
    expect(left('Bearer x', true, true)).toEqual(['cookie'])
  })

  it('never unframes a body', () => {
    const headers = {
      'transfer-encoding': 'chunked',
      connection: 'transfer-encoding, content-length',
      'content-length': '3',
    }
    sanitizeHeaders(headers, { basic: false, cookies: false })
    expect(headers).toEqual({ 'transfer-encoding': 'chunked', 'content-length': '3' })
  })
})

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['', ''],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['64:ff9b::1.2.3.4', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, network) => expect(networkPrefix(address)).toBe(network))
})

describe('what could not be read', () => {
  it.each([
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', 'header_fields_too_large'],
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'request_timeout'],
    ['HPE_INVALID_METHOD', '400 Bad Request', 'malformed_request'],
    [undefined, '400 Bad Request', 'malformed_request'],
  ])('is answered by its cause: %s', (code, line, problem) => {
    const [head = '', body = ''] = malformedRequestResponse(code, 'https://api.example.com').split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${line}\r\n`))
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`)
    expect(JSON.parse(body)).toMatchObject({ code: problem })
  })
})
