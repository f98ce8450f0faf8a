import { expect, test } from '@jest/globals'
import { describeChanges, formatValue } from '../../../web/src/audit/describe-changes.ts'

test('old and new values of a field are one change', () => {
  expect(describeChanges({ role_before: 'viewer', role: 'admin', name: 'Ada' })).toEqual([
    { field: 'role', before: 'viewer', after: 'admin' },
    { field: 'name', after: 'Ada' },
  ])
})

test('an old value without a new one is a removed value', () => {
  expect(describeChanges({ role_before: 'viewer' })).toEqual([{ field: 'role', before: 'viewer' }])
})

test('changes of versions are listed by field', () => {
  expect(describeChanges({ versions: [{ field: 'model.name', from: null, to: 'small' }] })).toEqual([
    { field: 'model.name', before: null, after: 'small' },
  ])
})

test('lists of other values are one value, and no changes are an empty list', () => {
  expect(describeChanges({ fields: ['name', { field: 'x' }] })).toEqual([
    { field: 'fields', after: ['name', { field: 'x' }] },
  ])
  expect(describeChanges({ scopes: [] })).toEqual([{ field: 'scopes', after: [] }])
  expect(describeChanges(null)).toEqual([])
})

test('texts are shown as they are, other values as JSON', () => {
  expect([formatValue('a "b"'), formatValue(null), formatValue(['x'])]).toEqual(['a "b"', 'null', '[\n  "x"\n]'])
})
