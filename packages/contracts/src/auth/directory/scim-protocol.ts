import { z } from 'zod'

/** Fields that the endpoints of SCIM share. Directories send the token as a bearer token. */
export const scim = {
  scope: 'auth:provision',
  acceptsKeyAsBearer: true,
  response: 'http',
  protocol: 'scim',
} as const

/** Query of a list. The operation reads the numbers, because out of range they have a meaning (RFC 7644 section 3.4.2.4). */
export const scimList = z.object({
  filter: z.string().optional(),
  startIndex: z.string().optional(),
  count: z.string().optional(),
  attributes: z.string().optional(),
  excludedAttributes: z.string().optional(),
})
