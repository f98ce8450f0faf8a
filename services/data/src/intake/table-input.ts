import type { SourceFormat } from '@wp/contracts'
import type { RowParser } from '../parsers/row.ts'
import type { RowProtection } from '../privacy/row-protection.ts'
import type { FieldDeclarations } from '../schema/declared-fields.ts'

/** A file, or the answer of a feed, that rows are read from. */
export interface TableInput {
  chunks: AsyncIterable<Uint8Array>
  /** Media type without parameters, in lower case; empty if unknown. The bytes win over it. */
  contentType: string
  /** Charset of the content type. */
  charset?: string | undefined
  /** Name or path; its extension decides between formats whose bytes are alike. */
  fileName?: string | undefined
  /** The known part of the format; what it does not pin is detected. */
  format: SourceFormat
  /** Declared types of fields: a column declared `string` is not converted. */
  declarations: FieldDeclarations
  /** Protects the values of the source; undefined if they are stored and shown as they are. */
  protection?: RowProtection | undefined
  /** The field with the key of a row, which a refused row keeps. */
  keyField?: string | undefined
  /** The parser for a JSON document, in place of that for an array of objects. */
  createJsonParser?: (() => RowParser) | undefined
  /** Limit of the size of the file, also when it is unfolded; default 5 GiB. */
  maxBytes?: number | undefined
  /** True if the bytes are the beginning of the file only. */
  isTruncated?: boolean | undefined
  /** Milliseconds since 1970: events that repeat are read up to two years later. */
  now: () => number
  /** Aborts the reading. */
  signal?: AbortSignal | undefined
}
