import { ApiError } from '@wp/client/browser'
import { validateInput } from '@wp/contracts'
import type { z } from 'zod'
import { toSentence } from '../form/server-field-errors.ts'
import type { FieldErrors } from './json-schema.ts'

const noErrors: FieldErrors = new Map()

/** Validates a body by the schema of its contract. The messages are those of the platform. */
export function validateBody<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { body: z.output<Schema>; errors: FieldErrors } | { body: undefined; errors: FieldErrors } {
  const result = validateInput(schema, value)
  if (result.success) return { body: result.data, errors: noErrors }
  return { body: undefined, errors: toFieldErrors(result.errors) }
}

/** Returns the errors of the fields of a response, by pointer; none for any other error. */
export const serverFieldErrors = (error: unknown): FieldErrors =>
  error instanceof ApiError ? toFieldErrors(error.errors) : noErrors

const toFieldErrors = (errors: readonly { pointer: string; detail: string }[]): FieldErrors =>
  new Map(errors.map(({ pointer, detail }) => [pointer, toSentence(detail)]))
