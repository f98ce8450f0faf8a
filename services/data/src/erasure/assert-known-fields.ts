import { bodyPointer, nearestName, validationProblem } from '@wp/contracts'
import { declaredFieldsOf } from '../schema/declared-fields.ts'
import type { LockedSource } from '../store/sources/locked-source.ts'
import { maxFields } from '../store/sources/observed-fields.ts'

const maxListedFields = 20

/**
 * Asserts that a source has the fields of a filter: `not` and `exists: false` on a misspelt one would match every
 * record.
 * @throws Problem `validation_failed`
 */
export function assertKnownFields({ fields, config }: LockedSource, names: readonly string[]): void {
  if (fields.length >= maxFields) return // further fields are not tracked
  const known = [...new Set([...fields.map(([name]) => name), ...declaredFieldsOf(config).keys()])]
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw validationProblem(
    unknown.map((name) => ({ pointer: bodyPointer(['filter', name]), detail: describeUnknown(name, known) })),
  )
}

function describeUnknown(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  const hint = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`
  const listed = known.slice(0, maxListedFields).join(', ')
  const fields = `${listed}${known.length > maxListedFields ? ', …' : ''}`
  return `is not a field of the data source${hint}; its fields are ${fields}`
}
