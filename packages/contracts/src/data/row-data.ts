import { z } from 'zod'

/**
 * The fields of a record or row, by name. Not `z.record`, which leaves out a field named `__proto__`: in a row it is an
 * ordinary field.
 */
export const rowData = () =>
  z
    .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
    .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} })
