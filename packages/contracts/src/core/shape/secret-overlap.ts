import { z } from 'zod'
import { timestamp } from './shape.ts'

const oneDaySeconds = 86_400
const maxOverlapSeconds = 7 * oneDaySeconds

/** Body of a request that replaces a secret. */
export const SecretOverlap = z.strictObject({
  overlap_seconds: z
    .number()
    .int()
    .min(0)
    .max(maxOverlapSeconds)
    .default(oneDaySeconds)
    .describe('How long the previous secret stays valid; 0 ends it at once'),
})

/** The end of the previous secret, in the response to such a request. */
export const previousExpiresAt = timestamp()
  .nullable()
  .describe('When the previous secret stops working; null if it already has')
