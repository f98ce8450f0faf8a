import { type FieldError, type Problem, problem } from '@wp/contracts'
import type { z } from 'zod'

/** What zod found, as pointers under `at`. */
export function fieldErrors(error: z.ZodError | undefined, at: string): FieldError[] {
  return (error?.issues ?? []).flatMap((issue) => {
    const pointer = at + issue.path.map((part) => `/${escaped(String(part))}`).join('')
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ pointer: `${pointer}/${escaped(key)}`, detail: 'is not a known field' }))
    if (issue.code === 'invalid_key') return [{ pointer, detail: issue.issues[0]?.message ?? issue.message }]
    const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
    return [{ pointer, detail: isMissing ? 'is required' : issue.message }]
  })
}

/** All that is wrong with the input, as one refusal. */
export function refuse(errors: FieldError[]): Problem {
  const [first] = errors
  return problem('validation_failed', { detail: `${first?.pointer}: ${first?.detail}`, errors })
}

/** RFC 6901. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
