import { demand, type ExpectedResponse } from './inspect-response.ts'
import { SamlRefusal, type SamlRefusalReason } from './saml-refusal.ts'
import { childrenOf, namespaces, textOf, type XmlElement } from './xml.ts'

/** The statements of a verified assertion about its subject. */
export interface SamlAssertion {
  id: string
  nameId: string
  /** Values by the name of the attribute. */
  attributes: ReadonlyMap<string, readonly string[]>
  /** Milliseconds since 1970. */
  expiresAtMs: number
}

/** Difference of the clocks of identity provider and platform that is accepted. */
export const clockToleranceMs = 60_000
/** An assertion must not be valid for longer, because its id is kept until then. */
const maxValidityMs = 86_400_000
/** Lengths of identifiers and values (SAML 2.0 core, sections 1.3.4 and 8.3). */
const maxLength = 256
const maxValues = 1_000

/**
 * Reads an assertion from the bytes that its signature covers, and refuses it unless it is for this service provider,
 * this request and this time (SAML 2.0 profiles, section 4.1.4.3).
 * @throws SamlRefusal
 */
export function readAssertion(root: XmlElement, expected: ExpectedResponse, nowMs: number): SamlAssertion {
  demand(root.name === 'Assertion' && root.namespace === namespaces.assertion, 'malformed_assertion')
  const id = root.attributes.get('ID') ?? ''
  demand(root.attributes.get('Version') === '2.0' && id !== '' && id.length <= maxLength, 'malformed_assertion')
  demand(textOf(onlyChild(root, 'Issuer', 'wrong_issuer')) === expected.issuer, 'wrong_issuer')
  const issuedAt = readTime(root, 'IssueInstant')
  demand(issuedAt !== undefined, 'malformed_time')
  demand(issuedAt <= nowMs + clockToleranceMs, 'issued_in_future')
  const subject = onlyChild(root, 'Subject', 'no_name')
  const nameId = readNameId(subject)
  const expiresAtMs = checkConfirmation(subject, expected, nowMs)
  checkConditions(onlyChild(root, 'Conditions', 'no_conditions'), expected, nowMs)
  const statements = childrenOf(root, 'assertion', 'AuthnStatement')
  demand(statements.length > 0, 'no_authentication')
  for (const statement of statements) {
    const endsAt = readTime(statement, 'SessionNotOnOrAfter')
    demand(endsAt === undefined || nowMs < endsAt + clockToleranceMs, 'session_expired')
  }
  return { id, nameId, attributes: readAttributes(root), expiresAtMs: expiresAtMs + clockToleranceMs }
}

function onlyChild(element: XmlElement, name: string, reason: SamlRefusalReason): XmlElement {
  const [child, ...others] = childrenOf(element, 'assertion', name)
  demand(child !== undefined && others.length === 0, reason)
  return child
}

function readNameId(subject: XmlElement): string {
  const element = onlyChild(subject, 'NameID', 'no_name')
  const format = element.attributes.get('Format') ?? ''
  demand(!format.endsWith(':nameid-format:transient'), 'transient_name')
  const nameId = textOf(element)
  demand(nameId !== undefined && nameId.length <= maxLength, 'no_name')
  return nameId
}

/** Requires a bearer confirmation that applies; if there are several, the reason is that of the last. */
function checkConfirmation(subject: XmlElement, expected: ExpectedResponse, nowMs: number): number {
  let refusal = new SamlRefusal('no_bearer_confirmation')
  for (const confirmation of childrenOf(subject, 'assertion', 'SubjectConfirmation')) {
    if (confirmation.attributes.get('Method') !== 'urn:oasis:names:tc:SAML:2.0:cm:bearer') continue
    try {
      return checkBearer(onlyChild(confirmation, 'SubjectConfirmationData', 'wrong_recipient'), expected, nowMs)
    } catch (error) {
      if (!(error instanceof SamlRefusal)) throw error
      refusal = error
    }
  }
  throw refusal
}

function checkBearer(data: XmlElement, { recipient, requestId }: ExpectedResponse, nowMs: number): number {
  demand(data.attributes.get('Recipient') === recipient, 'wrong_recipient')
  demand(data.attributes.get('InResponseTo') === requestId, 'wrong_request')
  const expiresAt = readTime(data, 'NotOnOrAfter')
  demand(expiresAt !== undefined, 'no_expiry')
  demand(nowMs < expiresAt + clockToleranceMs, 'expired')
  demand(expiresAt <= nowMs + maxValidityMs, 'valid_too_long')
  const validFrom = readTime(data, 'NotBefore')
  demand(validFrom === undefined || validFrom <= nowMs + clockToleranceMs, 'not_yet_valid')
  return expiresAt
}

function checkConditions(conditions: XmlElement, { audience }: ExpectedResponse, nowMs: number): void {
  const validFrom = readTime(conditions, 'NotBefore')
  demand(validFrom === undefined || validFrom <= nowMs + clockToleranceMs, 'not_yet_valid')
  const expiresAt = readTime(conditions, 'NotOnOrAfter')
  demand(expiresAt === undefined || nowMs < expiresAt + clockToleranceMs, 'expired')
  const isKnown = ({ name, namespace }: XmlElement) =>
    namespace === namespaces.assertion && ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'].includes(name)
  demand(conditions.children.every(isKnown), 'unknown_condition')
  const restrictions = childrenOf(conditions, 'assertion', 'AudienceRestriction')
  demand(restrictions.length > 0, 'no_audience')
  for (const restriction of restrictions) {
    const audiences = childrenOf(restriction, 'assertion', 'Audience').map(textOf)
    demand(audiences.includes(audience), 'wrong_audience')
  }
}

function readTime({ attributes }: XmlElement, name: string): number | undefined {
  const text = attributes.get(name)
  if (text === undefined) return undefined
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,12})?Z$/.test(text) ? Date.parse(text) : Number.NaN
  demand(Number.isFinite(time), 'malformed_time')
  return time
}

function readAttributes(root: XmlElement): ReadonlyMap<string, readonly string[]> {
  const attributes = new Map<string, string[]>()
  let count = 0
  const elements = childrenOf(root, 'assertion', 'AttributeStatement').flatMap((statement) =>
    childrenOf(statement, 'assertion', 'Attribute'),
  )
  for (const element of elements) {
    const name = element.attributes.get('Name')
    demand(name !== undefined && name !== '', 'malformed_assertion')
    const texts = childrenOf(element, 'assertion', 'AttributeValue').map(textOf)
    const values = texts.filter((text): text is string => text !== undefined)
    count += values.length
    demand(count <= maxValues, 'too_complex')
    attributes.set(name, [...(attributes.get(name) ?? []), ...values])
  }
  return attributes
}
