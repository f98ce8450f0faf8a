import { describe, expect, it } from '@jest/globals'
import { mailAddress } from '../../src/core/shape/mail-address.ts'
import { toMailAddress, validateInput } from '../../src/index.ts'

describe('a mail address', () => {
  it.each([
    ['r&d@example.com', 'r&d@example.com'],
    ['a/b@example.com', 'a/b@example.com'],
    ['a=b@example.com', 'a=b@example.com'],
    ["!#$%&'*+-/=?^_`{|}~@example.com", "!#$%&'*+-/=?^_`{|}~@example.com"],
    ['user@example.xn--p1ai', 'user@example.xn--p1ai'],
    ['user@пример.рф', 'user@xn--e1afmkfd.xn--p1ai'],
    ['user@münchen.example', 'user@xn--mnchen-3ya.example'],
    ['user@xn--mnchen-3ya.example', 'user@xn--mnchen-3ya.example'],
    ['user@mu\u0308nchen.example', 'user@xn--mnchen-3ya.example'],
    ['jo\u0308rg@example.com', 'j\u00f6rg@example.com'],
    ['δοκιμή@παράδειγμα.δοκιμή', 'δοκιμή@xn--hxajbheg2az3al.xn--jxalpdlp'],
    [' Ada.Lovelace@Example.COM\n', 'ada.lovelace@example.com'],
    [`${'x'.repeat(64)}@example.com`, `${'x'.repeat(64)}@example.com`],
    [`${'ö'.repeat(32)}@example.com`, `${'ö'.repeat(32)}@example.com`],
  ])('is read when it is %j', (text, address) => {
    expect(toMailAddress(text)).toBe(address)
    expect(toMailAddress(address)).toBe(address)
  })

  it.each([
    ['a local part of 65 octets', `${'x'.repeat(65)}@example.com`],
    ['a local part of 33 letters of two octets', `${'ö'.repeat(33)}@example.com`],
    ['255 octets', `a@${'x.'.repeat(125)}com`],
    ['no at sign', 'example.com'],
    ['no local part', '@example.com'],
    ['no domain', 'a@'],
    ['two at signs', 'a@b@example.com'],
    ['a dot at the start', '.a@example.com'],
    ['two dots', 'a..b@example.com'],
    ['a dot at the end', 'a.@example.com'],
    ['a space', 'a b@example.com'],
    ['a line break', 'a\nb@example.com'],
    ['a quoted local part', '"a b"@example.com'],
    ['a name', 'Ada <ada@example.com>'],
    ['two addresses', 'a@example.com,b@example.com'],
    ['an address literal', 'a@[127.0.0.1]'],
    ['an IPv4 address', 'a@127.0.0.1'],
    ['a domain of one label', 'a@localhost'],
    ['a domain with a dot at the end', 'a@example.com.'],
    ['a domain with an underscore', 'a@my_host.example'],
    ['a domain with a hyphen at the start', 'a@-x.example'],
    ['a domain with a port', 'a@example.com:25'],
    ['a domain with a path', 'a@example.com/x'],
    ['a KELVIN SIGN, which lower case turns into k', '\u212aate@example.com'],
    ['a dotted capital I, which lower case turns into i', '\u0130lker@example.com'],
    ['an invisible character', 'a\u200bb@example.com'],
    ['NUL', 'a\0@example.com'],
  ])('is refused when it has %s', (_, text) => {
    expect(toMailAddress(text)).toBeUndefined()
    expect(validateInput(mailAddress(), text)).toEqual({
      success: false,
      errors: [{ pointer: '', detail: 'must be a mail address' }],
    })
  })
})
