/** Base address of the directory protocol, without the public base address. */
export const scimPath = '/v1/auth/scim/v2'

/** Media type of requests and responses (RFC 7644 section 8.1). */
export const scimMediaType = 'application/scim+json'

/** Schema of error bodies (RFC 7644 section 3.12). */
export const scimErrorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'
