import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

/** PEM certificates of additional trusted authorities: a file, or the content. */
export interface AuthorityOptions {
  caFile?: string | undefined
  ca?: string | Buffer | undefined
}

/** Reads the additional authorities. @throws Error if one is not a PEM certificate */
export function readAuthorities({ ca, caFile }: AuthorityOptions): string[] {
  const own: string[] = []
  if (ca !== undefined) own.push(requirePem(ca.toString(), 'the certificate authority'))
  if (caFile !== undefined) own.push(requirePem(readFileSync(caFile, 'utf8'), caFile))
  return own
}

/** Returns the default authorities and the additional ones; undefined if there are only the default ones. */
export const trustedAuthorities = (own: readonly string[]): string[] | undefined =>
  own.length === 0 ? undefined : [...getCACertificates('default'), ...own]

/** By the authorities that they trust; the configuration of the processes here has few different ones. */
const secureContexts = new Map<string, SecureContext>()

/** Returns the context that all clients with these authorities share: reading the certificates takes 50 ms. */
export function secureContextOf(ca: readonly string[] | undefined): SecureContext {
  const key = ca?.join('') ?? ''
  const context = secureContexts.get(key) ?? createSecureContext(ca === undefined ? {} : { ca: [...ca] })
  secureContexts.set(key, context)
  return context
}

/** Requires a certificate, because OpenSSL accepts a file without one, and the context is made for the first call. */
function requirePem(text: string, where: string): string {
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${where} contains no PEM certificate`)
  new X509Certificate(text)
  return text
}
