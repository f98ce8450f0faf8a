import type { EventFilter } from '@wp/contracts'
import { eventCatalogue } from '../event-catalogue.ts'

/** The parts of a JSON Schema by which fields are found. */
interface FieldSchema {
  properties?: Record<string, FieldSchema>
  additionalProperties?: FieldSchema | boolean
  anyOf?: FieldSchema[]
}

/** Returns the paths of a filter that no payload of the selected event kinds has by its schema. */
export function findUnknownFields(events: readonly string[], { all = {}, any = [] }: EventFilter): string[] {
  const kinds = eventCatalogue.filter(({ kind }) => events.includes('*') || events.includes(kind))
  const paths = new Set([all, ...any].flatMap((conditions) => Object.keys(conditions)))
  // The catalogue contains generated JSON Schemas.
  return [...paths].filter(
    (path) => !kinds.some(({ schema }) => path === 'event' || hasField(schema as FieldSchema, path)),
  )
}

const hasField = (schema: FieldSchema, path: string): boolean =>
  path
    .split('.')
    .reduce<FieldSchema[]>((schemas, name) => schemas.flatMap((each) => memberSchemas(each, name)), [schema]).length > 0

function memberSchemas(schema: FieldSchema, name: string): FieldSchema[] {
  const { properties = {}, additionalProperties, anyOf = [] } = schema
  if (Object.hasOwn(properties, name)) return [properties[name] ?? {}]
  if (typeof additionalProperties === 'object') return [additionalProperties]
  return anyOf.flatMap((each) => memberSchemas(each, name))
}
