import type { ReceivedRequest } from '@wp/contracts'
import type { z } from 'zod'

export type ArrivalView = z.infer<typeof ReceivedRequest>

/** Returns the kind of the event, or that the request is none of the platform's. */
export const eventOf = ({ headers }: Pick<ArrivalView, 'headers'>): string =>
  headers['x-webhook-event'] ?? 'Request from outside'
