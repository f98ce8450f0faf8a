import { SamlRefusal, type SamlRefusalReason } from './saml-refusal.ts'
import { childrenOf, elementsOf, namespaces, textOf, type XmlElement } from './xml.ts'

/** The values that a response must have. */
export interface ExpectedResponse {
  /** Entity id of the identity provider. */
  issuer: string
  /** Entity id of the service provider. */
  audience: string
  /** Address of the assertion consumer service. */
  recipient: string
  /** Undefined for a response that answers no request. */
  requestId: string | undefined
}

/** The structure of a document with a response, before anything of it is believed. */
export interface ResponseShape {
  isResponseSigned: boolean
  isEncrypted: boolean
}

/**
 * Refuses a response whose structure allows any doubt about what a signature covers: exactly one assertion at its
 * place, signatures only where SAML has them, each of them over the whole element that contains it, with algorithms
 * that are accepted. Everything that wrapping attacks move (Somorovsky et al. 2012) is refused here by its place.
 * @throws SamlRefusal
 */
export function inspectResponse(root: XmlElement, expected: ExpectedResponse): ResponseShape {
  demand(root.name === 'Response' && root.namespace === namespaces.protocol, 'not_a_response')
  demand(root.attributes.get('Version') === '2.0', 'not_a_response')
  demand(root.attributes.get('Destination') === expected.recipient, 'wrong_destination')
  const issuers = childrenOf(root, 'assertion', 'Issuer')
  demand(issuers.length <= 1, 'wrong_response_issuer')
  if (issuers.length === 1) demand(textOf(issuers[0]) === expected.issuer, 'wrong_response_issuer')
  checkStatus(root)
  demand(root.attributes.get('InResponseTo') === expected.requestId, 'wrong_request')
  const all = [...elementsOf(root)]
  // Names without namespaces are counted: the library finds elements so.
  const assertions = all.filter(({ name }) => name === 'Assertion' || name === 'EncryptedAssertion')
  const isPlaced = ({ parent, namespace }: XmlElement) => parent === root && namespace === namespaces.assertion
  demand(assertions.every(isPlaced), 'misplaced_assertion')
  demand(assertions.length > 0, 'no_assertion')
  demand(assertions.length === 1, 'several_assertions')
  const [assertion] = assertions
  const isEncrypted = assertion?.name === 'EncryptedAssertion'
  if (isEncrypted) inspectEncryption(assertion)
  inspectSignatures(root, isEncrypted ? [root] : [root, ...assertions])
  const isSigned = (element: XmlElement | undefined) => childrenOf(element, 'signature', 'Signature').length === 1
  if (!isEncrypted) demand(isSigned(assertion), 'unsigned_assertion')
  return { isResponseSigned: isSigned(root), isEncrypted }
}

/** Inspects a decrypted assertion, which stands alone. @throws SamlRefusal */
export function inspectAssertion(root: XmlElement): void {
  demand(root.name === 'Assertion' && root.namespace === namespaces.assertion, 'no_assertion')
  const assertions = [...elementsOf(root)].filter(({ name }) => /^(Encrypted)?Assertion$/.test(name))
  demand(assertions.length === 1, 'misplaced_assertion')
  inspectSignatures(root, [root])
  demand(childrenOf(root, 'signature', 'Signature').length === 1, 'unsigned_assertion')
}

export function demand(condition: boolean, reason: SamlRefusalReason): asserts condition {
  if (!condition) throw new SamlRefusal(reason)
}

const deniedStatuses = ['AuthnFailed', 'RequestDenied'].map((code) => `urn:oasis:names:tc:SAML:2.0:status:${code}`)

function checkStatus(root: XmlElement): void {
  const [status] = childrenOf(root, 'protocol', 'Status')
  const [code] = childrenOf(status, 'protocol', 'StatusCode')
  if (code?.attributes.get('Value') === 'urn:oasis:names:tc:SAML:2.0:status:Success') return
  const [detail] = childrenOf(code, 'protocol', 'StatusCode')
  throw new SamlRefusal('status', { isDenied: deniedStatuses.includes(detail?.attributes.get('Value') ?? '') })
}

