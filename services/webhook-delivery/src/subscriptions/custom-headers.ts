import { type FieldError, problem } from '@wp/contracts'
import type { Sealer } from '@wp/service'
import { isReservedHeader } from '../delivery/request-headers.ts'

const maxHeaders = 20

/** Refuses headers that are ours or the connection's, and names given twice. @throws Problem `validation_failed` */
export function checkHeaders(names: readonly string[]): void {
  const errors = names.flatMap((name, index): FieldError[] => {
    const detail = findHeaderError(name, names.slice(0, index))
    return detail === undefined ? [] : [{ pointer: `/headers/${escapePointer(name)}`, detail }]
  })
  if (names.length > maxHeaders) errors.push({ pointer: '/headers', detail: `must have at most ${maxHeaders} headers` })
  const [first] = errors
  if (first !== undefined) throw problem('validation_failed', { detail: `${first.pointer}: ${first.detail}`, errors })
}

function findHeaderError(name: string, before: readonly string[]): string | undefined {
  if (isReservedHeader(name)) return 'cannot be overridden'
  return before.some((other) => isSameHeader(other, name)) ? 'is given twice' : undefined
}

/** RFC 6901. */
const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

const isSameHeader = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

export const sealHeaders = (sealer: Sealer, webhookId: string, headers: Readonly<Record<string, string>>) =>
  mapValues(headers, (value, name) => sealer.seal(value, headerBinding(webhookId, name)))

/** @throws when the key is gone or a value was tampered with */
export const openHeaders = (sealer: Sealer, webhookId: string, sealed: Readonly<Record<string, string>>) =>
  mapValues(sealed, (value, name) => sealer.open(value, headerBinding(webhookId, name)))

/** A merge patch (RFC 7396): a value replaces, null removes, what is not named stays; names differ in more than case. */
export function mergeHeaders(
  sealed: Readonly<Record<string, string>>,
  sealedPatch: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const named = Object.keys(sealedPatch)
  const kept = Object.entries(sealed).filter(([name]) => !named.some((other) => isSameHeader(other, name)))
  const set = Object.entries(sealedPatch).filter((pair): pair is [string, string] => pair[1] !== null)
  return Object.fromEntries([...kept, ...set])
}

/** What the sealed value of a header is bound to. */
export const headerBinding = (webhookId: string, name: string): string => `${webhookId}/headers/${name.toLowerCase()}`

const mapValues = (values: Readonly<Record<string, string>>, change: (value: string, name: string) => string) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))
