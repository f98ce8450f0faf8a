import { invalidField, validationProblem } from '@wp/contracts'
import { compileSchema } from './input-schema/compile-schema.ts'
import { describeError } from './input-schema/describe-error.ts'

const pointer = '/input'

/** With the limit of the schema, these bound the time of a validation. */
const maxInputCharacters = 100_000
const maxInputValues = 5_000

/**
 * Asserts that the `input` of a run matches the `input_schema` of its agent.
 * @param schema as stored with the agent; null accepts any input
 * @throws Problem `validation_failed` with a pointer to the first field that does not match
 */
export function validateInput(schema: Readonly<Record<string, unknown>> | null, input: unknown): void {
  if (schema === null) return
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidField(pointer, 'must be an object that matches the input_schema of the agent')
  if (hasMoreValues(input, maxInputValues))
    throw invalidField(pointer, `must have at most ${maxInputValues} values, as the agent has an input_schema`)
  if (JSON.stringify(input).length > maxInputCharacters)
    throw invalidField(pointer, `must have at most ${maxInputCharacters} characters, as the agent has an input_schema`)
  const validate = compileSchema(schema)
  if (validate(input)) return
  const error = outermostError(validate.errors ?? [])
  throw validationProblem(
    error === undefined ? [{ pointer, detail: 'does not match the input_schema' }] : [describeError(error, pointer)],
  )
}

type Errors = NonNullable<ReturnType<typeof compileSchema>['errors']>

/**
 * Returns the error to report. Ajv lists those of every alternative of `anyOf`, `oneOf`, `not` and `if` before the error
 * of the keyword itself: with alternatives, the one that got furthest into the input explains most.
 */
function outermostError(errors: Errors): Errors[number] | undefined {
  const last = errors.at(-1)
  if (last === undefined || (last.keyword !== 'anyOf' && last.keyword !== 'oneOf')) return last
  const depthOf = ({ instancePath }: Errors[number]) => instancePath.split('/').length
  const deepest = errors.slice(0, -1).toSorted((a, b) => depthOf(b) - depthOf(a))[0]
  return deepest !== undefined && depthOf(deepest) > depthOf(last) ? deepest : last
}

/** Returns true if a value contains more values than `max`, itself included. */
function hasMoreValues(value: unknown, max: number): boolean {
  const pending: unknown[] = [value]
  for (let count = 0; pending.length > 0; ) {
    if (++count > max) return true
    const next = pending.pop()
    if (typeof next === 'object' && next !== null) for (const member of Object.values(next)) pending.push(member)
  }
  return false
}
