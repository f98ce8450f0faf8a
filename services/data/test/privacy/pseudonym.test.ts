import { createHmac } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { columnMatchKey } from '@wp/contracts'
import { canonicalText, createPseudonymizer, createPseudonymKey } from '../../src/privacy/pseudonym.ts'

describe('a pseudonym', () => {
  it('is the beginning of HMAC-SHA-256 under the key', () => {
    const key = createPseudonymKey()
    const expected = createHmac('sha256', Buffer.from(key, 'base64')).update('17').digest().subarray(0, 16)
    expect(createPseudonymizer(key)(17)).toBe(`p_${expected.toString('base64url')}`)
  })

  it('is the same again, after more values than are remembered', () => {
    const pseudonymOf = createPseudonymizer(createPseudonymKey())
    const values = Array.from({ length: 20_100 }, (_, at) => `E${at}`)
    const pseudonyms = values.map((value) => pseudonymOf(value))
    expect(values.map((value) => pseudonymOf(value))).toEqual(pseudonyms)
    expect(new Set(pseudonyms).size).toBe(values.length)
  })

  it('differs by key', () => {
    expect(createPseudonymizer(createPseudonymKey())('17')).not.toBe(createPseudonymizer(createPseudonymKey())('17'))
  })

  it.each<[string, unknown, unknown]>([
    ['a number and its text', 17, '17'],
    ['a number of a spreadsheet with decimals', 17, '17.0'],
    ['a number with leading zeros, which a spreadsheet drops', '0017', 17],
    ['a number with leading zeros and decimals', '0017.0', 17],
    ['white space around a text', 'A 1', '\u00a0A 1 \t'],
    ['composed and decomposed letters', 'Zo\u00eb', 'Zoe\u0308'],
    ['zero and negative zero', 0, -0],
    ['a large number and its digits', 1e21, '1000000000000000000000'],
    ['a boolean and its text', true, 'true'],
    ['objects with members in another order', { a: 1, b: [2] }, { b: [2], a: 1 }],
    ['a mail address with capitals', 'Zoe.Adler@Example.com', 'zoe.adler@example.com'],
    ['spaces and soft hyphens within a text', 'A 1', 'A \u00a01\u00ad'],
    ['a large integer of Parquet', 9_007_199_254_740_993n, '9007199254740993'],
  ])('is the same for %s', (_title, one, other) => {
    expect(canonicalText(one)).toBe(canonicalText(other))
  })

  it.each<[string, unknown, unknown]>([
    ['zeros before letters', '00A7', 'A7'],
    ['another case', 'abc', 'ABC'],
    ['another case of a text with an @', 'abc@1', 'ABC@1'],
    ['decimals that count', '1.10', '1.1'],
  ])('is another one for %s', (_title, one, other) => {
    expect(canonicalText(one)).not.toBe(canonicalText(other))
  })

  it('of a key keeps leading zeros, and is otherwise that of the value', () => {
    const pseudonymOf = createPseudonymizer(createPseudonymKey())
    expect(pseudonymOf('0417', true)).not.toBe(pseudonymOf('0417'))
    // Spreadsheets write an apostrophe before a number that is a text.
    expect(pseudonymOf("'0417", true)).toBe(pseudonymOf('0417', true))
    for (const value of ['417', "'417", '417.0', 417, '0', 'A1', 'Ann@Example.com'])
      expect(pseudonymOf(value, true)).toBe(pseudonymOf(value))
  })

  it.each([
    ...[null, undefined, '', ' ', '\u00a0\t', 'NULL', 'null', '#N/A', '#N/D', '#NV', '#Н/Д', '#ref!', '####'],
    ...['#NULL!', '#NULO!', '#¡NULO!', '#ÜBERLAUF!', '#KALK!', '#BLOCKED!', '#¿NOMBRE?', '#DIV/0!', '#ИМЯ?'],
  ])('is null for %j', (value) => {
    expect(createPseudonymizer(createPseudonymKey())(value)).toBeNull()
  })

  it.each(['Null', '#1', '#Team!', '#A7'])('is one of its own for %j', (value) => {
    expect(createPseudonymizer(createPseudonymKey())(value)).toEqual(expect.stringMatching(/^p_/))
  })
})

it('names of protected columns match without regard to case, spaces, punctuation and invisible characters', () => {
  for (const name of ['user_id', 'UserID', ' User  Id ', 'USER-ID', '\ufeffUser ID', 'Ｕｓｅｒ\u200b ID'])
    expect(columnMatchKey(name)).toBe(columnMatchKey('User ID'))
  expect(columnMatchKey('User ID 2')).not.toBe(columnMatchKey('User ID'))
  expect(columnMatchKey('#')).not.toBe(columnMatchKey('%'))
})