/** @param signable elements that may have a signature */
function inspectSignatures(root: XmlElement, signable: readonly XmlElement[]): void {
  const all = [...elementsOf(root)]
  const ids = all.flatMap(({ attributes }) =>
    [...attributes].filter(([name]) => /(^|:)id$/i.test(name)).map(([, value]) => value),
  )
  demand(new Set(ids).size === ids.length, 'duplicate_id')
  const signatures = all.filter(({ name }) => name === 'Signature')
  for (const signature of signatures) {
    const { parent, namespace } = signature
    demand(
      parent !== undefined && signable.includes(parent) && namespace === namespaces.signature,
      'misplaced_signature',
    )
    demand(parent.children.filter(({ name }) => name === 'Signature').length === 1, 'several_signatures')
    inspectSignature(signature, parent)
  }
}

const exclusiveC14n = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const envelopedSignature = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const signatureMethods: ReadonlySet<string | undefined> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
])
const digestMethods: ReadonlySet<string | undefined> = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
])

function inspectSignature(signature: XmlElement, parent: XmlElement): void {
  const partOf = (element: XmlElement, name: string): XmlElement => {
    const named = [...elementsOf(element)].filter((each) => each !== element && each.name === name)
    const [one] = named
    demand(
      named.length === 1 && one?.parent === element && one.namespace === namespaces.signature,
      'malformed_signature',
    )
    return one
  }
  const isKnown = ({ name }: XmlElement) => ['SignedInfo', 'SignatureValue', 'KeyInfo'].includes(name)
  demand(signature.children.every(isKnown), 'malformed_signature')
  const signedInfo = partOf(signature, 'SignedInfo')
  demand(textOf(partOf(signature, 'SignatureValue')) !== undefined, 'malformed_signature')
  const algorithmOf = (element: XmlElement) => element.attributes.get('Algorithm')
  demand(algorithmOf(partOf(signedInfo, 'CanonicalizationMethod')) === exclusiveC14n, 'forbidden_transform')
  demand(signatureMethods.has(algorithmOf(partOf(signedInfo, 'SignatureMethod'))), 'weak_signature')
  demand(signedInfo.children.filter(({ name }) => name === 'Reference').length === 1, 'wrong_reference')
  const reference = partOf(signedInfo, 'Reference')
  const id = parent.attributes.get('ID') ?? ''
  demand(/^[A-Za-z_][\w.-]*$/.test(id) && reference.attributes.get('URI') === `#${id}`, 'wrong_reference')
  demand(digestMethods.has(algorithmOf(partOf(reference, 'DigestMethod'))), 'weak_signature')
  demand(textOf(partOf(reference, 'DigestValue')) !== undefined, 'malformed_signature')
  const transforms = partOf(reference, 'Transforms').children
  const names = transforms.map(algorithmOf)
  demand(names.join(' ') === `${envelopedSignature} ${exclusiveC14n}`, 'forbidden_transform')
  const isInclusiveNamespaces = (child: XmlElement) =>
    child.name === 'InclusiveNamespaces' && child.namespace === exclusiveC14n
  demand(
    transforms.every(({ children }) => children.every(isInclusiveNamespaces)),
    'forbidden_transform',
  )
}

const xmlEncryption = 'http://www.w3.org/2001/04/xmlenc#'
const contentMethods = [
  ...['aes128-cbc', 'aes256-cbc'].map((name) => xmlEncryption + name),
  ...['aes128-gcm', 'aes256-gcm'].map((name) => `http://www.w3.org/2009/xmlenc11#${name}`),
]

function inspectEncryption(element: XmlElement): void {
  const all = [...elementsOf(element)]
  const named = (name: string) => all.filter((each) => each.name === name && each.namespace === xmlEncryption)
  const algorithmOf = (container: XmlElement | undefined) =>
    childrenOf(container, 'encryption', 'EncryptionMethod')[0]?.attributes.get('Algorithm') ?? ''
  const [data, ...otherData] = named('EncryptedData')
  const [key, ...otherKeys] = named('EncryptedKey')
  const isWhole = data?.parent === element && key !== undefined && otherData.length === 0 && otherKeys.length === 0
  demand(isWhole && named('CipherValue').length === 2 && named('CipherReference').length === 0, 'malformed_encryption')
  demand(contentMethods.includes(algorithmOf(data)), 'weak_encryption')
  demand(algorithmOf(key) === `${xmlEncryption}rsa-oaep-mgf1p`, 'weak_encryption')
}
