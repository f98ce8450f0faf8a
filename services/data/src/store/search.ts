import type { SearchLanguage } from '@wp/contracts'
import type { Query } from '@wp/database'
import { configurationOf } from '../search/language.ts'
import { above, below, markEnd, markStart } from '../search/marks.ts'
import { decodePostings, type Postings } from '../search/postings.ts'
import type { PostingsCache } from '../search/postings-cache.ts'

/** A source and what its index knows as a whole. */
export interface IndexedSource {
  dataSourceId: string
  indexId: number
  size: number
  documents: number
  length: number
  configuration: string
}

/** The sources of a workspace that have an index; what belongs to a deleted source is none of it. */
export async function listIndexes(
  query: Query,
  workspaceId: string,
  language: SearchLanguage | undefined,
): Promise<IndexedSource[]> {
  const rows = await query<Omit<IndexedSource, 'configuration'> & { language: SearchLanguage | null }>(
    `SELECT data_source_id AS "dataSourceId", index_id AS "indexId", next_document AS size, documents, length,
            config->>'language' AS language
       FROM data_sources JOIN search_indexes USING (workspace_id, data_source_id)
      WHERE workspace_id = $1 ORDER BY data_source_id`,
    [workspaceId],
  )
  return rows.map(({ language: own, ...index }) => ({ ...index, configuration: configurationOf(language ?? own) }))
}

/** @returns those that are not sources of the workspace */
export async function unknownSources(query: Query, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `SELECT id FROM unnest($2::text[]) AS given (id)
      WHERE NOT EXISTS (SELECT FROM data_sources WHERE workspace_id = $1 AND data_source_id = id)`,
    [workspaceId, ids],
  )
  return rows.map(({ id }) => id)
}

/** What a text says in one configuration. */
export interface ReadWords {
  configuration: string
  lexemes: { lexeme: string; times: number }[]
  /** The lexeme of the last word, which may be the beginning of others. */
  last: string[]
  /** The last word itself, in small letters without accents. */
  beginning: string | null
}

export function readWords(
  query: Query,
  configurations: readonly string[],
  words: string,
  beginning: string | null,
): Promise<ReadWords[]> {
  const parsed = (placeholder: string) => `to_tsvector(configuration::regconfig, translate(${placeholder}, '/', ' '))`
  return query<ReadWords>(
    `SELECT configuration, lower(public.unaccent($3::text)) AS beginning,
            tsvector_to_array(${parsed(`coalesce($3, '')`)}) AS last,
            (SELECT coalesce(json_agg(json_build_object('lexeme', lexeme, 'times', cardinality(positions))
                                      ORDER BY positions[1]), '[]')
               FROM unnest(${parsed('$2')})) AS lexemes
       FROM unnest($1::text[]) AS configuration`,
    [configurations, words, beginning],
  )
}

/** Postings beyond this many bytes are kept: to send them again costs more than to ask whether they are still those. */
const keptFrom = 4_096

interface PostingsRow {
  indexId: number
  lexeme: string
  segment: number
  /** The transaction that wrote the row, which with its key names this version of it. */
  version: string
  postings: Buffer | null
}

/** All postings of some lexemes, by index and lexeme, the newest segment first. */
export async function readPostings(
  query: Query,
  cache: PostingsCache,
  indexIds: readonly number[],
  lexemes: readonly string[],
): Promise<Map<string, Postings[]>> {
  const rowsBelow = (bytes: number | null) =>
    query<PostingsRow>(
      `SELECT index_id AS "indexId", lexeme, segment, xmin::text AS version,
              CASE WHEN octet_length(postings) < $3 OR $3 IS NULL THEN postings END AS postings
         FROM search_postings
        WHERE index_id = ANY ($1::integer[]) AND lexeme = ANY ($2::text[]) ORDER BY index_id, lexeme, segment DESC`,
      [indexIds, lexemes, bytes],
    )
  let rows = await rowsBelow(keptFrom)
  const large = await readLarge(
    query,
    cache,
    rows.filter(({ postings }) => postings === null),
  )
  // Between the two statements some were folded: then all are read by one.
  if (rows.some((row) => row.postings === null && !large.has(versionOf(row)))) rows = await rowsBelow(null)
  const found = new Map<string, Postings[]>()
  for (const row of rows) {
    const postings = row.postings === null ? large.get(versionOf(row)) : decodePostings(row.postings)
    if (postings === undefined) throw new Error('a row of postings was read without them')
    const key = `${row.indexId} ${row.lexeme}`
    const segments = found.get(key)
    if (segments === undefined) found.set(key, [postings])
    else segments.push(postings)
  }
  return found
}

