import { z } from 'zod'

const oneDaySeconds = 86_400
const maxOverlapSeconds = 7 * oneDaySeconds

/** Body of a request that replaces a secret. */
export const SecretOverlap = z.strictObject({
  overlap_seconds: z.number().int().min(0).max(maxOverlapSeconds).default(oneDaySeconds).meta({
    description: 'How long the previous secret stays valid; 0 ends it at once',
  }),
})
