import { bodyPointer, type FieldError, type FieldFilter, type FieldType, validationProblem } from '@wp/contracts'
import type { Warning } from '../../rank/warning.ts'
import type { Scalar } from './field-filter.ts'
import { isComparable, isEquatable, type SourceField, typeOfField } from './field-type.ts'

const typeNouns: Readonly<Record<FieldType, string>> = {
  number: 'a number',
  string: 'text',
  boolean: 'a boolean',
  timestamp: 'a timestamp such as 2026-01-05T09:00:00Z',
  mixed: 'a value',
  null: 'a value',
}

/**
 * Checks the values of filters against the types of their fields.
 * @param listFields returns a field as each searched source that has it knows it
 * @param member the member of the body with the filters, for error details
 * @returns warnings for values that no record can equal
 * @throws Problem `validation_failed` for bounds that no value can be compared with
 */
export function checkFilterTypes(
  filters: Readonly<Record<string, FieldFilter>>,
  listFields: (name: string) => readonly SourceField[],
  member = 'filters',
): Warning[] {
  const errors: FieldError[] = []
  const warnings: Warning[] = []
  for (const [name, filter] of Object.entries(filters)) {
    const fields = listFields(name)
    if (fields.length === 0) continue
    for (const [operator, bound] of boundsOf(filter))
      if (!fields.some((field) => isComparable(field, bound)))
        errors.push({ pointer: bodyPointer([member, name, operator]), detail: describeBound(fields) })
    const unequal = valuesOf(filter).find((value) => !fields.some((field) => isEquatable(field, value)))
    if (unequal !== undefined) warnings.push(typeMismatchWarning(name, unequal, fields))
  }
  if (errors.length > 0) throw validationProblem(errors)
  return warnings
}

/** Returns the bounds of a range. */
function boundsOf(filter: FieldFilter): [operator: string, bound: string | number][] {
  if (typeof filter !== 'object' || 'in' in filter || 'not' in filter || 'exists' in filter) return []
  return Object.entries(filter).flatMap(([operator, bound]) => (bound === undefined ? [] : [[operator, bound]]))
}

/** Returns the values that a filter tests for equality. */
function valuesOf(filter: FieldFilter): Scalar[] {
  if (typeof filter !== 'object') return [filter]
  if ('in' in filter) return filter.in
  return 'not' in filter ? [filter.not].flat() : []
}

const typesOf = (fields: readonly SourceField[]): FieldType[] => [...new Set(fields.map(typeOfField))]

function describeBound(fields: readonly SourceField[]): string {
  const types = typesOf(fields)
  if (types.every((type) => type === 'boolean'))
    return 'is a bound, but the field has the type boolean, which has no order'
  const nouns = types.filter((type) => type !== 'boolean').map((type) => typeNouns[type])
  return `must be ${nouns.join(' or ')}: the field has the type ${types.join(' or ')}`
}

function typeMismatchWarning(name: string, value: Scalar, fields: readonly SourceField[]): Warning {
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value)
  return {
    code: 'type_mismatch',
    message: `The field "${name}" has the type ${typesOf(fields).join(' or ')}; no record has the value ${text}`,
  }
}
