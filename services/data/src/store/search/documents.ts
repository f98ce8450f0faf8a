import type { Query } from '@wp/database'
import { markEnd, markStart, placeholders } from '../../search/query/highlight.ts'
import { separateWords } from './text-parsing.ts'

/** A document by its source and its number there. */
export interface DocumentKey {
  dataSourceId: string
  document: number
}

const columnsOf = (keys: readonly DocumentKey[]) => [
  keys.map(({ dataSourceId }) => dataSourceId),
  keys.map(({ document }) => document),
]

export interface PostFilterDocument {
  /** Place of the document among those that were asked for, from 0. */
  place: number
  /** Whether the phrases are there, word by word. */
  hasPhrases: boolean
  /** Values of the fields that were asked for. */
  fieldValues: unknown[]
}

/** Looks into documents: at some of their fields, and for phrases. Those that are gone are left out. */
export async function readPostFilterDocuments(
  query: Query,
  workspaceId: string,
  keys: readonly (DocumentKey & { configuration: string })[],
  fields: readonly string[],
  phrases: readonly string[],
): Promise<PostFilterDocument[]> {
  return query<PostFilterDocument>(
    `SELECT (place - 1)::integer AS place, field_values AS "fieldValues",
            NOT EXISTS (
              SELECT FROM unnest($6::text[]) AS phrase (words),
                     phraseto_tsquery(configuration::regconfig, ${separateWords('words')}) AS wanted
               WHERE NOT (ts_filter(found.words, '{a}') @@ wanted OR ts_filter(found.words, '{d}') @@ wanted)
            ) AS "hasPhrases"
       FROM unnest($2::text[], $3::integer[], $4::text[]) WITH ORDINALITY AS given (source, number, configuration, place)
      CROSS JOIN LATERAL (
        SELECT words, ARRAY (SELECT data -> field FROM unnest($5::text[]) WITH ORDINALITY AS asked (field, nth)
                              ORDER BY nth) AS field_values
          FROM data_records
         WHERE workspace_id = $1 AND data_source_id = source AND document = number AND words IS NOT NULL LIMIT 1
      ) AS found
      ORDER BY place`,
    [workspaceId, ...columnsOf(keys), keys.map(({ configuration }) => configuration), fields, phrases],
  )
}

export interface HitDocument {
  /** Place of the document among those that were asked for, from 0. */
  place: number
  recordId: string
  title: string | null
  url: string | null
  /** Both with marks around what was found, where they were asked for. */
  markedTitle: string | null
  snippet: string | null
}

/** Of longer texts the beginning is what their wording is judged by, in characters. */
const maxBoostTextLength = 4_096

export interface DocumentText {
  /** Place of the document among those that were asked for, from 0. */
  place: number
  title: string | null
  text: string | null
}

/** What documents say, in their own words. Those that are gone are left out. */
export function readDocumentTexts(
  query: Query,
  workspaceId: string,
  keys: readonly DocumentKey[],
): Promise<DocumentText[]> {
  return query<DocumentText>(
    `SELECT (place - 1)::integer AS place, title, text
       FROM unnest($2::text[], $3::integer[]) WITH ORDINALITY AS given (source, number, place)
      CROSS JOIN LATERAL (
        SELECT title, left(text, ${maxBoostTextLength}) AS text FROM data_records
         WHERE workspace_id = $1 AND data_source_id = source AND document = number LIMIT 1
      ) AS found`,
    [workspaceId, ...columnsOf(keys)],
  )
}

/** A part of a text, in characters. */
export interface TextSpan {
  start: number
  length: number
}

/** Of longer texts the beginning is what a snippet is looked for in, in characters. */
const maxSnippetSourceLength = 16_384
/** A text no longer than this is its own snippet. */
const snippetLength = 200
const snippetOptions = 'MaxWords=36, MinWords=18'
/** Of a part that says what was asked in other words, more must be read. */
const spanSnippetOptions = 'MaxWords=60, MinWords=40'
const markOptions = `StartSel=${markStart}, StopSel=${markEnd}`

/**
 * What is shown of documents: a snippet of their `part`, where they have one, else of the text. Those that are gone are
 * left out.
 * @param wanted what a snippet is made of and what to mark, as a tsquery
 * @param isMarked whether the marks will be shown
 */
export function readHitDocuments(
  query: Query,
  workspaceId: string,
  keys: readonly (DocumentKey & { configuration: string; part?: TextSpan | undefined })[],
  wanted: string,
  isMarked: boolean,
): Promise<HitDocument[]> {
  const clean = (column: string) =>
    separateWords(`translate(${column}, '<>${markStart}${markEnd}', '${placeholders['<']}${placeholders['>']}')`, [
      placeholders['/'],
      placeholders['-'],
      placeholders['.'],
    ])
  return query<HitDocument>(
    `SELECT (place - 1)::integer AS place, record_id AS "recordId", title, url,
            CASE WHEN $8 THEN ts_headline(configuration::regconfig, ${clean('title')}, $5::tsquery,
                                          'HighlightAll=true, ${markOptions}')
            END AS "markedTitle",
            CASE WHEN NOT $8 AND start IS NULL AND length(text) <= ${snippetLength} THEN text
                 WHEN start IS NULL
                 THEN ts_headline(configuration::regconfig, ${clean(`left(text, ${maxSnippetSourceLength})`)}, $5::tsquery,
                                  '${snippetOptions}, ${markOptions}')
                 ELSE ts_headline(configuration::regconfig, ${clean('substr(text, start + 1, length)')}, $5::tsquery,
                                  '${spanSnippetOptions}, ${markOptions}')
            END AS snippet
       FROM unnest($2::text[], $3::integer[], $4::text[], $6::integer[], $7::integer[]) WITH ORDINALITY
              AS given (source, number, configuration, start, length, place)
      CROSS JOIN LATERAL (
        SELECT record_id, title, url, text FROM data_records
         WHERE workspace_id = $1 AND data_source_id = source AND document = number LIMIT 1
      ) AS found
      ORDER BY place`,
    [
      workspaceId,
      ...columnsOf(keys),
      keys.map(({ configuration }) => configuration),
      wanted,
      keys.map(({ part }) => part?.start ?? null),
      keys.map(({ part }) => part?.length ?? null),
      isMarked,
    ],
  )
}
