import { expect, test } from '@jest/globals'
import { describeUserAgent } from '../../src/sign-in/describe-user-agent.ts'

test('describeUserAgent names browser and system', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
  expect(describeUserAgent(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`)).toBe('Chrome on Windows')
  expect(describeUserAgent(`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/141.0.0.0`)).toBe('Edge on Windows')
  expect(describeUserAgent('Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0')).toBe(
    'Firefox on Linux',
  )
  const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
  expect(describeUserAgent(`Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${safari}`)).toBe('Safari on iPhone')
})

test('describeUserAgent names a program by its first word', () => {
  expect(describeUserAgent('curl/8.5.0')).toBe('curl')
  expect(describeUserAgent('node')).toBe('node')
})

test('describeUserAgent makes no link and no long text of a program', () => {
  expect(describeUserAgent('evil.example/1')).toBe('evilexample')
  expect(describeUserAgent('x'.repeat(500))).toBe('x'.repeat(40))
  expect(describeUserAgent('//')).toBe('Unknown device')
})

test('describeUserAgent admits that a device is unknown', () => {
  expect(describeUserAgent(null)).toBe('Unknown device')
})
