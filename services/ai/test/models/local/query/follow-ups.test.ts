import { describe, expect, it } from '@jest/globals'
import { wordsOf } from '../../../../src/models/local/language/words.ts'
import { parseQuery } from '../../../../src/models/local/query/parse-query.ts'
import { Refusal } from '../../../../src/models/local/query/query.ts'

const source = {
  id: 'src_1',
  name: 'bookings.csv',
  records: 100,
  isCut: false,
  fields: [
    { name: 'Room', type: 'string' },
    { name: 'Status', type: 'string' },
    { name: 'Start', type: 'timestamp' },
  ],
}
const values = [
  ...['Aspen', 'Birch'].map((value) => ({ field: 'Room', value })),
  ...['Confirmed', 'Pending'].map((value) => ({ field: 'Status', value })),
]

const read = (...turns: string[]) =>
  parseQuery(turns.map(wordsOf), source, { values, language: 'en', today: new Date('2026-11-29') })

describe('a question that follows another', () => {
  it.each([
    [['How many bookings in May 2026?', 'And in June 2026?'], 'How many bookings in June 2026?'],
    [['How many bookings of Aspen on Mondays?', 'what about Birch?'], 'How many bookings of Birch on Mondays?'],
    [['How many bookings of Aspen?', 'and on Mondays?'], 'How many bookings of Aspen on Mondays?'],
    [['How many bookings of Aspen on Mondays?', 'and on Tuesdays'], 'How many bookings of Aspen on Tuesdays?'],
    [
      ['How many bookings of Aspen in May 2026?', 'and for Birch?', 'and in June 2026?', 'and Pending?'],
      'How many Pending bookings of Birch in June 2026?',
    ],
  ])('%j is read as one', (turns, whole) => {
    expect(read(...turns)).toEqual(read(whole))
  })

  it.each([
    [['And in June 2026?']],
    [['How many bookings in May 2026?', 'And why?']],
    [['How many bookings of Aspen?', 'and Birch and Aspen?']],
    [['How many bookings of Aspen or Birch?', 'and Birch?']],
  ])('%j is refused', (turns) => {
    expect(() => read(...turns)).toThrow(Refusal)
  })
})
