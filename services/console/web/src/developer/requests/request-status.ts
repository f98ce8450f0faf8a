import type { LoggedRequest } from '@wp/contracts'
import type { z } from 'zod'
import type { Tone } from '../../ui/values/values.tsx'

export type RequestView = z.infer<typeof LoggedRequest>

/** Returns the tone of a status: only what the caller or the platform must look at stands out. */
export const toneOfStatus = (status: number): Tone => (status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'neutral')

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is not valid; the response names the field.',
  401: 'The credential is missing, expired or revoked.',
  403: 'The credential is known, but may not do this.',
  404: 'The resource does not exist, or belongs to another workspace.',
  405: 'The address does not take this method.',
  409: 'The state of the resource does not allow it now.',
  412: 'The resource was changed after it was read.',
  413: 'The body is too large.',
  415: 'The content type is not supported.',
  422: 'The idempotency key was used before, for another body.',
  429: 'A rate limit was reached; the response says when to try again.',
}

/** Explains a status in a sentence; undefined for a success. */
export function explainStatus(status: number): string | undefined {
  if (status < 400) return undefined
  return (
    meanings[status] ?? (status >= 500 ? 'The platform failed; it can be tried again.' : 'The request was refused.')
  )
}
