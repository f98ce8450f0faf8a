import { describe, expect, it } from '@jest/globals'
import { toSafeUrl } from '../../../../web/src/ui/format/untrusted-text.ts'

describe('toSafeUrl', () => {
  it.each(['https://example.com/a?b=c', 'http://127.0.0.1:8080/'])('accepts %s', (url) =>
    expect(toSafeUrl(url)).toBe(url),
  )

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//example.com',
    'example.com',
    '',
  ])('refuses %j', (url) => expect(toSafeUrl(url)).toBeUndefined())
})
