import type { DeclaredField, FieldType } from '@wp/contracts'
import { converterFor, typeMismatch } from '../../../schema/declared-fields.ts'
import { holdsBooleanText, holdsNumberText, typeOf } from '../../../schema/value-kinds.ts'
import type { Kinds } from '../../../store/sources/observed-fields.ts'
import { type Comparison, compareAsDeclared, compareAsStored, type Scalar } from './field-filter.ts'

/** The declaration and the observed values of a field of one source. */
export interface SourceField {
  declared: DeclaredField | undefined
  /** The kinds of values observed; 0 if none was. */
  kinds: Kinds
}

/** Returns the declared type, or else that of the values. */
export const typeOfField = ({ declared, kinds }: SourceField): FieldType => declared?.type ?? typeOf(kinds)

/** Returns the declaration by which values are converted; undefined for text of several kinds and for mixed values. */
export function conversionOf(field: SourceField): DeclaredField | undefined {
  if (field.declared !== undefined) return field.declared
  const type = typeOf(field.kinds)
  return type === 'number' || type === 'boolean' || type === 'timestamp' ? { type } : undefined
}

/** Returns how values of a field are compared. */
export function comparisonOf(field: SourceField): Comparison {
  const declaration = conversionOf(field)
  return declaration === undefined ? compareAsStored : compareAsDeclared(declaration)
}

/** Returns true if values of a field are below or above a bound; false if they are of unlike types. */
export function isComparable(field: SourceField, bound: string | number): boolean {
  const type = typeOfField(field)
  if (type === 'boolean') return false
  if (type === 'timestamp' && field.declared === undefined && typeof bound === 'number') return false
  if (type === 'string' && typeof bound === 'number')
    return field.declared === undefined && holdsNumberText(field.kinds)
  return isConvertible(field, bound)
}

/** Returns true if a value of a field may equal another value. */
export function isEquatable(field: SourceField, wanted: Scalar): boolean {
  if (typeOfField(field) === 'string' && field.declared === undefined) {
    if (typeof wanted === 'number') return holdsNumberText(field.kinds)
    if (typeof wanted === 'boolean') return holdsBooleanText(field.kinds)
  }
  return isConvertible(field, wanted)
}

function isConvertible(field: SourceField, value: Scalar): boolean {
  const declaration = conversionOf(field)
  return declaration === undefined || converterFor(declaration)(value) !== typeMismatch
}
