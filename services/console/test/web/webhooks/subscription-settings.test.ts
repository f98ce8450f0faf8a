import { describe, expect, it } from '@jest/globals'
import { NewWebhookAuthentication } from '@wp/contracts'
import {
  authenticationTypes,
  changeField,
  chooseOption,
  optionOf,
  optionsOf,
} from '../../../web/src/webhooks/shared/authentication-choice.ts'
import { filterError, formatFilter, parseFilter } from '../../../web/src/webhooks/shared/filter-text.ts'

describe('the text of a filter', () => {
  it('is parsed: nothing is no filter, and a text that is not JSON stays a text', () => {
    const filter = { all: { status: 'failed' } }
    expect(parseFilter(formatFilter(filter))).toEqual(filter)
    expect([parseFilter(' '), formatFilter(null)]).toEqual([null, ''])
    expect(parseFilter('{"all"')).toBe('{"all"')
  })

  it('has the error of its first invalid member', () => {
    expect(filterError('{"all"', { message: 'must be an object' })).toBe('This is not valid JSON.')
    const errors = { any: [undefined, { name: { contains: { message: 'Must be a string.', ref: {} } } }] }
    expect(filterError(null, errors)).toBe('any › 1 › name › contains: Must be a string.')
    expect(filterError(null, { message: 'Must have a condition.' })).toBe('Must have a condition.')
    expect(filterError(null, undefined)).toBeUndefined()
  })
})

describe('the choice of an authentication', () => {
  it('offers to keep a stored one, and each other type', () => {
    const types = ['none', 'basic', 'oauth2_client_credentials', 'mtls']
    expect(optionsOf(null).map(({ value }) => value)).toEqual(types)
    const stored = { type: 'basic', username: 'ada' } as const
    expect(optionsOf(stored).map(({ value }) => value)).toEqual(['kept', ...types])
    for (const option of ['kept', ...types]) expect(optionOf(chooseOption(option))).toBe(option)
  })

  it('has a field for each member of a type that has no default', () => {
    for (const [type, { fields }] of Object.entries(authenticationTypes)) {
      const { value } = chooseOption(type)
      if (value === null) throw new Error(`${type} has no value`)
      const text = (name: string) => (name === 'token_url' ? 'https://example.com/' : 'text')
      const filled = fields.reduce((before, field) => changeField(before, field, text(field.name)), value)
      expect(NewWebhookAuthentication.safeParse(filled).success).toBe(true)
      expect(NewWebhookAuthentication.safeParse(value).success).toBe(false)
    }
  })

  it('sends an empty optional field as null', () => {
    const { value } = chooseOption('oauth2_client_credentials')
    const [scope] = authenticationTypes.oauth2_client_credentials.fields.filter(({ name }) => name === 'scope')
    if (value === null || scope === undefined) throw new Error('there is no scope')
    expect(changeField(value, scope, '')).toMatchObject({ scope: null })
    expect(changeField(value, scope, 'read')).toMatchObject({ scope: 'read' })
  })
})
