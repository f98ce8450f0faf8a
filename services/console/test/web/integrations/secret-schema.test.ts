import { describe, expect, it } from '@jest/globals'
import { nameSecrets, readUsers } from '../../../web/src/integrations/secret-schema.ts'

describe('nameSecrets', () => {
  const secret = { type: 'string', minLength: 1 }

  it('gives the words of a pattern fields of their own, and keeps a map for other names', () => {
    const schema = {
      type: 'object',
      propertyNames: { type: 'string', pattern: '^(token|user_name|headers\\.[A-Z|a-z]{1,64})$' },
      additionalProperties: secret,
    }
    const named = nameSecrets(schema)
    expect(Object.keys(named.properties ?? {})).toEqual(['token', 'user_name'])
    expect(named.additionalProperties).toMatchObject(secret)
  })

  it('leaves a schema with named secrets as it is', () => {
    const schema = { type: 'object', properties: { token: secret }, additionalProperties: false }
    expect(nameSecrets(schema)).toBe(schema)
  })
})

describe('readUsers', () => {
  it('returns the users of the error, and nothing else', () => {
    const user = { service: 'data', type: 'data_source', id: 'src_1' }
    expect(readUsers({ users: [user, null, { id: 1 }] })).toEqual([user])
    expect(readUsers({})).toEqual([])
  })
})
