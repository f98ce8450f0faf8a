import { z } from 'zod'

/** Limits of RFC 5321 section 4.5.3.1, in octets; of a path, without its angle brackets. */
const [maxLocalOctets, maxAddressOctets, maxDomainLength] = [64, 254, 253]

/** Characters of a dot-string (RFC 5321 section 4.1.2); letters, marks and digits beyond ASCII by RFC 6531. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~\-\p{L}\p{M}\p{N}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\p{L}\p{M}\p{N}]+)*$/u
const domainCharacters = /^[A-Za-z0-9.\-\p{L}\p{M}\p{N}]+$/u
const domainLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * A mail address. The output is the form in which addresses are stored and compared: without white space around it, in
 * lower case, with the domain in ASCII (`xn--`) form. Refused, although RFC 5321 allows them: quoted local parts,
 * address literals and domains of one label.
 */
export const mailAddress = () =>
  z
    .string()
    .max(1_000)
    .meta({ format: 'email', examples: ['ada@example.com'] })
    .transform((text, context) => {
      const address = toMailAddress(text)
      if (address !== undefined) return address
      context.addIssue({ code: 'custom', message: 'must be a mail address' })
      return z.NEVER
    })

/** Returns a mail address in the form of `mailAddress`; undefined for any other text. */
export function toMailAddress(text: string): string | undefined {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  const local = toLocalPart(trimmed.slice(0, Math.max(0, at)))
  const domain = toDomain(trimmed.slice(at + 1))
  if (local === undefined || domain === undefined) return undefined
  const address = `${local}@${domain}`
  return octetsOf(address) <= maxAddressOctets ? address : undefined
}

/**
 * Composes characters (NFC) and lowers them. Refuses characters that become ASCII by that: a KELVIN SIGN becomes `k`,
 * so the mailbox of one user would be taken for that of another.
 */
function toLocalPart(text: string): string | undefined {
  const local = text.normalize('NFC').toLowerCase().normalize('NFC')
  if (!localPart.test(local) || octetsOf(local) > maxLocalOctets) return undefined
  return asciiCountOf(local) <= asciiCountOf(text) ? local : undefined
}

/** The URL parser converts internationalized names by UTS 46, and rejects those that are not valid. */
function toDomain(text: string): string | undefined {
  if (!domainCharacters.test(text)) return undefined
  const domain = URL.parse(`http://${text}/`)?.hostname ?? ''
  const labels = domain.split('.')
  const isName =
    labels.length > 1 && labels.every((label) => domainLabel.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return isName && domain.length <= maxDomainLength ? domain : undefined
}

const octetsOf = (text: string): number => new TextEncoder().encode(text).length
const asciiCountOf = (text: string): number => text.replaceAll(/[^\0-\x7f]/g, '').length
