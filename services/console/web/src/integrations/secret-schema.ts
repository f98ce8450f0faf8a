import type { JsonSchema } from '../ui/schema-form/json-schema.ts'

/**
 * Gives the secrets of a map fields of their own where the pattern of their names lists words, as
 * `^(token|username|headers\.[a-z]+)$` does; names that are not words remain a map below them.
 */
export function nameSecrets(schema: JsonSchema): JsonSchema {
  const member = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
  const alternatives = /^\^\((.*)\)\$$/.exec(schema.propertyNames?.pattern ?? '')?.[1]
  if (member === undefined || alternatives === undefined || schema.properties) return schema
  const words = alternatives.split('|').filter((name) => /^\w+$/.test(name))
  const properties = Object.fromEntries(words.map((name) => [name, member]))
  return { ...schema, properties, additionalProperties: { ...member, title: 'Other secrets' } }
}
