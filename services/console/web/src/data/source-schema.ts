import { sourceConfigs } from '@wp/contracts'
import { z } from 'zod'
import type { JsonSchema } from '../ui/schema-form/json-schema.ts'

type SourceProvider = keyof typeof sourceConfigs

/** The settings that are shown first; all others are behind “More settings”. */
const firstFields: Readonly<Record<SourceProvider, readonly string[]>> = {
  upload: ['key', 'title_field', 'timestamp_field', 'language'],
  http: ['url', 'format', 'rows_path', 'key', 'paging'],
  postgres: ['query', 'cursor_field', 'key'],
  s3: ['prefix', 'pattern', 'format', 'key'],
}

const labels: Readonly<Record<string, string>> = {
  key: 'Key field',
  query: 'SQL query',
  url: 'URL',
  fields: 'Types of fields',
  since: 'Newer rows only',
  charset: 'Character set',
  format: 'Format of files',
}

/**
 * Returns the JSON Schema of the config of a provider, from the contract, and the fields to show first.
 * @param hasWholeFormat the config has a whole format, not the name of one
 */
export function configSchemaOf(
  provider: SourceProvider,
  hasWholeFormat: boolean,
): { schema: JsonSchema; first: readonly string[] } {
  const generated = z.toJSONSchema(sourceConfigs[provider], { io: 'input', unrepresentable: 'any' }) as JsonSchema // a JSON Schema of objects
  const { $ref, ...root } = generated
  const target = $ref === undefined ? root : { ...generated.$defs?.[$ref.replace('#/$defs/', '')], $defs: root.$defs }
  const properties = Object.fromEntries(
    Object.entries(target.properties ?? {}).map(([name, member]) => {
      const title = labels[name]
      const schema = name === 'format' ? formatSchemaOf(member, hasWholeFormat) : member
      return [name, title === undefined ? schema : { ...schema, title }]
    }),
  )
  const defs = target.$defs
  return { schema: { ...target, properties, ...(defs && { $defs: defs }) } as JsonSchema, first: firstFields[provider] }
}

/** A format that may be a name or a whole format has the control of the one that it is. */
function formatSchemaOf({ anyOf = [], ...common }: JsonSchema, isWhole: boolean): JsonSchema {
  const chosen = anyOf.find((each) => (each.enum === undefined) === isWhole)
  return { ...common, ...chosen }
}
