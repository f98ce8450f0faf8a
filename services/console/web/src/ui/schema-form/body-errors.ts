import { ApiError } from '@wp/client/browser'
import { validateInput } from '@wp/contracts'
import { type RefObject, useEffect, useRef } from 'react'
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

/** Moves the focus to the first invalid field of a form when its errors change. @returns the ref of the form */
export function useFocusFirstError(errors: FieldErrors): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (errors.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  return form
}
