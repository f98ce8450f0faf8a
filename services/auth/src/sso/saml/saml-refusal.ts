/** Reasons for which a SAML response is refused, with the sentence that the page of a test shows. */
export const samlRefusals = {
  too_large: 'The response is larger than 256 KiB.',
  not_base64: 'The response is not base64.',
  not_utf8: 'The response is not UTF-8.',
  malformed_xml: 'The response is not well-formed XML.',
  doctype: 'The response has a document type declaration.',
  entity: 'The response uses an entity that XML does not predefine.',
  comment: 'The response contains a comment.',
  cdata: 'The response contains a CDATA section.',
  processing_instruction: 'The response contains a processing instruction.',
  too_complex: 'The response has too many elements, or nests them too deeply.',
  not_a_response: 'The message is not a SAML 2.0 response.',
  duplicate_id: 'Two elements of the response have the same ID.',
  wrong_destination: 'The response is for another address.',
  wrong_response_issuer: 'The response is of another identity provider.',
  status: 'The identity provider reports a failure.',
  wrong_request: 'The response does not answer the request of this sign-in.',
  no_assertion: 'The response has no assertion.',
  several_assertions: 'The response has several assertions.',
  misplaced_assertion: 'The response has an assertion at a place where none belongs.',
  unsigned_assertion: 'The assertion is not signed. A signed response around it is not enough.',
  several_signatures: 'An element has several signatures.',
  misplaced_signature: 'The response has a signature at a place where none belongs.',
  malformed_signature: 'A signature has parts that no SAML signature has.',
  wrong_reference: 'A signature does not cover exactly the element that contains it.',
  weak_signature: 'A signature uses an algorithm that is not accepted. RSA with SHA-256 or SHA-512 is.',
  forbidden_transform: 'A signature uses a transform that is not accepted.',
  wrong_signature: 'A signature is not valid, or is of a certificate that the metadata does not have.',
  weak_encryption: 'The encryption uses an algorithm that is not accepted. AES with RSA-OAEP is.',
  malformed_encryption: 'The encrypted assertion does not have exactly one encrypted key and content.',
  wrong_encrypted_assertion: 'The encrypted assertion cannot be decrypted, or what it contains is not valid.',
  malformed_assertion: 'The assertion is not as SAML 2.0 requires.',
  malformed_time: 'A time of the assertion is not in UTC with the format of XML Schema.',
  issued_in_future: 'The assertion was issued in the future. Check the clock of the identity provider.',
  wrong_issuer: 'The assertion is of another identity provider.',
  no_name: 'The assertion has no name identifier.',
  transient_name: 'The name identifier is transient. Use a persistent one, or the mail address.',
  no_bearer_confirmation: 'The assertion has no bearer confirmation of its subject.',
  wrong_recipient: 'The assertion is for another recipient.',
  no_expiry: 'The confirmation of the subject does not expire.',
  valid_too_long: 'The assertion is valid for more than a day.',
  no_conditions: 'The assertion has no conditions.',
  unknown_condition: 'The assertion has a condition that is not known.',
  no_audience: 'The assertion is not restricted to an audience.',
  wrong_audience: 'The assertion is for another audience.',
  not_yet_valid: 'The assertion is not valid yet.',
  expired: 'The assertion has expired.',
  no_authentication: 'The assertion does not state an authentication.',
  session_expired: 'The session at the identity provider has ended.',
  replayed: 'The assertion was already used.',
} as const

export type SamlRefusalReason = keyof typeof samlRefusals

/** Thrown when a SAML response is refused. */
export class SamlRefusal extends Error {
  readonly reason: SamlRefusalReason
  /** True if the identity provider says that the user may not sign in. */
  readonly isDenied: boolean

  constructor(reason: SamlRefusalReason, options: ErrorOptions & { isDenied?: boolean } = {}) {
    super(samlRefusals[reason], options)
    this.reason = reason
    this.isDenied = options.isDenied ?? false
  }
}

export const isSamlRefusalReason = (text: string | undefined): text is SamlRefusalReason =>
  text !== undefined && Object.hasOwn(samlRefusals, text)
