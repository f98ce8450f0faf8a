import { invalidField } from '@wp/contracts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { findSchemaFault } from './measure-schema.ts'

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
