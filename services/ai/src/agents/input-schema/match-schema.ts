import { bodyPointer, type FieldError } from '@wp/contracts'
import { canonicalJson } from '@wp/runtime'
import {
  arrayOf,
  counted,
  type Evaluation,
  fault,
  isObject,
  type Path,
  type Schema,
  StepLimitReached,
} from './evaluation.ts'
import { matchObject } from './match-object.ts'
import { matchScalar } from './match-scalar.ts'

/** Characters of elements that are compared in one step. */
const charactersPerStep = 20

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

/** Evaluates the keywords of arrays. */
function matchArray(schema: Schema, elements: readonly unknown[], path: Path, evaluation: Evaluation): FieldError[] {
  const { minItems, maxItems, uniqueItems } = schema
  if (typeof minItems === 'number' && elements.length < minItems)
    return [fault(path, `must have at least ${counted(minItems, 'element')}`)]
  if (typeof maxItems === 'number' && elements.length > maxItems)
    return [fault(path, `must have at most ${counted(maxItems, 'element')}`)]
  if (uniqueItems === true && hasRepeats(elements, evaluation)) return [fault(path, 'must not have equal elements')]
  return [...matchItems(schema, elements, path, evaluation), ...matchContains(schema, elements, path, evaluation)]
}

function matchItems({ prefixItems, items }: Schema, elements: readonly unknown[], path: Path, evaluation: Evaluation) {
  const prefix = arrayOf(prefixItems)
  if (items === false && elements.length > prefix.length)
    return [fault(path, `must have at most ${counted(prefix.length, 'element')}`)]
  return elements.flatMap((element, position) => {
    const schema = position < prefix.length ? prefix[position] : items
    return schema === undefined ? [] : evaluation.match(schema, element, [...path, position])
  })
}

function matchContains(
  { contains, minContains = 1, maxContains }: Schema,
  elements: readonly unknown[],
  path: Path,
  evaluation: Evaluation,
): FieldError[] {
  if (contains === undefined) return []
  const count = elements.filter((element) => evaluation.match(contains, element, path).length === 0).length
  if (count < Number(minContains)) return [fault(path, 'lacks a required element')]
  return typeof maxContains === 'number' && count > maxContains
    ? [fault(path, `must have at most ${maxContains} of the elements that are limited`)]
    : []
}

/** Compares the texts of the elements: comparing each pair would take the square of their number. */
function hasRepeats(elements: readonly unknown[], evaluation: Evaluation): boolean {
  const texts = elements.map((element) => {
    evaluation.spend(1)
    const text = canonicalJson(element, JSON.stringify)
    evaluation.spend(text.length / charactersPerStep)
    return text
  })
  return new Set(texts).size < texts.length
}
