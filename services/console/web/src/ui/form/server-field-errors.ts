import type { ApiError } from '@wp/client/browser'

/** The errors of a response, by the fields of a form. */
export interface ServerFieldErrors {
  fields: readonly { name: string; message: string }[]
  /** False if the response also says something that belongs to no field, so that the form must show it. */
  isComplete: boolean
}

/**
 * Assigns the errors of a response to fields. A pointer belongs to the field with its path, or to the nearest field
 * above it: `/scopes/2` to `scopes`. A response without pointers belongs to the field of its code, if `fieldOfCode`
 * names one.
 */
export function assignServerErrors(
  error: Pick<ApiError, 'code' | 'message' | 'errors'>,
  hasField: (name: string) => boolean,
  fieldOfCode: Readonly<Record<string, string>> = {},
): ServerFieldErrors {
  const codeField = fieldOfCode[error.code]
  if (error.errors.length === 0)
    return codeField === undefined
      ? { fields: [], isComplete: false }
      : { fields: [{ name: codeField, message: error.message }], isComplete: true }
  const fields = error.errors.flatMap(({ pointer, detail }) => {
    const name = fieldOfPointer(pointer, hasField) ?? codeField
    return name === undefined ? [] : [{ name, message: toSentence(detail) }]
  })
  return { fields, isComplete: fields.length === error.errors.length }
}

function fieldOfPointer(pointer: string, hasField: (name: string) => boolean): string | undefined {
  const parts = pointer.startsWith('?') ? pointer.slice(1).split('.') : pointer.split('/').slice(1).map(unescapePart)
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('.')
    if (hasField(name)) return name
  }
  return undefined
}

/** Reverses the escapes of a JSON pointer (RFC 6901). */
const unescapePart = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** Makes a sentence of a message such as `must be at least 1`, which the API states as a predicate. */
export const toSentence = (detail: string): string => {
  const text = detail.charAt(0).toUpperCase() + detail.slice(1)
  return /[.?)]$/.test(text) ? text : `${text}.`
}
