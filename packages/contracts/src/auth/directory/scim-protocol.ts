import { z } from 'zod'

/** Base address of the directory protocol, without the public base address. */
export const scimPath = '/v1/auth/scim/v2'

/** Media type of requests and responses (RFC 7644 section 8.1). */
export const scimMediaType = 'application/scim+json'

/** Schema of error bodies (RFC 7644 section 3.12). */
export const scimErrorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** Fields that the endpoints of SCIM share. Directories send the token as a bearer token. */
export const scim = {
  scope: 'auth:provision',
  acceptsKeyAsBearer: true,
  response: 'http',
  protocol: 'scim',
} as const

const attributeList = (description: string) => z.string().max(1_000).optional().describe(description)

/** Parameters that choose attributes (RFC 7644 section 3.9). */
export const scimAttributes = {
  attributes: attributeList('Attributes to return beside `schemas` and `id`, separated by commas'),
  excludedAttributes: attributeList('Attributes to leave out, separated by commas; ignored beside `attributes`'),
}

/** Query of a list. The operation reads the numbers: out of range they have a meaning (RFC 7644 section 3.4.2.4). */
export const scimList = z.object({
  filter: z
    .string()
    .max(10_000)
    .optional()
    .meta({
      description: 'Filter of RFC 7644 section 3.4.2.2, at most 1,000 characters, 20 terms and 5 levels',
      examples: ['userName eq "ada@example.com"'],
    }),
  startIndex: z.string().max(20).optional().describe('Position of the first result, from 1'),
  count: z.string().max(20).optional().describe('Largest number of results, at most 200; default 100'),
  ...scimAttributes,
})
