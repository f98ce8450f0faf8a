import type { Query, Row } from '@wp/database'
import type { DataRecord } from '#db'
import type { DocumentKey, TextSpan } from './documents.ts'
import { hideFromPlanner } from './hide-from-planner.ts'
import { markEnd, markStart, placeholders } from './text/highlight-marks.ts'
import { separateWords } from './text/text-parsing.ts'

/** The part of a record that a hit shows. */
export interface HitRow extends Row<DataRecord, 'recordId' | 'dataSourceId' | 'key' | 'title' | 'url'> {
  /** Index of the record in `keys`. */
  position: number
  /** The title with marks around matching words; null if marks were not requested. */
  markedTitle: string | null
  /** Contains marks around matching words if they were requested, and may contain placeholders. */
  snippet: string | null
  /** The beginning of the text; null if it was not requested. */
  sourceText: string | null
  /** Time of the statement, in milliseconds since 1970, not rounded down. */
  readAt: number
  /** Undefined if it was not requested. */
  data?: Record<string, unknown>
  /** True if the data of the rows before exceeds the size of a page; `data` is undefined then. */
  isBeyondPage: boolean
}

/** A record to show: by its number in the index of its source, or by its id. */
export type HitKey = (DocumentKey | { recordId: string }) & {
  configuration: string
  /** The part of the text to show. */
  span?: TextSpan | undefined
}

interface HitRowOptions {
  /** Selects the snippet and the words to mark. */
  tsquery: string
  isMarked: boolean
  hasData: boolean
  /** True if a snippet comes from the span only where no word of the query is found. */
  prefersWords?: boolean
  /** True if texts are needed beside their snippets. */
  hasSourceText?: boolean
  /** Leaves out records that were created later. */
  createdBefore?: Date | undefined
  /** Leaves out the records whose ids end so. */
  omittedEnds?: readonly string[] | undefined
}

/** Number of characters at the end of a record id that identify it within a search: 50 random bits of a UUIDv7. */
export const endLength = 10

/** Snippets are taken from this many characters of a text. */
const maxSnippetSourceLength = 16_384
/** A text up to this length is its own snippet. */
const maxWholeTextLength = 200
const snippetOptions = 'MaxWords=36, MinWords=18'
/** Longer, because the span may express the query in other words. */
const spanSnippetOptions = 'MaxWords=60, MinWords=40'
const markOptions = `StartSel=${markStart}, StopSel=${markEnd}`
/** Size of the data of a page, as JSON text; the row that exceeds it is its last. */
export const maxPageDataBytes = 8 * 1024 * 1024

/**
 * Reads what a hit shows of each record: a snippet of its `span` or, without one, of its text. Deleted records, and
 * those of deleted or restricted sources, are left out.
 */
export async function readHitRows(
  query: Query,
  workspaceId: string,
  keys: readonly HitKey[],
  {
    tsquery,
    isMarked,
    hasData,
    prefersWords = false,
    hasSourceText = false,
    createdBefore,
    omittedEnds = [],
  }: HitRowOptions,
): Promise<HitRow[]> {
  const values = [
    workspaceId,
    keys.map((key) => ('dataSourceId' in key ? key.dataSourceId : null)),
    keys.map((key) => ('document' in key ? key.document : null)),
    keys.map((key) => ('recordId' in key ? key.recordId : null)),
    keys.map(({ configuration }) => configuration),
    keys.map(({ span }) => span?.start ?? null),
    keys.map(({ span }) => span?.length ?? null),
    tsquery,
    isMarked,
    hasData,
    prefersWords,
    hasSourceText,
    createdBefore ?? null,
    omittedEnds,
  ]
  const rows = await query<HitRow & { data: Record<string, unknown> | null }>(hitSql, values, 'read_search_hits')
  return rows.map(({ data, ...row }) => (data === null ? row : { ...row, data }))
}

/** SQL expression for a text without private-use marks, with placeholders for characters the parser would interpret. */
const escapeText = (text: string): string =>
  separateWords(text, placeholders, {
    from: `<>${markStart}${markEnd}`,
    to: `${placeholders['<']}${placeholders['>']}`,
  })

const headline = (text: string, options: string): string =>
  `ts_headline(configuration::regconfig, ${escapeText(text)}, $8::tsquery, '${options}, ${markOptions}')`

const storedRow = (condition: string): string =>
  `SELECT record_id, data_source_id, key, title, url, text, CASE WHEN $10 THEN data END AS data,
          CASE WHEN $10 THEN octet_length(data::text) ELSE 0 END AS size, $11 AND words @@ $8::tsquery AS has_words
     FROM data_records AS stored
    WHERE workspace_id = $1 AND ${condition} AND ($13::timestamptz IS NULL OR created_at <= $13)
      AND right(record_id, ${endLength}) <> ALL ($14::text[])
      AND EXISTS (SELECT FROM data_sources AS known
                   WHERE known.data_source_id = stored.data_source_id AND known.record_access = 'full') LIMIT 1`

const hitColumns = ['$2::text[]', '$3::integer[]', '$4::text[]', '$5::text[]', '$6::integer[]', '$7::integer[]']

/** Two lookups, of which one finds the record: an OR of both conditions would use no index. */
const hitSql = `
  SELECT position, record_id, data_source_id, key, title, url,
         CASE WHEN $12 THEN left(text, ${maxSnippetSourceLength}) END AS source_text,
         ceil(extract(epoch FROM now()) * 1000)::float8 AS read_at,
         CASE WHEN $9 THEN ${headline('title', 'HighlightAll=true')} END AS marked_title,
         CASE WHEN NOT $9 AND start IS NULL AND length(text) <= ${maxWholeTextLength} THEN text
              WHEN start IS NULL OR has_words THEN ${headline(`left(text, ${maxSnippetSourceLength})`, snippetOptions)}
              ELSE ${headline('substr(text, start + 1, length)', spanSnippetOptions)}
         END AS snippet,
         CASE WHEN bytes - size <= ${maxPageDataBytes} THEN data END AS data,
         bytes - size > ${maxPageDataBytes} AS is_beyond_page
    FROM (
      SELECT (nth - 1)::integer AS position, configuration, start, length, found.*, sum(size) OVER (ORDER BY nth) AS bytes
        FROM unnest(${hitColumns.map(hideFromPlanner)}) WITH ORDINALITY
               AS given (source, number, record, configuration, start, length, nth)
       CROSS JOIN LATERAL (
         (${storedRow('number IS NOT NULL AND stored.data_source_id = source AND document = number')})
         UNION ALL
         (${storedRow('number IS NULL AND record_id = record')})
       ) AS found
    ) AS measured
   ORDER BY position`
