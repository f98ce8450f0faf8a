import { type FieldError, problem } from '@wp/contracts'
import { mergePatch, type Sealer } from '@wp/service'
import { isReservedHeader } from '../delivery/request/request-headers.ts'

const maxHeaders = 20

/** Rejects reserved headers and duplicate names. @throws Problem `validation_failed` with a pointer to each */
export function checkHeaders(names: readonly string[], pointer = '/headers'): void {
  const errors = names.flatMap((name, index): FieldError[] => {
    const detail = findHeaderError(name, names.slice(0, index))
    return detail === undefined ? [] : [{ pointer: `${pointer}/${escapePointer(name)}`, detail }]
  })
  if (names.length > maxHeaders) errors.push({ pointer, detail: `must have at most ${maxHeaders} headers` })
  const [first] = errors
  if (first !== undefined) throw problem('validation_failed', { detail: `${first.pointer}: ${first.detail}`, errors })
}

function findHeaderError(name: string, previous: readonly string[]): string | undefined {
  if (isReservedHeader(name)) return 'cannot be overridden'
  return previous.some((other) => isSameHeader(other, name)) ? 'is given twice' : undefined
}

/** Escapes a JSON pointer token (RFC 6901). */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

const isSameHeader = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

export const sealHeaders = (sealer: Sealer, webhookId: string, headers: Readonly<Record<string, string>>) =>
  mapValues(headers, (value, name) => sealer.seal(value, headerBinding(webhookId, name)))

/** @throws Error if the key is unknown or a value was tampered with */
export const openHeaders = (sealer: Sealer, webhookId: string, sealed: Readonly<Record<string, string>>) =>
  mapValues(sealed, (value, name) => sealer.open(value, headerBinding(webhookId, name)))

/** Applies a merge patch (RFC 7396) to sealed headers. Names are compared without case; the patch sets the spelling. */
export function mergeHeaders(
  sealed: Readonly<Record<string, string>>,
  sealedPatch: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const patched = Object.keys(sealedPatch)
  const unpatched = Object.entries(sealed).filter(([name]) => !patched.some((other) => isSameHeader(other, name)))
  return mergePatch(Object.fromEntries(unpatched), sealedPatch)
}

/** Returns the associated data of a sealed header value. */
export const headerBinding = (webhookId: string, name: string): string => `${webhookId}/headers/${name.toLowerCase()}`

export const mapValues = (values: Readonly<Record<string, string>>, change: (value: string, name: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))
