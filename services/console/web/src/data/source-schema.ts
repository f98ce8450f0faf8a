import { sourceConfigs } from '@wp/contracts'
import { z } from 'zod'
import type { JsonSchema } from '../ui/schema-form/json-schema.ts'
import type { SourceProvider } from './shared/source-words.ts'

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
}

/** Returns the JSON Schema of the config of a provider, from the contract, and the fields to show first. */
export function configSchemaOf(provider: SourceProvider): { schema: JsonSchema; first: readonly string[] } {
  const generated = z.toJSONSchema(sourceConfigs[provider], { io: 'input', unrepresentable: 'any' }) as JsonSchema // a JSON Schema of objects
  const { $ref, ...root } = generated
  const target = $ref === undefined ? root : { ...generated.$defs?.[$ref.replace('#/$defs/', '')], $defs: root.$defs }
  const properties = Object.fromEntries(
    Object.entries(target.properties ?? {}).map(([name, schema]) => {
      const title = labels[name]
      return [name, title === undefined ? schema : { ...schema, title }]
    }),
  )
  const defs = target.$defs
  return { schema: { ...target, properties, ...(defs && { $defs: defs }) } as JsonSchema, first: firstFields[provider] }
}
