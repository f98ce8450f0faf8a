import { setTimeout as delay } from 'node:timers/promises'
import type { JobFailure } from '@wp/jobs'
import { OutboundError } from '@wp/outbound'
import { failed, unreachable } from '../failure.ts'
import { shown } from './address.ts'

/** Something that may be different when it is tried again. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly failure: JobFailure
  /** How long the server asks to be left alone. */
  readonly afterMs: number | undefined

  constructor(failure: JobFailure, afterMs?: number) {
    super(failure.message, { cause: failure })
    this.failure = failure
    this.afterMs = afterMs
  }
}

/** How patiently a page is asked for. */
export interface Patience {
  tries: number
  /** The wait after the first try; each one after that is four times as long. */
  firstWaitMs: number
  /** No wait is longer; a server that asks for more is asked again by another attempt at the sync. */
  longestWaitMs: number
}

/** Waits before the next try. @throws JobFailure `transient` where there is to be none, the signal's reason */
export async function waitAfter(error: Unavailable, tried: number, patience: Patience, signal: AbortSignal) {
  const { tries, firstWaitMs, longestWaitMs } = patience
  const waitMs = error.afterMs ?? Math.min(longestWaitMs, firstWaitMs * 4 ** (tried - 1))
  if (tried >= tries || waitMs > longestWaitMs) throw error.failure
  try {
    await delay(waitMs, undefined, { signal })
  } catch (cause) {
    signal.throwIfAborted()
    throw cause
  }
}

/** `Retry-After` (RFC 9110, section 10.2.3) in milliseconds. */
export function retryAfterMs(field: string | string[] | undefined, now: number): number | undefined {
  const [text = ''] = [field ?? []].flat()
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** What a call failed at, as something to throw; an abort of ours is thrown as such. */
export function callFailure(error: unknown, address: string, signal: AbortSignal): unknown {
  if (!(error instanceof OutboundError)) return error
  if (error.kind === 'aborted' && signal.aborted) return signal.reason
  const message = `${shown(address)}: ${error.message}`
  switch (error.kind) {
    case 'dns':
    case 'connect':
    case 'timeout':
    case 'reset':
    case 'aborted':
      return new Unavailable(failed('transient', message, error))
    case 'protocol':
    case 'encoding':
      return failed('schema', message, error)
    case 'too_large':
      return failed('config', message, error)
    default:
      return failed(unreachable(error).error.code === 'transient' ? 'transient' : 'config', message, error)
  }
}
