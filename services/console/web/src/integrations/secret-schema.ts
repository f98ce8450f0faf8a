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

/** A resource that uses an integration. */
export interface IntegrationUser {
  service: string
  type: string
  id: string
}

/** Reads the users from the error `integration_in_use`; what is not a user is left out. */
export const readUsers = ({ users }: Readonly<Record<string, unknown>>): IntegrationUser[] =>
  Array.isArray(users) ? users.filter(isUser) : []

const isUser = (value: unknown): value is IntegrationUser =>
  typeof value === 'object' &&
  value !== null &&
  ['service', 'type', 'id'].every((name) => typeof Reflect.get(value, name) === 'string')
