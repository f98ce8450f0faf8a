import { z } from 'zod'
import { numberProblem, parseNumber, typedNumber } from '../format/number-signs.ts'

/** Returns the text of an input for a number; empty for none. Shares of floating point are rounded. */
export const textOfNumber = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : typedNumber(Math.round(value * 1e6) / 1e6)

/**
 * Reads the text of an input while the values of a form become a body; an empty one is null. A text that is no number,
 * or may be read in two ways, is an issue of the field at `path`.
 */
export function readNumber(text: string, context: z.RefinementCtx, ...path: string[]): number | null {
  const message = numberProblem(text)
  if (message !== undefined) context.addIssue({ code: 'custom', message, path })
  return message !== undefined || text.trim() === '' ? null : parseNumber(text)
}

/** Reads a number as `readNumber` does. @param schema checks the number */
export const numberText = <Value extends number | null>(schema: z.ZodType<Value>) =>
  z
    .string()
    .transform((text, context) => readNumber(text, context))
    .pipe(schema as z.ZodType<Value, number | null>) // the schemas of numbers read numbers
