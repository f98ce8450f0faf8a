import type { FieldError } from '@wp/contracts'
import { arrayOf, counted, type Evaluation, fault, isObject, type Path, type Schema } from './evaluation.ts'

type Members = Readonly<Record<string, unknown>>

/** Evaluates the keywords of objects. Inherited members, such as `toString`, are none. */
export function matchObject(schema: Schema, value: Members, path: Path, evaluation: Evaluation): FieldError[] {
  const names = Object.keys(value)
  const { minProperties, maxProperties } = schema
  if (typeof minProperties === 'number' && names.length < minProperties)
    return [fault(path, `must have at least ${counted(minProperties, 'member')}`)]
  if (typeof maxProperties === 'number' && names.length > maxProperties)
    return [fault(path, `must have at most ${counted(maxProperties, 'member')}`)]
  return [
    ...missing(schema, value, path, evaluation),
    ...names.flatMap((name) => matchMember(schema, name, value[name], path, evaluation)),
    ...matchDependentSchemas(schema, value, path, evaluation),
  ]
}

function missing(
  { required, dependentRequired }: Schema,
  value: Members,
  path: Path,
  evaluation: Evaluation,
): FieldError[] {
  const absent = (names: unknown, detail: string) => {
    evaluation.spend(arrayOf(names).length / 10)
    return arrayOf(names)
      .map(String)
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => fault([...path, name], detail))
  }
  const dependent = Object.entries(isObject(dependentRequired) ? dependentRequired : {})
    .filter(([name]) => Object.hasOwn(value, name))
    .flatMap(([name, names]) => absent(names, `is required together with ${name}`))
  return [...absent(required, 'is required'), ...dependent]
}

function matchMember(
  { properties, additionalProperties, propertyNames }: Schema,
  name: string,
  member: unknown,
  path: Path,
  evaluation: Evaluation,
): FieldError[] {
  const at = [...path, name]
  evaluation.spend(1)
  if (propertyNames !== undefined && evaluation.match(propertyNames, name, at).length > 0)
    return [fault(at, 'has a name that is not allowed')]
  if (isObject(properties) && Object.hasOwn(properties, name)) return evaluation.match(properties[name], member, at)
  if (additionalProperties === false) return [fault(at, 'is not a known field')]
  return additionalProperties === undefined ? [] : evaluation.match(additionalProperties, member, at)
}

function matchDependentSchemas(
  { dependentSchemas }: Schema,
  value: Members,
  path: Path,
  evaluation: Evaluation,
): FieldError[] {
  return Object.entries(isObject(dependentSchemas) ? dependentSchemas : {})
    .filter(([name]) => Object.hasOwn(value, name))
    .flatMap(([, schema]) => evaluation.match(schema, value, path))
}
