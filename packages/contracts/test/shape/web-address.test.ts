import { describe, expect, it } from '@jest/globals'
import { canonicalHost, readWebAddress } from '../../src/index.ts'

describe('a URL', () => {
  it.each([
    [' https://example.com/hook ', 'https://example.com/hook'],
    ['\thttps://example.com/hook\n', 'https://example.com/hook'],
    ['HTTPS://Example.COM', 'https://example.com/'],
    ['https://example.com:443/a/../b', 'https://example.com/b'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://example.com/?q=a\\b#c\\d', 'https://example.com/?q=a\\b#c\\d'],
  ])('is canonical when it was entered as %j', (text, url) => {
    expect(readWebAddress(text)).toEqual({ url })
  })

  it.each([
    ['https:///host', 'must begin with https:// and a host name'],
    ['https:host', 'must begin with https:// and a host name'],
    ['https:/host', 'must begin with https:// and a host name'],
    ['//host', 'is not valid'],
    ['host', 'is not valid'],
    ['', 'is not valid'],
    ['https://ho\tst/', 'must not contain spaces, control or invisible characters'],
    ['https://host/a\nb', 'must not contain spaces, control or invisible characters'],
    ['https://ho\u00adst/', 'must not contain spaces, control or invisible characters'],
    ['https://host/\u202efdp', 'must not contain spaces, control or invisible characters'],
    ['https://host/a b', 'must not contain spaces, control or invisible characters'],
    ['https://a\\@b', 'must not contain a backslash'],
    ['https:\\\\host', 'must not contain a backslash'],
    ['https://host\\path', 'must not contain a backslash'],
    ['https://ho st', 'is not valid'],
    ['https://[::1', 'is not valid'],
  ])('is refused when it was entered as %j', (text, fault) => {
    expect(readWebAddress(text)).toEqual({ fault })
  })
})

it.each([
  [' DB.Example.COM ', 'db.example.com'],
  ['münchen.example', 'xn--mnchen-3ya.example'],
  ['16843009', '1.1.1.1'],
  ['0x1.1.1.1', '1.1.1.1'],
  ['2606:4700:0::1111', '2606:4700::1111'],
  ['[2606:4700::1111]', '2606:4700::1111'],
  ['host/path', 'host/path'],
  ['user@host', 'user@host'],
  ['host:80', 'host:80'],
  ['ho st', 'ho st'],
])('the host %j is stored as %j', (text, host) => {
  expect(canonicalHost(text)).toBe(host)
})
