import { maxPreviewBytes, Problem, problem, SourceFormat } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { openTable } from '../intake/open-table.ts'
import { peek } from '../parsers/encoding/peek.ts'
import { createJsonDocumentParser } from '../parsers/json/json-document-parser.ts'
import { loadProtection } from '../privacy/load-protection.ts'
import { assertReadable } from '../privacy/record-access.ts'
import type { FieldDeclarations } from '../schema/declared-fields.ts'
import { knownFormatOf } from '../schema/source-format.ts'
import { findSource, type Source } from '../store/sources/sources.ts'
import { readSourceHead, type SourceHead } from '../sync/source-head.ts'
import { previewBeside } from '../upload/preview-beside.ts'

/** Reads a file, or its beginning, as an upload would, and stores nothing. */
export const preview: Operation<'preview'> = async (context, caller, { query, body }) => {
  const { database } = context
  const { data_source_id: id } = query
  const corrections = parseFormat(query.format)
  const source =
    id === undefined
      ? undefined
      : await database.read(caller, (db) => findSource(db, caller.workspaceId, id)).catch(asUnknownReference)
  // Reading a part of a file that is refused takes seconds of the processor.
  if ((body.contentLength ?? 0) > maxPreviewBytes) throw tooLarge()
  const sent = await peek(limitBytes(body.chunks), 1)
  const isEmpty = sent.head.length === 0
  // The document at the address has the rows that the records are made of.
  if (isEmpty && source !== undefined) assertReadable(source)
  const input =
    isEmpty && source !== undefined
      ? inputOf(await readSourceHead(context, caller, source), source)
      : { ...body, chunks: sent.chunks, fileName: query.file_name, isTruncated: query.truncated }
  const protection = source && (await loadProtection(context, caller.workspaceId, source))
  const { isTruncated } = input
  const table = await openTable({
    ...input,
    format: mergeFormats(source === undefined ? {} : knownFormatOf(source.config), corrections),
    declarations: declarationsOf(source),
    protection,
    now: context.now,
  })
  const found = await previewBeside(context, caller, table, { isTruncated, source })
  if (found.row_count === 0 && !isTruncated)
    throw problem('malformed_body', {
      detail:
        found.format.type === 'icalendar'
          ? 'The calendar has no events'
          : 'The file has names of columns, but no rows below them',
    })
  return found
}

function parseFormat(text: string | undefined): SourceFormat {
  if (text === undefined) return {}
  const parsed = SourceFormat.safeParse(parseJsonText(text))
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map(({ path, message }) => ({
    pointer: `?format${path.map((part) => `/${String(part)}`).join('')}`,
    detail: message,
  }))
  throw problem('validation_failed', { detail: `${errors[0]?.pointer}: ${errors[0]?.detail}`, errors })
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const detail = 'must be JSON'
    throw problem('validation_failed', { detail: `?format: ${detail}`, errors: [{ pointer: '?format', detail }] })
  }
}

function asUnknownReference(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error
  const detail = 'is not a data source of this workspace'
  throw problem('unknown_reference', {
    detail: `?data_source_id: ${detail}`,
    errors: [{ pointer: '?data_source_id', detail }],
  })
}

/** Returns the input for the document at the address of a source. */
function inputOf({ bytes, ...head }: SourceHead, { config }: Source) {
  const rowsPointer = 'rows_path' in config ? config.rows_path : undefined
  async function* chunks() {
    yield* bytes
  }
  return {
    ...head,
    chunks: chunks(),
    keyField: config.key,
    ...(rowsPointer === undefined ? {} : { createJsonParser: () => createJsonDocumentParser({ rowsPointer }) }),
  }
}

const declarationsOf = (source: Source | undefined): FieldDeclarations => source?.config ?? {}

/** Lays corrections over a format; those of a column replace only what they state. */
function mergeFormats(known: SourceFormat, corrections: SourceFormat): SourceFormat {
  const { timestamp_formats: pinned } = known
  const { timestamp_formats: corrected } = corrections
  const columns = { ...known.columns }
  for (const [name, column] of Object.entries(corrections.columns ?? {}))
    columns[name] = { ...(Object.hasOwn(columns, name) ? columns[name] : {}), ...column }
  const merged = { ...known, ...corrections, columns }
  if (corrected === undefined || pinned === undefined || Array.isArray(corrected) || Array.isArray(pinned))
    return merged
  return { ...merged, timestamp_formats: { ...pinned, ...corrected } }
}

async function* limitBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxPreviewBytes) throw tooLarge()
    yield chunk
  }
}

const tooLarge = () =>
  problem('payload_too_large', {
    detail: `A preview reads ${maxPreviewBytes / 1_048_576} MiB at most; send the beginning of the file with \`?truncated=true\``,
  })
