import { expect, it } from '@jest/globals'
import { createNumberReader } from '../../../src/runs/series/series-rows.ts'

it.each([
  [7, 7],
  ['-12.5', -12.5],
  [' 669 ', 669],
  ['1e3', 1_000],
  ['0.386', 0.386],
  ['1386', 1_386],
  [null, null],
  ['', null],
])('a number is read when the cell is %p', (cell, expected) => {
  expect(createNumberReader().read(cell)).toBe(expected)
})

it.each(['1,386', "1'386", '1\u202f386', '1.386,0', '0x1F', 'Infinity', 'NaN', '1_386', '12 %', true, [5], {}])(
  'a cell is unreadable when it is %p',
  (cell) => {
    expect(createNumberReader().read(cell)).toBe('unreadable')
  },
)

it('a point before three digits is ambiguous until another value proves that it is a decimal point', () => {
  const reader = createNumberReader()
  expect(reader.read('1.386')).toBe('ambiguous')
  expect(reader.read('669')).toBe(669)
  expect(reader.isDecimalProved()).toBe(false)
  expect(reader.read('12.5')).toBe(12.5)
  expect(reader.isDecimalProved()).toBe(true)
  expect(reader.read('1.386')).toBe(1.386)
})
