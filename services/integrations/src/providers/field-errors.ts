import { type FieldError, type Problem, problem } from '@wp/contracts'
import type { z } from 'zod'

/** Converts zod issues to field errors with pointers under `base`. */
export function fieldErrors(error: z.ZodError | undefined, base: string): FieldError[] {
  return (error?.issues ?? []).flatMap((issue) => {
    const pointer = base + issue.path.map((part) => `/${escapePointerSegment(String(part))}`).join('')
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        pointer: `${pointer}/${escapePointerSegment(key)}`,
        detail: 'is not a known field',
      }))
    if (issue.code === 'invalid_key') return [{ pointer, detail: issue.issues[0]?.message ?? issue.message }]
    const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
    return [{ pointer, detail: isMissing ? 'is required' : issue.message }]
  })
}

/** Returns one problem with all field errors. */
export function validationProblem(errors: FieldError[]): Problem {
  const [first] = errors
  return problem('validation_failed', { detail: `${first?.pointer}: ${first?.detail}`, errors })
}

/** Escapes a segment of a JSON pointer (RFC 6901). */
const escapePointerSegment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
