import { bodyPointer, type FieldError } from '@wp/contracts'
import { arrayOf, type Evaluation, fault, isObject, type Path, type Schema, StepLimitReached } from './evaluation.ts'
import { matchArray } from './match-array.ts'
import { matchObject } from './match-object.ts'
import { matchScalar } from './match-scalar.ts'

/**
 * Evaluates a schema that `checkInputSchema` has accepted. An interpreter, because its work can be counted: compilers
 * of schemas take time that grows with the square of the schema, and the functions they make cannot be stopped.
 * @param maxSteps evaluations of a schema at a value
 * @returns the errors; none if the value matches
 * @throws StepLimitReached
 */
export function matchSchema(root: Schema, value: unknown, maxSteps: number): FieldError[] {
  const definitions = isObject(root.$defs) ? root.$defs : {}
  let steps = 0
  const evaluation: Evaluation = {
    match(schema, current, path) {
      this.spend(1)
      if (schema === false) return [fault(path, 'must not be given')]
      if (!isObject(schema)) return []
      const own = [
        ...matchScalar(schema, current, path, this),
        ...(Array.isArray(current) ? matchArray(schema, current, path, this) : []),
        ...(isObject(current) ? matchObject(schema, current, path, this) : []),
      ]
      // Of a value of another type, further errors explain nothing.
      return own.length > 0 ? own.slice(0, maxErrors) : matchApplicators(schema, current, path, this, definitions)
    },
    spend(count) {
      steps += count
      if (steps > maxSteps) throw new StepLimitReached(`the evaluation takes more than ${maxSteps} steps`)
    },
  }
  return evaluation.match(root, value, [])
}

/** Errors listed in a response. */
const maxErrors = 100

/** Evaluates the keywords that apply schemas to the value itself. */
function matchApplicators(
  schema: Schema,
  value: unknown,
  path: Path,
  evaluation: Evaluation,
  definitions: Schema,
): FieldError[] {
  const match = (inner: unknown) => evaluation.match(inner, value, path)
  const matches = (inner: unknown) => match(inner).length === 0
  const schemas = (keyword: string) => arrayOf(schema[keyword])
  const errors = schemas('allOf').flatMap(match)
  if (typeof schema.$ref === 'string') errors.push(...match(definitions[definitionName(schema.$ref)]))
  if (schema.anyOf !== undefined) errors.push(...closest(schemas('anyOf').map(match), path))
  if (schema.oneOf !== undefined) {
    const results = schemas('oneOf').map(match)
    const count = results.filter((result) => result.length === 0).length
    if (count === 0) errors.push(...closest(results, path))
    if (count > 1) errors.push(fault(path, 'must match only one of the allowed forms'))
  }
  if (schema.not !== undefined && matches(schema.not)) errors.push(fault(path, 'has a form that is not allowed'))
  if (schema.if !== undefined) {
    const branch = matches(schema.if) ? schema.then : schema.else
    if (branch !== undefined) errors.push(...match(branch))
  }
  return errors
}

/** Returns the errors of the alternative that a value was meant for: the only one whose errors lie within the value. */
function closest(results: readonly FieldError[][], path: Path): FieldError[] {
  if (results.some((errors) => errors.length === 0)) return []
  const pointer = bodyPointer(path)
  const inner = results.filter((errors) => errors.every((error) => error.pointer !== pointer))
  const [only] = inner
  return only !== undefined && inner.length === 1 ? only : [fault(path, 'does not have an allowed form')]
}

/** Returns the name in `#/$defs/<name>`. */
const definitionName = (reference: string): string =>
  reference.slice('#/$defs/'.length).replaceAll('~1', '/').replaceAll('~0', '~')
