import type { Query } from '@wp/database'
import { markEnd, markStart, placeholders } from './highlight-marks.ts'
import { separateWords } from './text-parsing.ts'

/** Identifies a document by its source and its number in the index of the source. */
export interface DocumentKey {
  dataSourceId: string
  document: number
}

/** Returns the columns of keys, as parameters of a statement. */
export const keyColumns = (keys: readonly DocumentKey[]) => [
  keys.map(({ dataSourceId }) => dataSourceId),
  keys.map(({ document }) => document),
]

/** The proximity boost considers this many characters of a text. */
const maxBoostTextLength = 4_096

export interface DocumentText {
  /** Index of the document in `keys`. */
  position: number
  title: string | null
  text: string | null
}

/** Reads the title and the first 4,096 characters of the text of documents. Deleted documents are left out. */
export function readDocumentTexts(
  query: Query,
  workspaceId: string,
  keys: readonly DocumentKey[],
): Promise<DocumentText[]> {
  return query<DocumentText>(
    `SELECT (nth - 1)::integer AS position, title, text
       FROM unnest($2::text[], $3::integer[]) WITH ORDINALITY AS given (source, number, nth)
      CROSS JOIN LATERAL (
        SELECT title, left(text, ${maxBoostTextLength}) AS text FROM data_records
         WHERE workspace_id = $1 AND data_source_id = source AND document = number LIMIT 1
      ) AS found`,
    [workspaceId, ...keyColumns(keys)],
  )
}

/** A part of a text, in characters (code points) from 0. */
export interface TextSpan {
  start: number
  length: number
}

export interface HitDocument {
  /** Index of the document in `keys`. */
  position: number
  recordId: string
  title: string | null
  url: string | null
  /** The title with marks around matching words; null if marks were not requested. */
  markedTitle: string | null
  /** Contains marks around matching words if they were requested, and may contain placeholders. */
  snippet: string | null
}

/** Snippets are taken from this many characters of a text. */
const maxSnippetSourceLength = 16_384
/** A text up to this length is its own snippet. */
const maxWholeTextLength = 200
const snippetOptions = 'MaxWords=36, MinWords=18'
/** Longer, because the span may express the query in other words. */
const spanSnippetOptions = 'MaxWords=60, MinWords=40'
const markOptions = `StartSel=${markStart}, StopSel=${markEnd}`

/**
 * Reads what a hit shows of each document: a snippet of its `span` or, without one, of its text. Deleted documents are
 * left out.
 * @param tsquery selects the snippet and the words to mark
 * @param isMarked true if marks are wanted
 */
export function readHitDocuments(
  query: Query,
  workspaceId: string,
  keys: readonly (DocumentKey & { configuration: string; span?: TextSpan | undefined })[],
  tsquery: string,
  isMarked: boolean,
): Promise<HitDocument[]> {
  return query<HitDocument>(hitSql, [
    workspaceId,
    ...keyColumns(keys),
    keys.map(({ configuration }) => configuration),
    tsquery,
    keys.map(({ span }) => span?.start ?? null),
    keys.map(({ span }) => span?.length ?? null),
    isMarked,
  ])
}

/** SQL expression for a text without private-use marks, with placeholders for characters the parser would interpret. */
const escapeText = (text: string): string =>
  separateWords(`translate(${text}, '<>${markStart}${markEnd}', '${placeholders['<']}${placeholders['>']}')`, [
    placeholders['/'],
    placeholders['-'],
    placeholders['.'],
  ])

const headline = (text: string, options: string): string =>
  `ts_headline(configuration::regconfig, ${escapeText(text)}, $5::tsquery, '${options}, ${markOptions}')`

const hitSql = `
  SELECT (nth - 1)::integer AS position, record_id AS "recordId", title, url,
         CASE WHEN $8 THEN ${headline('title', 'HighlightAll=true')} END AS "markedTitle",
         CASE WHEN NOT $8 AND start IS NULL AND length(text) <= ${maxWholeTextLength} THEN text
              WHEN start IS NULL THEN ${headline(`left(text, ${maxSnippetSourceLength})`, snippetOptions)}
              ELSE ${headline('substr(text, start + 1, length)', spanSnippetOptions)}
         END AS snippet
    FROM unnest($2::text[], $3::integer[], $4::text[], $6::integer[], $7::integer[]) WITH ORDINALITY
           AS given (source, number, configuration, start, length, nth)
   CROSS JOIN LATERAL (
     SELECT record_id, title, url, text FROM data_records
      WHERE workspace_id = $1 AND data_source_id = source AND document = number LIMIT 1
   ) AS found
   ORDER BY nth`
