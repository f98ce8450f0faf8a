import { describe, expect, it } from '@jest/globals'
import { addText, compileNumberCells, compileTimeCells, createColumnEvidence, decideColumns } from '../src/index.ts'

const cellOptions = { nulls: new Set<string>(), onNull: () => {} }

/** Returns the values of a column as its file would be read, undefined if it stays text. */
function readColumn(texts: readonly string[], name = 'x') {
  const evidence = createColumnEvidence()
  for (const text of texts) addText(evidence, text, new Set())
  const [decision] = decideColumns([{ name, evidence, hints: {} }])
  if (decision?.outcome === 'timestamp') return texts.map(compileTimeCells([decision.format ?? ''], cellOptions))
  if (decision?.outcome !== 'number') return undefined
  return texts.map(compileNumberCells({ ...decision.format, unit: decision.unit }, cellOptions))
}

describe('a column of times', () => {
  it.each([
    ['Mo 05.01.2026', '2026-01-05'],
    ['05.01.2026 (Mo)', '2026-01-05'],
    ['05.01.2026, Mo 14:00', '2026-01-05T14:00:00'],
    ['Monday, January 5, 2026', '2026-01-05'],
    ['Monday, January 5, 2026 at 9:00 AM', '2026-01-05T09:00:00'],
    ['January 5th, 2026', '2026-01-05'],
    ['So., 4. Jan. 2026', '2026-01-04'],
    ['lundi 5 janvier 2026 à 7h30', '2026-01-05T07:30:00'],
    ['1er janvier 2026', '2026-01-01'],
    ['5 de enero de 2026', '2026-01-05'],
    ['mar 6 gennaio 2026', '2026-01-06'],
    ['maandag 5 januari 2026 9:00 uur', '2026-01-05T09:00:00'],
    ['poniedziałek, 5 stycznia 2026', '2026-01-05'],
    ['05.01.2026 14:00 Uhr', '2026-01-05T14:00:00'],
    ['05.01.2026 um 14.30 Uhr', '2026-01-05T14:30:00'],
    ['5. Januar 2026, 14 Uhr', '2026-01-05T14:00:00'],
    ['13/01/2026 7h00', '2026-01-13T07:00:00'],
    ['13/01/2026 14.30.05', '2026-01-13T14:30:05'],
    ['13.01.2026 - 14:00', '2026-01-13T14:00:00'],
    ['2026-01-05 09:00 CET', '2026-01-05T09:00:00+01:00'],
    ['2026-07-05 09:00 CEST', '2026-07-05T09:00:00+02:00'],
    ['Jan 5, 2026 8:30 PM PST', '2026-01-05T20:30:00-08:00'],
    ['2026-01-05 09:00 (UTC+1)', '2026-01-05T09:00:00+01:00'],
    ['Mon Jan 05 2026 09:00:00 GMT+0100 (Central European Standard Time)', '2026-01-05T09:00:00+01:00'],
    ['2026-01-05T09:00+01:00[Europe/Berlin]', '2026-01-05T09:00:00+01:00'],
    ['2026-W12', '2026-03-16'],
    ['KW 12/2026', '2026-03-16'],
    ['KW 53/2026', '2026-12-28'],
    ['2026-W12-3', '2026-03-18'],
    ['2026年1月5日(月) 14:30', '2026-01-05T14:30:00'],
    ['2026/1/5 午後 2:30', '2026-01-05T14:30:00'],
    ['令和8年1月5日', '2026-01-05'],
    ['2026. 1. 5. 오후 2:30', '2026-01-05T14:30:00'],
    ['13/01/2569', '2026-01-13'],
    ['29/02/2571', '2028-02-29'],
    ['5 ม.ค. 2569', '2026-01-05'],
    ['٥ يناير ٢٠٢٦', '2026-01-05'],
    ['\u200e1\u200e/\u200e31\u200e/\u200e2026 \u200e10\u200e:\u200e00 AM', '2026-01-31T10:00:00'],
    ['２０２６／０１／３１　１４：００', '2026-01-31T14:00:00'],
    ['2026–01–31', '2026-01-31'],
  ])('has the value of %j', (text, expected) => {
    expect(readColumn([text])).toEqual([expected])
  })

  it('has the day first or last as the days of the week say', () => {
    expect(readColumn(['Mon 05/01/2026', 'Tue 06/01/2026'])).toEqual(['2026-01-05', '2026-01-06'])
    expect(readColumn(['Mon 01/05/2026', 'Tue 01/06/2026'])).toEqual(['2026-01-05', '2026-01-06'])
  })

  it.each(['05.01.26 - 06.01.26', '05.01.26 06.01.26', '05.01.2026 - 06.01.2026'])(
    'is text when %j is two dates',
    (text) => {
      expect(readColumn([text])).toBeUndefined()
    },
  )

  it('refuses a date on another day of the week when other dates are right', () => {
    const right = Array.from({ length: 10 }, () => 'Di 13.01.2026')
    expect(readColumn([...right, 'Mi 13.01.2026'])?.at(-1)).toBeUndefined()
  })
})

