import type { z } from 'zod'
import { describeIssue } from './describe-issue.ts'
import { type FieldError, type Problem, problem } from './error.ts'

type Issue = z.core.$ZodIssue
/** Returns the pointer of a path within the input. */
export type ToPointer = (path: readonly PropertyKey[]) => string

/** Limit of the errors in one response: a body of a megabyte can have half a million. */
const maxFieldErrors = 100

/** Returns the pointer of a query parameter: `?limit`. */
export const queryPointer: ToPointer = (path) => `?${path.map(String).join('.')}`

/** Returns the JSON pointer (RFC 6901) of a member of a body. */
export const bodyPointer: ToPointer = (path) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The validated input, or the errors of its fields. */
export type ValidatedInput<T> = { success: true; data: T } | { success: false; errors: FieldError[] }

/** Validates an input of a user. The errors have messages of the platform, never of the validation library. */
export function validateInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  toPointer: ToPointer = bodyPointer,
): ValidatedInput<z.output<S>> {
  const result = schema.safeParse(value, { error: describeIssue })
  if (result.success) return { success: true, data: result.data }
  const errors: FieldError[] = []
  for (const issue of result.error.issues) {
    if (errors.length >= maxFieldErrors) break
    errors.push(...fieldErrors(issue, toPointer))
  }
  return { success: false, errors: errors.slice(0, maxFieldErrors) }
}

/**
 * An issue about unknown fields becomes one error per field, and one about a union those of the form that was meant.
 */
function fieldErrors(issue: Issue, toPointer: ToPointer): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    const messages = issue.message.split('\n')
    return issue.keys.slice(0, maxFieldErrors).map((key, position) => ({
      pointer: toPointer([...issue.path, key]),
      detail: messages[position] ?? issue.message,
    }))
  }
  const meant = issue.code === 'invalid_union' ? closestOption(issue.errors) : undefined
  if (meant !== undefined)
    return meant.flatMap((inner) => fieldErrors({ ...inner, path: [...issue.path, ...inner.path] }, toPointer))
  return [{ pointer: toPointer(issue.path), detail: issue.message }]
}

/**
 * Returns the issues of the option of a union that a value was meant for: of those whose type or constant it has, the
 * one with the fewest issues. Undefined if it has the type of none.
 */
function closestOption(options: readonly Issue[][]): Issue[] | undefined {
  const isOfOtherType = (issue: Issue) =>
    issue.path.length === 0 &&
    (issue.code === 'invalid_type' ||
      issue.code === 'invalid_value' ||
      (issue.code === 'invalid_union' && closestOption(issue.errors) === undefined))
  return options
    .filter((issues) => issues.length > 0 && !issues.some(isOfOtherType))
    .toSorted((a, b) => a.length - b.length)[0]
}

/** Returns the error for invalid fields. Its detail is the first of them. */
export function validationProblem(
  errors: readonly FieldError[],
  code: 'validation_failed' | 'invalid_request' = 'validation_failed',
): Problem {
  const [first] = errors
  return problem(code, {
    detail: first === undefined ? 'The request is not valid' : `${first.pointer || 'The body'}: ${first.detail}`,
    errors: errors.slice(0, maxFieldErrors),
  })
}
