import { invalidField, validationProblem } from '@wp/contracts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Schema, StepLimitReached } from './evaluation.ts'
import { matchSchema } from './match-schema.ts'
import { findSchemaFault } from './measure-schema.ts'

const inputPointer = '/input'

/** Bounds the time of a validation to some milliseconds. A form of 50 fields takes about 150 steps. */
const maxSteps = 10_000

const limits = { maxDepth: 32, maxSize: 32_768 }

const pointer = '/input_schema'
const dialect = 'https://json-schema.org/draft/2020-12/schema'

/**
 * Asserts that an `input_schema` is a JSON Schema 2020-12 of an object, and small enough to be evaluated in a request.
 * @throws Problem `validation_failed` with a pointer into the schema
 */
export function checkInputSchema(schema: Readonly<Record<string, unknown>> | null | undefined): void {
  if (schema === null || schema === undefined) return
  if (schema.$schema !== undefined && schema.$schema !== dialect)
    throw invalidField(`${pointer}/$schema`, `must be ${dialect}`)
  if (schema.type !== 'object')
    throw invalidField(`${pointer}/type`, 'must be object: a run has an object as its input')
  const fault = findSchemaFault(schema, limits)
  if (fault !== undefined) throw invalidField(`${pointer}${fault.pointer}`, fault.detail)
  assertValid(schema)
}

/** @throws Problem `validation_failed` if a keyword has a value that the meta-schema does not allow */
function assertValid(schema: Readonly<Record<string, unknown>>): void {
  if (metaSchema.validateSchema(schema) === true) return
  const [error] = metaSchema.errors ?? []
  throw invalidField(`${pointer}${error?.instancePath ?? ''}`, `is not valid in JSON Schema 2020-12: ${error?.message}`)
}

/** The meta-schema, compiled at its first use: a constant, apart from the errors of the last call. */
const metaSchema = new Ajv2020({ strict: false, logger: false })

/**
 * Asserts that the `input` of a run matches the `input_schema` of its agent.
 * @param schema as stored with the agent; null accepts any input
 * @throws Problem `validation_failed` with pointers to the fields that do not match
 */
export function validateInput(schema: Schema | null, input: unknown): void {
  if (schema === null) return
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw invalidField(inputPointer, 'must be an object that matches the input_schema of the agent')
  const errors = match(schema, input)
  if (errors.length > 0)
    throw validationProblem(errors.map(({ pointer: at, detail }) => ({ pointer: `${inputPointer}${at}`, detail })))
}

function match(schema: Schema, input: unknown) {
  try {
    return matchSchema(schema, input, maxSteps)
  } catch (error) {
    if (!(error instanceof StepLimitReached)) throw error
    throw invalidField(
      inputPointer,
      'takes too long to be compared with the input_schema; send fewer or shorter values',
    )
  }
}