describe('a column of numbers', () => {
  it.each([
    [
      ['1.234,50 €', '99,00 €', '0'],
      [1234.5, 99, 0],
    ],
    [
      ['$1,200', '$12.50', '-$5', '($7.00)'],
      [1200, 12.5, -5, -7],
    ],
    [
      ["CHF 1'200.50", 'CHF 20.00'],
      [1200.5, 20],
    ],
    [
      ["CHF 1'200.-", "CHF 1'250.50 p.a."],
      [1200, 1250.5],
    ],
    [
      ['€ 1.250.000 p.a.', '€ 980.000,-', '€ 12,50/Jahr'],
      [1250000, 980000, 12.5],
    ],
    [
      ['120 m²', '80,5 m²'],
      [120, 80.5],
    ],
    [
      ['35 Personen', '1 Person'],
      [35, 1],
    ],
    [
      ['12 Plätze', '1 Platz'],
      [12, 1],
    ],
    [
      ['12,5 %', '3 %'],
      [12.5, 3],
    ],
    [
      ['5 kWh', '7,5 kWh'],
      [5, 7.5],
    ],
    [
      ['(12)', '5', '6'],
      [-12, 5, 6],
    ],
    [
      ['12-', '5', '6'],
      [-12, 5, 6],
    ],
    [
      ['+5', '-3', '2'],
      [5, -3, 2],
    ],
    [
      ['１２', '١٥'],
      [12, 15],
    ],
    [
      ['１，３８６．５', '－２，０００．２５'],
      [1386.5, -2000.25],
    ],
    [
      ['–5', '‐7', '\u200f-95', '- 3', '12'],
      [-5, -7, -95, -3, 12],
    ],
    [
      ['%10,5', '3٪', '4 ％'],
      [10.5, 3, 4],
    ],
    [
      ['$ (5.50)', '$ 12.50', '$ -'],
      [-5.5, 12.5, 0],
    ],
    [
      ['- 5,50 €', '1.200,00 €', '- €'],
      [-5.5, 1200, 0],
    ],
    [
      ['1\u2007386', '12'],
      [1386, 12],
    ],
    [
      ['12,50 руб.', '7,00 руб.'],
      [12.5, 7],
    ],
    [
      ['1,386.50 SEK', '12.50SEK'],
      [1386.5, 12.5],
    ],
    [
      ['1,386.50 US$', '12.50US$'],
      [1386.5, 12.5],
    ],
    [
      ['#N/D', '5'],
      [null, 5],
    ],
  ])('has the values of %j', (texts, expected) => {
    expect(readColumn([...texts, ...texts])).toEqual([...expected, ...expected])
  })

  it.each([
    [['12 €', '5 $']],
    [['12 €', '5']],
    [['3 OG', '2 OG']],
    [['12a', '14a']],
    [['12A', '14A']],
    [['1 Obergeschoss', '2 Obergeschoss']],
    [['5 Jan', '6 Jan']],
    [['90 min', '30 min']],
    [['1,5 Mio', '2 Mio']],
    [['3 crore', '2 crore']],
    [['(5)', '(6)']],
    [['+49 30 123', '+49 30 124']],
  ])('is text when it has %j', (texts) => {
    expect(readColumn(texts)).toBeUndefined()
  })

  it('refuses a number of another unit when others have one', () => {
    const euros = Array.from({ length: 20 }, (_, n) => `${n + 1},50 €`)
    expect(readColumn([...euros, '5'])?.slice(-2)).toEqual([20.5, undefined])
  })

  it('is text when its name is that of a place', () => {
    expect(readColumn(['12 Nord', '14 Nord'], 'Raum')).toBeUndefined()
  })
})
