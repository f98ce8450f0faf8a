import { problem, type SourceFormat } from '@wp/contracts'
import { reportTruncation } from '../parsers/encoding/decode-text.ts'
import { gunzipIfCompressed } from '../parsers/encoding/gunzip.ts'
import { peek } from '../parsers/encoding/peek.ts'
import { sniffKind } from './container/sniff.ts'
import { type SpooledFile, spool } from './container/spool.ts'
import { openZip, type ZipArchive } from './container/zip-archive.ts'
import { onlyFileOf } from './container/zip-content.ts'
import { openTextTable, textMembers } from './open-text-table.ts'
import { openParquet } from './parquet/open-parquet.ts'
import { malformed, unexpectedFormat } from './problems.ts'
import type { JsonTable, RawTable } from './raw-table.ts'
import type { TableInput } from './table-input.ts'
import type { Encoding } from './text/detect-encoding.ts'
import { openText as openTextSource } from './text/open-text.ts'
import { openWorkbook } from './workbook/open-workbook.ts'

/** A file whose container is open. */
export interface OpenFile {
  table: RawTable | JsonTable
  /** The known part of the format, as far as it concerns files of this type. */
  known: SourceFormat
  compression: 'gzip' | 'zip' | null
  encoding: Encoding | undefined
  sheets: readonly string[]
  close(): Promise<void>
}

/** Bytes by which encoding and layout are detected. */
const headBytes = 4_194_304
const defaultMaxBytes = 5 * 1024 ** 3
/** Limit of a file that is read by its directory, and so stored for the time of reading. */
const maxSpooledBytes = 536_870_912
/** A workbook may be in a zip archive, and that in gzip. */
const maxDepth = 3

/** Opens a file by its first bytes, through gzip and zip. @throws Problem */
export async function openFile(input: TableInput): Promise<OpenFile> {
  const { signal, maxBytes = defaultMaxBytes } = input
  const open: SpooledFile[] = []
  const close = async () => {
    for (const file of open.splice(0)) await file.close()
  }
  const source: Source = { input, maxBytes, open, compression: null }
  try {
    const chunks = gunzipIfCompressed(abortable(reportTruncation(input.chunks), signal), maxBytes, {
      acceptsIncomplete: input.isTruncated,
      onGzip: () => {
        source.compression ??= 'gzip'
      },
    })
    return { ...(await openChunks(source, chunks, 1)), compression: source.compression, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Source {
  input: TableInput
  maxBytes: number
  /** Files to close. */
  open: SpooledFile[]
  compression: OpenFile['compression']
}

type OpenedChunks = Omit<OpenFile, 'compression' | 'close'>

async function openChunks(source: Source, bytes: AsyncIterable<Uint8Array>, depth: number): Promise<OpenedChunks> {
  const { input, maxBytes, open } = source
  const { head, isWhole, chunks } = await peek(bytes, headBytes)
  const kind = sniffKind(head)
  if (typeof kind === 'object') throw unsupported(kind.unsupported, input.format)
  if (kind === 'text') {
    const text = openTextSource({ head, isWhole: isWhole && !input.isTruncated, chunks }, textMembers(head, input))
    const { table, known } = await openTextTable(text, input)
    return { table, known, encoding: text.encoding, sheets: [] }
  }
  if (depth > maxDepth) throw malformed('The file is an archive within archives')
  if (kind === 'gzip') return await openChunks(source, gunzipIfCompressed(chunks, maxBytes), depth + 1)
  const file = await spool(chunks, Math.min(maxBytes, maxSpooledBytes))
  open.push(file)
  if (kind === 'parquet') return withoutText(await openParquet(file), input.format)
  const archive = await openZip(file)
  if (isWorkbook(archive))
    return withoutText(await openWorkbook(archive, input.format, input.protection !== undefined), input.format)
  source.compression ??= 'zip'
  const entry = onlyFileOf(archive)
  return await openChunks(source, gunzipIfCompressed(limited(archive.read(entry), maxBytes), maxBytes), depth + 1)
}

const isWorkbook = ({ entries }: ZipArchive): boolean =>
  entries.has('[Content_Types].xml') && [...entries.keys()].some((path) => /(?:^|\/)workbook\.xml$/.test(path))

function withoutText(table: RawTable, format: SourceFormat): OpenedChunks {
  const { type } = table.format
  if (format.type !== undefined && format.type !== type)
    throw unexpectedFormat(`It is ${type === 'xlsx' ? 'a workbook' : 'a Parquet file'}, not ${format.type}`)
  const { encoding: _encoding, delimiter: _delimiter, ...known } = format
  if (type === 'parquet') {
    delete known.header_row
    delete known.sheet
  }
  return { table, known, encoding: undefined, sheets: table.sheets ?? [] }
}

const unsupported = (name: string, { type }: SourceFormat) =>
  type === undefined ? malformed(`The file is ${name}`) : unexpectedFormat(`It is ${name}, not ${type}`)

async function* limited(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes)
      throw problem('payload_too_large', { detail: `Unfolded it is larger than ${maxBytes / 1_048_576} MiB` })
    yield chunk
  }
}

async function* abortable(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal?.throwIfAborted()
    yield chunk
  }
}
