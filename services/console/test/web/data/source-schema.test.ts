import { describe, expect, it } from '@jest/globals'
import { configSchemaOf } from '../../../web/src/data/source-schema.ts'
import { kindOf, resolveReference } from '../../../web/src/ui/schema-form/json-schema.ts'

const formatKind = (provider: 'http' | 'upload', hasWholeFormat: boolean) => {
  const { schema } = configSchemaOf(provider, hasWholeFormat)
  return kindOf(resolveReference(schema.properties?.format ?? {}, schema))
}

describe('the schema of a config', () => {
  it('has a choice of formats when the format is a name', () => expect(formatKind('http', false)).toBe('choice'))

  it('has the members of a format when the format is whole', () => expect(formatKind('http', true)).toBe('group'))

  it('has the members of a format when the provider takes no name', () =>
    expect(formatKind('upload', false)).toBe('group'))
})
