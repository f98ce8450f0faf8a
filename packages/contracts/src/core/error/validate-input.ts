import { z } from 'zod'
import { describeIssue, nearestOption, unknownField } from './describe-issue.ts'
import { type FieldError, type Problem, problem } from './error.ts'

type Issue = z.core.$ZodIssue
/** Unions whose discriminator names none of their options, with the value there, by the path of the discriminator. */
type UnmatchedUnions = Map<
  readonly PropertyKey[],
  { union: z.core.$ZodDiscriminatedUnion; input: Record<string, unknown> }
>
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
  const unmatched: UnmatchedUnions = new Map()
  const error = (issue: z.core.$ZodRawIssue) => {
    // The issue of zod names neither the schema nor the value; only the raw one, which has the same path, does.
    if (issue.code === 'invalid_union' && issue.path !== undefined && isUnmatchedUnion(issue))
      unmatched.set(issue.path, { union: issue.inst, input: issue.input })
    return describeIssue(issue)
  }
  const result = schema.safeParse(value, { error })
  if (result.success) return { success: true, data: result.data }
  const errors: FieldError[] = []
  for (const issue of result.error.issues) {
    if (errors.length >= maxFieldErrors) break
    errors.push(...fieldErrors(issue, toPointer, unmatched))
  }
  return { success: false, errors: errors.slice(0, maxFieldErrors) }
}

/**
 * An issue about unknown fields becomes one error per field, and one about a union those of the form that was meant.
 */
function fieldErrors(issue: Issue, toPointer: ToPointer, unmatched: UnmatchedUnions): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    const messages = issue.message.split('\n')
    return issue.keys.slice(0, maxFieldErrors).map((key, position) => ({
      pointer: toPointer([...issue.path, key]),
      detail: messages[position] ?? issue.message,
    }))
  }
  const meant = issue.code === 'invalid_union' ? closestOption(issue.errors) : undefined
  if (meant !== undefined)
    return meant.flatMap((inner) => fieldErrors(inner, (path) => toPointer([...issue.path, ...path]), unmatched))
  const error = { pointer: toPointer(issue.path), detail: issue.message }
  const union = unmatched.get(issue.path)
  if (union === undefined) return [error]
  return [error, ...errorsOfOptions(union, (path) => toPointer([...issue.path.slice(0, -1), ...path]))]
}

const isUnmatchedUnion = (
  issue: z.core.$ZodRawIssue,
): issue is z.core.$ZodRawIssue & { inst: z.core.$ZodDiscriminatedUnion; input: Record<string, unknown> } =>
  issue.inst instanceof z.core.$ZodDiscriminatedUnion && typeof issue.input === 'object' && issue.input !== null

/**
 * Returns the errors of the other fields of a value whose discriminator is wrong: those of the option that its misspelt
 * name resembles, otherwise those that the value has in every option.
 */
function errorsOfOptions(
  { union, input }: { union: z.core.$ZodDiscriminatedUnion; input: Record<string, unknown> },
  toPointer: ToPointer,
): FieldError[] {
  const { discriminator, options } = union._zod.def
  const named = options.flatMap((option) =>
    [...(option._zod.propValues?.[discriminator] ?? [])].slice(0, 1).map((name) => ({ name, option })),
  )
  const nearest = nearestOption(
    input[discriminator],
    named.map(({ name }) => name),
  )
  const meant = named.filter(({ name }) => nearest === undefined || name === nearest)
  const [first = [], ...others] = meant.map(({ name, option }) => {
    if (!(option instanceof z.ZodType)) return []
    const result = validateInput(option, { ...input, [discriminator]: name }, toPointer)
    return result.success ? [] : result.errors
  })
  const errorAt = (errors: readonly FieldError[], { pointer }: FieldError) =>
    errors.find((error) => error.pointer === pointer)
  return first
    .map((error) => [error, ...others.map((errors) => errorAt(errors, error))].filter((found) => found !== undefined))
    .filter((found) => found.length === meant.length)
    .flatMap((found) => found.find(({ detail }) => !detail.startsWith(unknownField)) ?? found.slice(0, 1))
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
