import { jsonBytes } from '../limit-output.ts'

const [maxSchemaBytes, maxDepth] = [16_384, 12]

/** Returns true for a JSON Schema of an object of moderate size and depth whose references stay within it. */
export function isUsableSchema(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || Reflect.get(schema, 'type') !== 'object') return false
  return jsonBytes(schema) <= maxSchemaBytes && isShallow(schema, 0)
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth > maxDepth) return false
  return Object.entries(value).every(
    ([name, member]) =>
      !(isReference(name) && typeof member === 'string' && !member.startsWith('#')) && isShallow(member, depth + 1),
  )
}

const isReference = (name: string): boolean => name === '$ref' || name === '$dynamicRef' || name === '$recursiveRef'
