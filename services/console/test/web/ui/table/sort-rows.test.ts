import { expect, it } from '@jest/globals'
import { nextSort, sortRows } from '../../../../web/src/ui/table/sort-rows.ts'

const rows = [{ value: 'Floor 10' }, { value: null }, { value: 'floor 9' }]

it('sorts texts with numbers by their numbers, and rows without a value last', () => {
  const valuesOf = (isDescending: boolean) =>
    sortRows(rows, ({ value }) => value, isDescending).map(({ value }) => value)
  expect(valuesOf(false)).toEqual(['floor 9', 'Floor 10', null])
  expect(valuesOf(true)).toEqual(['Floor 10', 'floor 9', null])
})

it('sorts by a column ascending, descending, then as the list was', () => {
  const first = nextSort(undefined, 'Name')
  const second = nextSort(first, 'Name')
  expect([first, second, nextSort(second, 'Name')]).toEqual([
    { column: 'Name', isDescending: false },
    { column: 'Name', isDescending: true },
    undefined,
  ])
  expect(nextSort(second, 'Role')).toEqual({ column: 'Role', isDescending: false })
})
