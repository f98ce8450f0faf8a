import { describe, expect, it } from '@jest/globals'
import { type Computation, extremeOf, parseQuestion, periodOf } from '../../../../src/models/local/language/question.ts'
import { fold, languageOf, stemOf } from '../../../../src/models/local/language/words.ts'

describe('parseQuestion', () => {
  it.each<[string, Computation | undefined]>([
    ['How many desks are free?', 'count'],
    ['What is the number of contracts?', 'count'],
    ['Wie viele Verträge gibt es?', 'count'],
    ['What do we pay in total?', 'sum'],
    ['Wie hoch sind die Kosten insgesamt?', 'sum'],
    ['What is the average cost?', 'mean'],
    ['Was kostet ein Vertrag im Schnitt?', 'mean'],
    ['Which building is the busiest?', 'max'],
    ['Welches Gebäude ist das größte?', 'max'],
    ['Which is the cheapest contract?', 'min'],
    ['Welcher Vertrag ist am günstigsten, der billigste?', 'min'],
    ['May I bring at most two guests?', undefined],
    ['When does the canteen open?', undefined],
  ])('%s computes %s', (text, computation) => expect(parseQuestion(text).computation).toBe(computation))

  it.each([
    ['Visitors by city', ['city']],
    ['Kosten pro Gebäude', ['building']],
    ['Which building has the most visitors?', ['building']],
    ['Cost per month by category', ['month', 'category']],
  ])('%s groups by %j', (text, nouns) =>
    expect(parseQuestion(text).groupWords).toEqual(nouns.map((noun) => parseQuestion(`by ${noun}`).groupWords[0])),
  )

  it.each([
    ['Contracts that cost more than 1,500 per month', [{ operator: 'gt', value: 1500 }]],
    ['Verträge über 1.500 Euro', [{ operator: 'gt', value: 1500 }]],
    [
      'below € 99.5 and at least 10',
      [
        { operator: 'lt', value: 99.5 },
        { operator: 'gte', value: 10 },
      ],
    ],
    ['more than enough', []],
  ])('%s has the bounds %j', (text, bounds) => expect(parseQuestion(text).bounds).toEqual(bounds))

  it.each([
    ['in 2026', '2026-01-01', '2027-01-01'],
    ['in March 2026', '2026-03-01', '2026-04-01'],
    ['im Dezember 2025', '2025-12-01', '2026-01-01'],
    ['on 28 February 2026', '2026-02-28', '2026-03-01'],
    ['am 11. März 2026', '2026-03-11', '2026-03-12'],
    ['on March 3rd, 2026', '2026-03-03', '2026-03-04'],
    ['on 2026-03-31', '2026-03-31', '2026-04-01'],
  ])('%s is from %s until %s', (text, from, until) => expect(periodOf(fold(text))).toEqual({ from, until }))

  it('has no period without a year, nor for a number', () => {
    expect(['in March', 'room 2026', 'soon'].map((text) => periodOf(text))).toEqual([undefined, undefined, undefined])
  })

  it('keeps the words with a meaning, and abbreviations', () => {
    const words = (text: string) => parseQuestion(text).words.map(({ text: word }) => word)
    expect(words('What is the average cost of IT contracts?')).toEqual(['cost', 'IT', 'contracts'])
    expect(words('Wie viele Besucher hat das Haus?')).toEqual(['Besucher', 'Haus'])
  })

  it('ranks in one direction', () => {
    expect([extremeOf('the most expensive'), extremeOf('die wenigsten'), extremeOf('the average')]).toEqual([
      'max',
      'min',
      undefined,
    ])
    expect(parseQuestion('Show the top 3 contracts by cost').count).toBe(3)
  })
})

describe('words', () => {
  it.each([
    ['policy', 'policies'],
    ['Vertrag', 'Verträge'],
    ['Gebäude', 'Gebaeude'],
    ['clean', 'cleaning', 'cleaned'],
    ['plan', 'plans', 'planned'],
    ['Straße', 'strasse'],
  ])('%s has the stem of its forms', (...forms) => expect(new Set(forms.map(stemOf)).size).toBe(1))

  it.each([
    ['How many are there?', 'en'],
    ['Wie viele gibt es?', 'de'],
    ['Kündigungsfrist', 'de'],
    ['visitors', 'en'],
  ])('%s is in %s', (text, language) => expect(languageOf(text)).toBe(language))
})
