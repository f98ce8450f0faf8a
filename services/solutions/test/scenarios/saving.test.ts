import { describe, expect, it } from '@jest/globals'
import { type Saving, savingBeyond, savingOf } from '../../src/scenarios/result/saving.ts'
import { formatMoney } from '../../src/scenarios/result/words.ts'
import type { ScenarioFloor } from '../../src/scenarios/scenario-input.ts'
import { listNames } from '../../src/workplace/tree.ts'

const floor = (
  annualCost: number | null,
  avoidableShare: number | null,
  currency: string | null = 'EUR',
  shut: boolean[] = [],
): ScenarioFloor => ({
  id: 'spc_1',
  name: 'Floor',
  capacity: 50,
  closed: shut,
  shut,
  annualCost,
  avoidableShare,
  currency,
})

/** Returns for each weekday whether each floor is open; a floor is closed on its last days. */
const openFor = (weekdays: number, ...closedDays: number[]) =>
  Array.from({ length: weekdays }, (_, day) => closedDays.map((closed) => day < weekdays - closed))

describe('savingOf', () => {
  it.each([
    // By hand: cost × share × closed / weekdays; rent is cost − cost × share of floors that are closed all week.
    // 480,000.00 × 0.35 × 1/5 = 33,600.00
    { floors: [floor(48_000_000, 0.35)], open: openFor(5, 1), amount: 3_360_000, rent: 0 },
    // 480,000.00 × 0.35 × 5/5 = 168,000.00; 480,000.00 − 168,000.00 = 312,000.00
    { floors: [floor(48_000_000, 0.35)], open: openFor(5, 5), amount: 16_800_000, rent: 31_200_000 },
    // Nothing closes.
    { floors: [floor(48_000_000, 0.35)], open: openFor(5, 0), amount: 0, rent: 0 },
    // 100.00 × 0.5 × 1/3 = 16.666… = 16.67
    { floors: [floor(10_000, 0.5)], open: openFor(3, 1), amount: 1_667, rent: 0 },
    // All of the cost ends: 250,000.00 × 1 × 2/5 = 100,000.00
    { floors: [floor(25_000_000, 1)], open: openFor(5, 2), amount: 10_000_000, rent: 0 },
    // None of it ends: 0; the rent of a week is 250,000.00
    { floors: [floor(25_000_000, 0)], open: openFor(5, 5), amount: 0, rent: 25_000_000 },
    // 33,600.00 + 250,000.00 × 0.4 × 3/5 = 33,600.00 + 60,000.00
    { floors: [floor(48_000_000, 0.35), floor(25_000_000, 0.4)], open: openFor(5, 1, 3), amount: 9_360_000, rent: 0 },
    // 168,000.00 + 100,000.00, rent 312,000.00 + 150,000.00
    {
      floors: [floor(48_000_000, 0.35), floor(25_000_000, 0.4)],
      open: openFor(5, 5, 5),
      amount: 26_800_000,
      rent: 46_200_000,
    },
    // Six weekdays: 600,000.00 × 0.2 × 1/6 = 20,000.00
    { floors: [floor(60_000_000, 0.2)], open: openFor(6, 1), amount: 2_000_000, rent: 0 },
    // Not open on the last two of seven weekdays anyway: 350,000.00 × 0.5 × 1/5 = 35,000.00
    {
      floors: [floor(35_000_000, 0.5, 'EUR', [false, false, false, false, false, true, true])],
      open: openFor(7, 3),
      amount: 3_500_000,
      rent: 0,
    },
    // Yen have no minor units: 1,200,000 × 0.25 × 2/5 = 120,000
    { floors: [floor(1_200_000, 0.25, 'JPY')], open: openFor(5, 2), amount: 120_000, rent: 0 },
  ])('saves $amount and $rent of rent', ({ floors, open, amount, rent }) => {
    expect(savingOf(floors, open)).toMatchObject({ amount, rent, warnings: [] })
  })

  it('counts nothing of a cost that is not stated, and says so', () => {
    expect(savingOf([floor(null, 0.35)], openFor(5, 1))).toMatchObject({ amount: 0, currency: null, lines: [] })
    expect(savingOf([floor(null, 0.35)], openFor(5, 1)).warnings).toEqual([
      'The cost a year is not stated for Floor: without it, closing a floor counts as no saving.',
    ])
    expect(savingOf([floor(10_000, null)], openFor(5, 1))).toMatchObject({
      currency: null,
      lines: [],
      warnings: [expect.stringContaining('The share saved when closed is not stated for Floor')],
    })
  })

  it('divides a cost into saving and rent without a remainder', () => {
    // Half of 1,234,567 is no whole number.
    expect(savingOf([floor(1_234_567, 0.5, 'KWD')], openFor(5, 5))).toMatchObject({ amount: 617_284, rent: 617_283 })
  })

  it('states no saving of costs without a currency, and says so', () => {
    expect(savingOf([floor(10_000, 1, null)], openFor(5, 1))).toMatchObject({
      currency: null,
      warnings: ['Costs have no currency, so that no saving is stated: state it for the site.'],
    })
  })

  it('does not add currencies', () => {
    const saving = savingOf([floor(10_000, 1), floor(10_000, 1, 'CHF')], openFor(5, 5, 5))
    expect(saving).toMatchObject({ amount: 0, currency: null })
    expect(saving.warnings).toEqual(['The floors have costs in several currencies, which are not added.'])
  })
})

describe('savingBeyond', () => {
  const [euros, francs] = [floor(10_000, 1), floor(30_000, 1, 'CHF')]
  const [none, eur, chf, both] = [openFor(1, 0, 0), [[false, true]], [[true, false]], [[false, false]]].map((open) =>
    savingOf([euros, francs], open),
  ) as [Saving, Saving, Saving, Saving] // of four
  it.each([
    ['euros and nothing', eur, none, 10_000],
    ['nothing and francs', none, chf, -30_000],
    ['nothing', none, none, 0],
    ['francs and euros', chf, eur, null],
    ['both and euros', both, eur, null],
    ['nothing and both', none, both, null],
  ])('compares %s', (_, one, other, expected) => {
    expect(savingBeyond(one, other)).toBe(expected)
  })
})

describe('words', () => {
  it('have the digits of the currency', () => {
    expect(formatMoney(123_456, 'EUR')).toBe('EUR 1,235')
    expect(formatMoney(1_250, 'EUR')).toBe('EUR 12.50')
    expect(formatMoney(1_200, 'EUR')).toBe('EUR 12')
    expect(formatMoney(123_456, 'JPY')).toBe('JPY 123,456')
  })

  it('list a few names, and count the others', () => {
    expect(listNames(['A'])).toBe('A')
    expect(listNames(['A', 'B', 'C'])).toBe('A, B and C')
    expect(listNames(['A', 'B', 'C', 'D', 'E', 'F'])).toBe('A, B, C and 3 others')
  })
})
