import { z } from 'zod'

/** Creates an array schema. Too many elements are rejected before any is validated: zod checks `max` first. */
export const boundedArray = <Element extends z.ZodType>(
  element: Element,
  max: number,
  { min = 0 }: { min?: number } = {},
): z.ZodArray<Element> => z.array(element).min(min).max(max, `must have at most ${max} elements`)

/**
 * Creates a record schema that rejects too many keys before it validates any. A check on `z.record()` runs after all
 * keys and values have been validated and copied.
 * @param typeMessage message for an input of another type; default that of every object
 */
export function boundedRecord<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  maxKeys: number,
  typeMessage?: string,
): z.ZodType<z.output<z.ZodRecord<Key, Value>>, z.input<z.ZodRecord<Key, Value>>> {
  const error = ({ code }: { code?: string }) => (code === 'invalid_type' ? typeMessage : undefined)
  const record = z.record(key, value, { error }).meta({ maxProperties: maxKeys })
  const counted = z.preprocess((given, context) => {
    if (hasMoreKeys(given, maxKeys))
      context.addIssue({ code: 'custom', message: `must have at most ${maxKeys} members` })
    return given
  }, record)
  // The input of a preprocessed schema is typed `unknown`; what passes the check goes on to `record` unchanged.
  return counted as never
}

function hasMoreKeys(value: unknown, max: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  let count = 0
  for (const _ in value) if (++count > max) return true
  return false
}

/** Rejects each element of an array that identifies the same thing as an earlier one. */
export const withoutRepeats = <Element extends z.ZodType>(
  array: z.ZodArray<Element>,
  keyOf: (element: z.output<Element>) => string,
) =>
  array.superRefine((elements, context) => {
    const seen = new Set<string>()
    elements.forEach((element, position) => {
      const key = keyOf(element)
      if (seen.has(key)) context.addIssue({ code: 'custom', path: [position], message: 'repeats an earlier element' })
      seen.add(key)
    })
  })
