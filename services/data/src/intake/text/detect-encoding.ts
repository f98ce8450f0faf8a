import { TextDecoder } from 'node:util'
import { problem } from '@wp/contracts'
import { encodingFromBom } from '../../parsers/encoding/decode-text.ts'
import { unexpectedFormat } from '../problems.ts'
import { isAscii, isValidUtf8, utf16WithoutMark } from './byte-patterns.ts'
import { detectLegacyEncoding } from './legacy-encoding.ts'

export interface Encoding {
  /** A label of the WHATWG Encoding Standard. */
  name: string
  confidence: number
  /** True if the bytes examined do not tell the encoding: all are ASCII. */
  isUndecided: boolean
}

interface EncodingInput {
  /** The beginning of the file. */
  bytes: Uint8Array
  isWhole: boolean
  pinned: string | undefined
  /** Charset of the content type. */
  declared: string | undefined
}

/**
 * Returns the encoding of a text: that of the byte order mark, else the pinned one, else the declared one, else the
 * one that the bytes show.
 * @throws Problem `unexpected_format` if the bytes contradict the pinned encoding, `unsupported_media_type`,
 *   `malformed_body` if the bytes are no text
 */
export function detectEncoding({ bytes, isWhole, pinned, declared }: EncodingInput): Encoding {
  const marked = encodingFromBom(bytes)
  if (pinned !== undefined) return { name: checkPinned(bytes, isWhole, marked, canonical(pinned)), ...sure }
  if (marked !== undefined) return { name: marked, ...sure }
  const stated = declared === undefined ? undefined : canonical(declared)
  if (stated !== undefined && (stated !== 'utf-8' || isValidUtf8(bytes, isWhole))) return { name: stated, ...sure }
  const utf16 = utf16WithoutMark(bytes)
  if (utf16 !== undefined) return { name: utf16, confidence: 0.95, isUndecided: false }
  if (isAscii(bytes) && japaneseEscapes.some((sequence) => Buffer.from(bytes).includes(sequence)))
    return { name: 'iso-2022-jp', ...sure }
  if (isAscii(bytes)) return { name: 'utf-8', confidence: 1, isUndecided: !isWhole }
  if (isValidUtf8(bytes, isWhole)) return { name: 'utf-8', ...sure }
  return { ...detectLegacyEncoding(bytes), isUndecided: false }
}

/** The escape sequences before the first Japanese character. */
const japaneseEscapes = ['\x1b$B', '\x1b$@']

const sure = { confidence: 1, isUndecided: false }

function checkPinned(bytes: Uint8Array, isWhole: boolean, marked: string | undefined, pinned: string): string {
  if (marked !== undefined && marked !== pinned && pinned !== 'utf-16le')
    throw unexpectedFormat(`It begins with the byte order mark of ${marked}, but \`format.encoding\` is ${pinned}`)
  if (pinned !== 'utf-8' || isValidUtf8(bytes, isWhole)) return marked ?? pinned
  const { name } = utf16WithoutMark(bytes) === undefined ? detectLegacyEncoding(bytes) : { name: 'utf-16' }
  throw unexpectedFormat(`It is not valid UTF-8, as \`format.encoding\` says; it looks like ${name}`)
}

function canonical(label: string): string {
  try {
    return new TextDecoder(label).encoding
  } catch (cause) {
    throw problem('unsupported_media_type', { detail: `The charset ${label} is not supported`, cause })
  }
}