const versionOf = ({ indexId, segment, version, lexeme }: PostingsRow) => `${indexId} ${segment} ${version} ${lexeme}`

async function readLarge(query: Query, cache: PostingsCache, rows: readonly PostingsRow[]) {
  const found = new Map<string, Postings>()
  const missing: PostingsRow[] = []
  for (const row of rows) {
    const kept = cache.get(versionOf(row))
    if (kept === undefined) missing.push(row)
    else found.set(versionOf(row), kept)
  }
  if (missing.length === 0) return found
  const read = await query<PostingsRow>(
    `SELECT found.index_id AS "indexId", found.lexeme, found.segment, found.xmin::text AS version, found.postings
       FROM unnest($1::integer[], $2::text[], $3::integer[]) AS wanted (index_id, lexeme, segment)
      CROSS JOIN LATERAL (
        SELECT xmin, * FROM search_postings AS stored
         WHERE (stored.index_id, stored.lexeme, stored.segment) = (wanted.index_id, wanted.lexeme, wanted.segment) LIMIT 1
      ) AS found`,
    [missing.map(({ indexId }) => indexId), missing.map(({ lexeme }) => lexeme), missing.map(({ segment }) => segment)],
  )
  for (const row of read) {
    if (row.postings === null) continue
    const postings = decodePostings(row.postings)
    found.set(versionOf(row), postings)
    cache.set(versionOf(row), postings)
  }
  return found
}

const mostContinuations = 32
/** Rows looked at for them, so that a short beginning in a large index stays cheap. */
const mostContinuationRows = 5_000

/** Lexemes that go on from a beginning, the most frequent first. */
export async function continuationsOf(query: Query, indexIds: readonly number[], beginning: string): Promise<string[]> {
  const rows = await query<{ lexeme: string }>(
    `SELECT lexeme FROM (
       SELECT lexeme, octet_length(postings) AS bytes FROM search_postings
        WHERE index_id = ANY ($1::integer[]) AND lexeme >= $2 AND lexeme < $2 || U&'\\+10FFFF' LIMIT ${mostContinuationRows}
     ) AS begun GROUP BY lexeme ORDER BY sum(bytes) DESC, lexeme LIMIT ${mostContinuations}`,
    [indexIds, beginning],
  )
  return rows.map(({ lexeme }) => lexeme)
}

const mostAlike = 3
const leastAlike = 0.35
/** Lexemes compared with a mistyped word. */
const mostCompared = 200_000

/** Lexemes that are spelled like another, the most alike first; those that begin alike are tried before all others. */
export async function alikeLexemes(query: Query, indexIds: readonly number[], lexeme: string): Promise<string[]> {
  const [first = ''] = lexeme
  const alike = (where: string) =>
    query<{ lexeme: string }>(
      `SELECT lexeme FROM (
         SELECT DISTINCT lexeme FROM search_postings
          WHERE index_id = ANY ($1::integer[]) ${where} LIMIT ${mostCompared}
       ) AS known
        WHERE public.similarity(lexeme, $2) >= ${leastAlike}
        ORDER BY public.similarity(lexeme, $2) DESC, lexeme LIMIT ${mostAlike}`,
      [indexIds, lexeme, first],
    )
  const found = await alike(`AND lexeme >= $3 AND lexeme < $3 || U&'\\+10FFFF'`)
  const all = found.length > 0 ? found : await alike(`AND NOT starts_with(lexeme, $3)`)
  return all.map(({ lexeme: other }) => other)
}

