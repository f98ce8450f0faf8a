import { describe, expect, test } from '@jest/globals'
import { assignServerErrors, toSentence } from '../../../../web/src/ui/form/server-field-errors.ts'

const fields = new Set(['email', 'role', 'scopes', 'settings', 'settings.timezone', 'a/b'])
const hasField = (name: string) => fields.has(name)
const errorWith = (...pointers: string[]) => ({
  code: 'validation_failed',
  message: 'The request is not valid',
  errors: pointers.map((pointer) => ({ pointer, detail: 'must not be empty' })),
})
const namesOf = (...pointers: string[]) =>
  assignServerErrors(errorWith(...pointers), hasField).fields.map(({ name }) => name)

describe('assignServerErrors', () => {
  test('assigns a pointer to the field with its path', () => {
    expect(namesOf('/email', '/settings/timezone', '/a~1b', '?role')).toEqual([
      'email',
      'settings.timezone',
      'a/b',
      'role',
    ])
  })

  test('assigns a pointer to the nearest field above it', () => {
    expect(namesOf('/scopes/2', '/settings/locale')).toEqual(['scopes', 'settings'])
  })

  test('is incomplete when a pointer belongs to no field', () => {
    const result = assignServerErrors(errorWith('/email', '/unknown'), hasField)
    expect(result).toEqual({ fields: [{ name: 'email', message: 'Must not be empty.' }], isComplete: false })
  })

  test('assigns an error without pointers to the field of its code', () => {
    const error = { code: 'name_taken', message: 'Another role has this name', errors: [] }
    expect(assignServerErrors(error, hasField, { name_taken: 'email' })).toEqual({
      fields: [{ name: 'email', message: 'Another role has this name' }],
      isComplete: true,
    })
    expect(assignServerErrors(error, hasField)).toEqual({ fields: [], isComplete: false })
  })
})

test('toSentence capitalises a predicate and ends it', () => {
  expect(toSentence('must be a mail address')).toBe('Must be a mail address.')
  expect(toSentence('is not known; did you mean role?')).toBe('Is not known; did you mean role?')
})
