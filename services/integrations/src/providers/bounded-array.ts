import { z } from 'zod'

/**
 * Creates the schema of an array of an untrusted server. The length is checked before any element: `z.array().max()`
 * checks it afterwards and creates an issue of about 1 KB for each invalid element.
 */
export const boundedArray = <Element extends z.ZodType>(element: Element, maxLength: number) =>
  z
    .custom<unknown[]>((value) => Array.isArray(value) && value.length <= maxLength)
    .pipe(z.array(element).max(maxLength))
