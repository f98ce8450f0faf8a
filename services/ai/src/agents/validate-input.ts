import { invalidField, validationProblem } from '@wp/contracts'
import { type Schema, StepLimitReached } from './input-schema/evaluation.ts'
import { matchSchema } from './input-schema/match-schema.ts'

const pointer = '/input'

/** Bounds the time of a validation to some milliseconds. A form of 50 fields takes about 150 steps. */
const maxSteps = 10_000

/**
 * Asserts that the `input` of a run matches the `input_schema` of its agent.
 * @param schema as stored with the agent; null accepts any input
 * @throws Problem `validation_failed` with pointers to the fields that do not match
 */
export function validateInput(schema: Schema | null, input: unknown): void {
  if (schema === null) return
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidField(pointer, 'must be an object that matches the input_schema of the agent')
  const errors = match(schema, input)
  if (errors.length > 0)
    throw validationProblem(errors.map(({ pointer: at, detail }) => ({ pointer: `${pointer}${at}`, detail })))
}

function match(schema: Schema, input: unknown) {
  try {
    return matchSchema(schema, input, maxSteps)
  } catch (error) {
    if (!(error instanceof StepLimitReached)) throw error
    throw invalidField(pointer, 'takes too long to be compared with the input_schema; send fewer or shorter values')
  }
}
