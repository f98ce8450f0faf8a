import { expect, it } from '@jest/globals'
import { ForecastInputError, holidaysOf } from '../../src/forecast/index.ts'

const year = { since: '2026-01-01', until: '2026-12-31' }
const datesOf = async (country: string, subdivision?: string): Promise<string[]> =>
  (await holidaysOf({ country, ...(subdivision === undefined ? {} : { subdivision }), ...year })).map(({ date }) =>
    date.slice(5),
  )

const german = ['01-01', '04-03', '04-06', '05-01', '05-14', '05-25', '10-03', '12-25', '12-26']

it('knows the public holidays of Bavaria, Berlin and England, and no observances', async () => {
  expect(await datesOf('DE', 'BY')).toEqual([...german, '01-06', '06-04', '11-01'].sort())
  expect(await datesOf('DE', 'BE')).toEqual([...german, '03-08'].sort())
  expect(await datesOf('GB', 'ENG')).toEqual(
    ['01-01', '04-03', '04-06', '05-04', '05-25', '08-31', '12-25', '12-26', '12-28'].sort(),
  )
})

it('adds and removes dates, and keeps to the span', async () => {
  const holidays = await holidaysOf({
    country: 'DE',
    subdivision: 'BE',
    since: '2025-12-26',
    until: '2026-03-31',
    add: [
      { date: '2026-02-13', name: 'added' },
      { date: '2026-03-02', name: 'Founding day' },
    ],
    remove: ['2026-03-08'],
  })
  expect(holidays).toEqual([
    { date: '2025-12-26', name: '2. Weihnachtstag' },
    { date: '2026-01-01', name: 'Neujahr' },
    { date: '2026-02-13', name: 'added' },
    { date: '2026-03-02', name: 'Founding day' },
  ])
})

it.each([
  [{ country: 'XX' }, 'country "XX"'],
  [{ country: 'DE', subdivision: 'ZZ' }, '"DE-ZZ"'],
  [{ country: 'DE', until: '2025-01-01' }, '"since"'],
])('refuses %j', async (options, named) => {
  const refused = holidaysOf({ ...year, ...options })
  await expect(refused).rejects.toBeInstanceOf(ForecastInputError)
  await expect(refused).rejects.toThrow(named)
})
