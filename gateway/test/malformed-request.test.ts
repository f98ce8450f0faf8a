import { describe, expect, it } from '@jest/globals'
import { malformedRequestResponse } from '../src/malformed-request.ts'

describe('malformedRequestResponse', () => {
  it.each([
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', 'header_fields_too_large'],
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'request_timeout'],
    ['HPE_INVALID_METHOD', '400 Bad Request', 'malformed_request'],
    [undefined, '400 Bad Request', 'malformed_request'],
  ])('returns a problem for the parser error %s', (code, line, problem) => {
    const [head = '', body = ''] = malformedRequestResponse(code, 'https://api.example.com').split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${line}\r\n`))
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`)
    expect(JSON.parse(body)).toMatchObject({ code: problem })
  })
})