/** A document by its source and its number there. */
export interface DocumentKey {
  dataSourceId: string
  document: number
}

const columnsOf = (keys: readonly DocumentKey[]) => [
  keys.map(({ dataSourceId }) => dataSourceId),
  keys.map(({ document }) => document),
]

export interface ExaminedDocument {
  /** Place of the document among those that were asked for, from 0. */
  place: number
  /** Whether the phrases are there, word by word. */
  hasPhrases: boolean
  /** Values of the fields that were asked for. */
  cells: unknown[]
}

/** Looks into documents: at some of their fields, and for phrases. Those that are gone are left out. */
export async function examine(
  query: Query,
  workspaceId: string,
  keys: readonly (DocumentKey & { configuration: string })[],
  fields: readonly string[],
  phrases: readonly string[],
): Promise<ExaminedDocument[]> {
  return query<ExaminedDocument>(
    `SELECT (place - 1)::integer AS place, cells,
            NOT EXISTS (
              SELECT FROM unnest($6::text[]) AS phrase (words),
                     phraseto_tsquery(configuration::regconfig, translate(words, '/', ' ')) AS wanted
               WHERE NOT (ts_filter(found.words, '{a}') @@ wanted OR ts_filter(found.words, '{d}') @@ wanted)
            ) AS "hasPhrases"
       FROM unnest($2::text[], $3::integer[], $4::text[]) WITH ORDINALITY AS given (source, number, configuration, place)
      CROSS JOIN LATERAL (
        SELECT words, ARRAY (SELECT data -> field FROM unnest($5::text[]) WITH ORDINALITY AS asked (field, nth)
                              ORDER BY nth) AS cells
          FROM data_records
         WHERE workspace_id = $1 AND data_source_id = source AND document = number AND words IS NOT NULL LIMIT 1
      ) AS found
      ORDER BY place`,
    [workspaceId, ...columnsOf(keys), keys.map(({ configuration }) => configuration), fields, phrases],
  )
}

export interface ShownDocument {
  /** Place of the document among those that were asked for, from 0. */
  place: number
  recordId: string
  title: string | null
  url: string | null
  /** Both with marks around what was found. */
  markedTitle: string | null
  snippet: string | null
}

/** A part of a text, in characters. */
export interface Part {
  start: number
  length: number
}

/** Of longer texts the beginning is what a snippet is looked for in, in characters. */
const snippetReach = 16_384
const snippetShape = 'MaxWords=36, MinWords=18'
/** Of a part that says what was asked in other words, more must be read. */
const partShape = 'MaxWords=60, MinWords=40'
const marking = `StartSel=${markStart}, StopSel=${markEnd}`

/**
 * What is shown of documents: a snippet of their `part`, where they have one, else of the text. Those that are gone are
 * left out.
 * @param wanted what to mark, as a tsquery
 */
export function show(
  query: Query,
  workspaceId: string,
  keys: readonly (DocumentKey & { configuration: string; part?: Part | undefined })[],
  wanted: string,
): Promise<ShownDocument[]> {
  const clean = (column: string) => `translate(${column}, '<>${markStart}${markEnd}', '${below}${above}')`
  return query<ShownDocument>(
    `SELECT (place - 1)::integer AS place, record_id AS "recordId", title, url,
            ts_headline(configuration::regconfig, ${clean('title')}, $5::tsquery, 'HighlightAll=true, ${marking}')
              AS "markedTitle",
            CASE WHEN start IS NULL
                 THEN ts_headline(configuration::regconfig, ${clean(`left(text, ${snippetReach})`)}, $5::tsquery,
                                  '${snippetShape}, ${marking}')
                 ELSE ts_headline(configuration::regconfig, ${clean('substr(text, start + 1, length)')}, $5::tsquery,
                                  '${partShape}, ${marking}')
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
    ],
  )
}
