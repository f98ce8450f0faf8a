import { describe, expect, it } from '@jest/globals'
import { type nameField, recordName } from '../../../web/src/data/shared/record-name.ts'

type Record = Parameters<typeof nameField>[0]

const schema: Parameters<typeof nameField>[1] = [
  { name: 'note', type: 'string' },
  { name: 'time', type: 'timestamp' },
]
const hash = '0123456789abcdef'.repeat(4)
const recordOf = (part: Partial<Record>) => ({ title: null, key: hash, data: {}, ...part }) as Record // the fields that count

describe('the name of a record', () => {
  it.each([
    ['its title', { title: 'Room plan' }, 'Room plan'],
    ['its key', { key: 'r-17' }, 'r-17'],
    ['its first value where the key is a hash of its content', { data: { time: '08:00', note: '' } }, '08:00'],
    ['also of the second equal row', { key: `${hash}-2`, data: { note: 'x' } }, 'x'],
    ['its key where it has no value', {}, hash],
  ])('is %s', (_, part, expected) => {
    expect(recordName(recordOf(part), schema)).toBe(expected)
  })

  it('has the decimal sign of the page, and no groups', () => {
    Object.assign(globalThis, { document: { documentElement: { dataset: { decimal: ',', group: '.' } } } })
    try {
      expect(recordName(recordOf({ data: { note: 4711.25 } }), schema)).toBe('4711,25')
    } finally {
      Reflect.deleteProperty(globalThis, 'document')
    }
  })
})
