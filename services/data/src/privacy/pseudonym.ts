import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { toMailAddress } from '@wp/contracts'
import { canonicalJson } from '@wp/runtime'
import { isNoName, plainNumber, visibleText } from '@wp/tabular'

/**
 * Returns the pseudonym of a value; null for null and for empty text.
 * @param isKey true if leading zeros count, as they do in keys of records
 */
export type Pseudonymize = (value: unknown, isKey?: boolean) => string | null

const keyBytes = 32
/**
 * 128 bits of the HMAC: among ten million persons two have the same pseudonym with a probability of 10^-25, and values
 * cannot be searched for without the key at any length.
 */
const pseudonymBytes = 16
/** Values and their greatest length that are remembered: a year of badge events has each person hundreds of times. */
const [maxRemembered, maxRememberedLength] = [20_000, 100]

/** Creates a key, base64. */
export const createPseudonymKey = (): string => randomBytes(keyBytes).toString('base64')

/** Returns the function that replaces values by HMAC-SHA-256 (RFC 2104) under a key. @param key base64 */
export function createPseudonymizer(key: string): Pseudonymize {
  const secret = createSecretKey(Buffer.from(key, 'base64'))
  const remembered = new Map<unknown, string>()
  return (value, isKey = false) => {
    const known = isKey ? undefined : remembered.get(value)
    if (known !== undefined) return known
    const text = canonicalText(value, isKey)
    if (text === null) return null
    const digest = createHmac('sha256', secret).update(text).digest()
    const pseudonym = `p_${digest.subarray(0, pseudonymBytes).toString('base64url')}`
    const isShort = typeof value === 'string' && value.length <= maxRememberedLength
    if (!isKey && isShort && remembered.size < maxRemembered) remembered.set(value, pseudonym)
    return pseudonym
  }
}

/**
 * Returns the text of a value by which its pseudonym is made, the same for every format of a file: text in Unicode NFC
 * as it is seen, numbers and booleans as JSON has them, whole numbers without an exponent. A whole number with
 * decimals of zero, as `17.0`, is that number, and so is one with leading zeros, which spreadsheets drop. Case counts,
 * but a mail address is in lower case, since each system writes it in its own. Null for no value, and for an error of
 * a spreadsheet, which would be one person of many rows.
 * @param keepsZeros leaves a number with leading zeros as it is
 */
export function canonicalText(value: unknown, keepsZeros = false): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : String(value)
  if (typeof value === 'object') return canonicalJson(value, JSON.stringify)
  const text = visibleText(String(value))
  if (text === '' || isNoName(text)) return null
  const plain = text.replace(/^'(?=\d)/, '')
  if (keepsZeros && /^0\d/.test(plain)) return plain
  return text.includes('@') ? (toMailAddress(text) ?? text) : plainNumber(text)
}
