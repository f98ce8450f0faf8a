import { describe, expect, it } from '@jest/globals'
import { createWordComparison } from '../../../../src/models/local/language/vocabulary.ts'
import { type Language, languageOf, stemOf, wordsOf } from '../../../../src/models/local/language/words.ts'

describe('words', () => {
  it.each([
    ['policy', 'policies'],
    ['Vertrag', 'Verträge'],
    ['Gebäude', 'Gebaeude'],
    ['clean', 'cleaning', 'cleaned'],
    ['plan', 'plans', 'planned'],
    ['Straße', 'strasse'],
  ])('%s has the stem of its forms', (...forms) => expect(new Set(forms.map(stemOf)).size).toBe(1))

  it.each<[string, string, boolean, Language]>([
    ['ticket', 'tickets', true, 'en'],
    ['category', 'categories', true, 'en'],
    ['München', 'Munich', true, 'en'],
    ['offene', 'offen', true, 'de'],
    ['Mitarbeiter', 'employee', true, 'de'],
    ['close', 'closed', false, 'en'],
    ['open', 'opened', false, 'en'],
    ['use', 'user', false, 'en'],
    ['price', 'cost', false, 'en'],
  ])('%s and %s are the same word of a table: %s', (a, b, isSame, language) =>
    expect(createWordComparison(language)(a, b)).toBe(isSame),
  )

  it.each([
    ['How many are there?', 'en'],
    ['Wie viele gibt es?', 'de'],
    ['Kündigungsfrist', 'de'],
    ['visitors', 'en'],
    ['How many bookings without catering in Zürich?', 'en'],
    ['Umsatz in München', 'de'],
    ['visitors before 9 am in January', 'en'],
  ])('%s is in %s', (text, language) => expect(languageOf(text)).toBe(language))

  it('reads numbers and days as one word, and a contracted negation as two', () => {
    const words = (text: string) => wordsOf(text).map(({ text: word }) => word)
    expect(words("Aren't 1,500.5 of Anna's due on 2026-03-31?")).toEqual(
      ['Are', 'not', '1,500.5', 'of', 'Anna', 'due', 'on', '2026-03-31'], // biome-ignore format: one line
    )
  })
})
