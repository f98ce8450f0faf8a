import { X509Certificate } from 'node:crypto'
import { SamlRefusal } from './saml-refusal.ts'
import { childrenOf, elementsOf, namespaces, parseXml, textOf, type XmlElement } from './xml.ts'

/** The metadata of an identity provider, as far as it is used. */
export interface IdpMetadata {
  entityId: string
  signInUrl: string
  /** In PEM; at least one. */
  certificates: string[]
  signsRequests: boolean
}

/** Thrown when metadata cannot be used. The message says what is wrong. */
export class MetadataError extends Error {}

/** Size of metadata. That of a federation with thousands of providers is larger, and is not read. */
export const maxMetadataBytes = 262_144
const maxCertificates = 10
const minRsaBits = 2048
const maxAddressLength = 500

/**
 * Reads the metadata of one identity provider (SAML 2.0 metadata, section 2.4.3). Certificates count as keys: their
 * expiry is shown to administrators, and it does not end the trust in them (SAML metadata interoperability profile,
 * section 2.6.1).
 * @throws MetadataError
 */
export function readIdpMetadata(
  text: string,
  { isHttpAllowed, nowMs }: { isHttpAllowed: boolean; nowMs: number },
): IdpMetadata {
  const [descriptor, ...others] = [...elementsOf(parse(text))].filter(
    ({ name, namespace }) => name === 'IDPSSODescriptor' && namespace === namespaces.metadata,
  )
  if (descriptor === undefined) throw new MetadataError('The metadata has no identity provider (IDPSSODescriptor)')
  if (others.length > 0) throw new MetadataError('The metadata has several identity providers')
  const entity = descriptor.parent
  const entityId = entity?.attributes.get('entityID') ?? ''
  if (entityId === '' || entityId.length > maxAddressLength)
    throw new MetadataError(`The metadata has no entity id with at most ${maxAddressLength} characters`)
  for (const element of [descriptor, entity]) {
    const validUntil = element?.attributes.get('validUntil')
    if (validUntil !== undefined && !(Date.parse(validUntil) > nowMs))
      throw new MetadataError('The metadata has expired (validUntil)')
  }
  return {
    entityId,
    signInUrl: readSignInUrl(descriptor, isHttpAllowed),
    certificates: readCertificates(descriptor),
    signsRequests: ['true', '1'].includes(descriptor.attributes.get('WantAuthnRequestsSigned') ?? ''),
  }
}

function parse(text: string): XmlElement {
  if (Buffer.byteLength(text) > maxMetadataBytes)
    throw new MetadataError(`The metadata must have at most ${maxMetadataBytes} bytes`)
  try {
    return parseXml(text.replace(/^\uFEFF/, ''), { maxElements: 5_000, allowsComments: true })
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error
    throw new MetadataError('The metadata is not well-formed XML without a document type', { cause: error })
  }
}

function readSignInUrl(descriptor: XmlElement, isHttpAllowed: boolean): string {
  const service = childrenOf(descriptor, 'metadata', 'SingleSignOnService').find(
    ({ attributes }) => attributes.get('Binding') === 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  )
  if (service === undefined) throw new MetadataError('The metadata has no sign-in address with the redirect binding')
  const location = service.attributes.get('Location') ?? ''
  const protocols = isHttpAllowed ? ['https:', 'http:'] : ['https:']
  if (!URL.canParse(location) || !protocols.includes(new URL(location).protocol) || location.length > maxAddressLength)
    throw new MetadataError(`The sign-in address must be an https address of at most ${maxAddressLength} characters`)
  return location
}

function readCertificates(descriptor: XmlElement): string[] {
  const found = childrenOf(descriptor, 'metadata', 'KeyDescriptor')
    .filter(({ attributes }) => (attributes.get('use') ?? 'signing') === 'signing')
    .flatMap((key) => childrenOf(key, 'signature', 'KeyInfo'))
    .flatMap((info) => childrenOf(info, 'signature', 'X509Data'))
    .flatMap((data) => childrenOf(data, 'signature', 'X509Certificate'))
  if (found.length > maxCertificates)
    throw new MetadataError(`The metadata has more than ${maxCertificates} certificates`)
  const certificates = new Set(found.map((element) => readCertificate(textOf(element) ?? '')))
  if (certificates.size === 0) throw new MetadataError('The metadata has no certificate for signatures')
  return [...certificates]
}

function readCertificate(base64: string): string {
  try {
    const certificate = new X509Certificate(Buffer.from(base64.replace(/\s+/g, ''), 'base64'))
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= minRsaBits)
      return certificate.toString()
  } catch (cause) {
    throw new MetadataError('A certificate of the metadata cannot be read', { cause })
  }
  throw new MetadataError(`A certificate of the metadata has no RSA key of at least ${minRsaBits} bits`)
}
