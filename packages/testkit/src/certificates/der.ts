/**
 * The part of the distinguished encoding rules of ASN.1 (ITU-T X.690) that an X.509 certificate needs. A value
 * consists of a tag, a length and the content. A library for these lines, such as @peculiar/asn1-x509, would take
 * 17 MB of memory and 0.1 s in each process of tests and in `npm start`.
 */
function encode(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Buffer.of(tag, body.length), body])
  const length = unsignedBytes(body.length)
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, body])
}

export const sequence = (...items: Buffer[]) => encode(0x30, ...items)
export const set = (...items: Buffer[]) => encode(0x31, ...items)
export const octetString = (content: Buffer) => encode(0x04, content)
export const utf8String = (text: string) => encode(0x0c, Buffer.from(text))
export const booleanTrue = encode(0x01, Buffer.of(0xff))
/** A bit string whose last `unused` bits are padding. */
export const bitString = (content: Buffer, unused = 0) => encode(0x03, Buffer.of(unused), content)
/** `[number] EXPLICIT`: a constructed value that contains others. */
export const explicitTag = (number: number, ...items: Buffer[]) => encode(0xa0 | number, ...items)
/** `[number] IMPLICIT` over a primitive value. */
export const implicitTag = (number: number, content: Buffer) => encode(0x80 | number, content)

export function integer(bytes: Buffer): Buffer {
  // A leading one bit means a negative number.
  return encode(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes)
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return encode(0x06, ...[first * 40 + second, ...rest].map(base128))
}

/** RFC 5280, 4.1.2.5: two-digit years through 2049, four digits after. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`
  return date.getUTCFullYear() < 2050 ? encode(0x17, Buffer.from(digits.slice(2))) : encode(0x18, Buffer.from(digits))
}

function base128(value: number): Buffer {
  const groups = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80)
  return Buffer.from(groups)
}

function unsignedBytes(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return Buffer.from(bytes)
}
