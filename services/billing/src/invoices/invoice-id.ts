import { createHash } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Returns the identifier of the invoice of a period: a TypeID whose 128 bits are a digest of workspace and start. The
 * draft, which is not stored, and the issued invoice have the same.
 */
export function invoiceId(workspaceId: string, periodStart: Date): string {
  const digest = createHash('sha256').update(`${workspaceId} ${periodStart.toISOString()}`).digest('hex')
  let bits = BigInt(`0x${digest.slice(0, 32)}`)
  let suffix = ''
  for (let position = 0; position < 26; position += 1) {
    suffix = (alphabet[Number(bits & 31n)] ?? '') + suffix
    bits >>= 5n
  }
  return `bill_${suffix}`
}
