import type { SsoClaims } from '../../store/directory/saml-assertions.ts'
import type { SamlAssertion } from './read-assertion.ts'

/** Names under which identity providers send the mail address. */
const mailAttributes = [
  'email',
  'mail',
  'emailAddress',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
]

/**
 * Returns the claims of an assertion. The mail address is the only value of the first attribute for it, or else the
 * name identifier. Attributes never replace the claims that identify the user.
 */
export function claimsOfAssertion(issuer: string, { nameId, attributes }: SamlAssertion): SsoClaims {
  const values = mailAttributes.map((name) => attributes.get(name)).find((found) => found !== undefined)
  const email = values === undefined ? nameId : values.length === 1 ? values[0] : undefined
  return { ...Object.fromEntries(attributes), iss: issuer, sub: nameId, email, email_verified: undefined }
}
