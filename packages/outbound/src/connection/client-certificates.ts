import { createHash } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { OutboundError } from '../error.ts'

/**
 * A certificate by which the client authenticates in the TLS handshake, with its chain, and its private key, in PEM.
 */
export interface ClientCertificate {
  certificate: string
  privateKey: string
}

/** TLS settings with a client certificate. */
export interface ClientIdentity {
  /** Equal for equal certificates and keys. Connections of different identities are never shared. */
  id: string
  secureContext: SecureContext
}

/** Identities kept: a context takes milliseconds to create. */
const maxIdentities = 100

/**
 * Creates a cache of the TLS settings with client certificates.
 * @param readAuthorities returns the trusted authorities; undefined: the default ones
 * @returns a function that throws OutboundError `invalid_request` if certificate and key cannot be used together
 */
export function createClientIdentities(
  readAuthorities: () => readonly string[] | undefined,
): (certificate: ClientCertificate) => ClientIdentity {
  const identities = new Map<string, ClientIdentity>()
  return ({ certificate, privateKey }) => {
    const id = createHash('sha256').update(certificate).update('\0').update(privateKey).digest('hex')
    const identity = identities.get(id) ?? {
      id,
      secureContext: createContext({ certificate, privateKey }, readAuthorities()),
    }
    // Inserted again, so that the least recently used one comes first.
    identities.delete(id)
    identities.set(id, identity)
    const [oldest] = identities.keys()
    if (identities.size > maxIdentities && oldest !== undefined) identities.delete(oldest)
    return identity
  }
}

function createContext(
  { certificate, privateKey }: ClientCertificate,
  ca: readonly string[] | undefined,
): SecureContext {
  try {
    return createSecureContext({ cert: certificate, key: privateKey, ...(ca === undefined ? {} : { ca: [...ca] }) })
  } catch (cause) {
    throw new OutboundError('invalid_request', 'the client certificate cannot be used', { cause })
  }
}
