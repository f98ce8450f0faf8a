import { describe, expect, it } from '@jest/globals'
import { publicEndpoints, resourceName, validateInput } from '../../src/index.ts'

const read = (text: string, max = 20) => validateInput(resourceName(max), text)

describe('a name', () => {
  it.each([
    ['decomposed letters', 'Mu\u0308ller', 'M\u00fcller'],
    ['white space around it', '\t Sales \n', 'Sales'],
    ['runs of white space', 'Sales \u00a0\t  North', 'Sales North'],
    ['an emoji of several characters', 'Team 👩‍👩‍👧 ❤️', 'Team 👩‍👩‍👧 ❤️'],
    ['a non-joiner between Persian letters', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['a joiner between letters of Devanagari', 'क्\u200dष', 'क्\u200dष'],
  ])('is kept or folded when it has %s', (_, text, name) => {
    expect(read(text)).toEqual({ success: true, data: name })
  })

  it.each([
    ['U+200B', 'analyst\u200b'],
    ['U+200D', 'ana\u200dlyst'],
    ['U+00AD', 'ana\u00adlyst'],
    ['U+202E', 'tsyl\u202eana'],
    ['U+2060', 'a\u2060b'],
    ['U+3164', '\u3164'],
    ['U+E0061', 'a\u{e0061}'],
    ['U+FE0F', 'a\ufe0f'],
    ['U+0000', 'a\0b'],
    ['U+001B', 'a\u001bb'],
  ])('is refused when it contains %s', (codePoint, text) => {
    expect(read(text)).toMatchObject({
      errors: [{ detail: `must not contain invisible characters such as ${codePoint}` }],
    })
  })

  it('has its length measured after it was folded', () => {
    expect(read('  ab  ', 2)).toEqual({ success: true, data: 'ab' })
    expect(read('abc', 2)).toMatchObject({ errors: [{ detail: 'must have at most 2 characters' }] })
    expect(read(' \u00a0 ')).toMatchObject({ errors: [{ detail: 'must not be empty' }] })
  })
})

describe('the name of a resource', () => {
  const faultsOfName = (body: Parameters<typeof validateInput>[0], name: unknown) => {
    const result = validateInput(body, { provider: 'upload', name })
    return result.success ? [] : result.errors.filter(({ pointer }) => pointer === '/name')
  }
  const named = publicEndpoints.flatMap(({ definition: { id, body } }) =>
    body !== undefined && faultsOfName(body, 5).length > 0 ? [[id, body] as const] : [],
  )

  it('is refused by every endpoint that takes one when it contains a character without a glyph', () => {
    expect(named.length).toBeGreaterThan(15)
    const accepting = named.filter(([, body]) => faultsOfName(body, 'a\u202eb').length === 0)
    expect(accepting.map(([id]) => id)).toEqual([])
  })
})
