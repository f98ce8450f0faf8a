import { newId, type Query } from '@wp/database'
import { toIndexedText } from '../search/text/unspaced-text.ts'
import { openIndex, segmentWriteCtes, tsvectorOf } from '../search/write-index.ts'
import type { LockedSource } from '../sources/locked-source.ts'

export interface UpsertCounts {
  /** Unchanged records count as neither created nor updated. */
  created: number
  updated: number
  /** Change of the stored bytes. */
  bytes: number
  /** Changes from new records to known ones, and back, in the order of the records. */
  switches: number
  /** True if the last record was new; null if there was none. */
  wasNew: boolean | null
}

export interface UpsertOptions {
  /** Ids of the parts that the records name. */
  partIds?: ReadonlyMap<string, number>
  /** Parses title and text again even if they are unchanged, because the language of the source may have changed. */
  forceReindex?: boolean
  /** `wasNew` of the records before these. */
  wasNew?: boolean | null
}

/** Inserts or updates records of a locked source in the given order; the last record of a key wins. */
export async function upsertRecords(
  query: Query,
  source: LockedSource,
  records: readonly RecordInput[],
  options: UpsertOptions = {},
): Promise<UpsertCounts> {
  const total: UpsertCounts = { created: 0, updated: 0, bytes: 0, switches: 0, wasNew: options.wasNew ?? null }
  for (const wave of groupIntoWaves(records.map((record) => ({ ...record, ...searchedFields(source, record) })))) {
    const { wasNew } = total
    const { created, updated, bytes, switches, ...last } = await upsertWave(query, source, wave, { ...options, wasNew })
    total.created += created
    total.updated += updated
    total.bytes += bytes
    total.switches += switches
    total.wasNew = last.wasNew
  }
  return total
}

/**
 * Returns the derived fields of a record as they are stored. They serve readers and search: a source whose records are
 * read for counts alone has none, so its records are in no index.
 */
export function searchedFields(
  { recordAccess }: Pick<LockedSource, 'recordAccess'>,
  { title, url, text }: DerivedFields,
): DerivedFields {
  return recordAccess === 'full' ? { title, url, text } : { title: null, url: null, text: null }
}

/** Splits records so that no group repeats a key: ON CONFLICT DO UPDATE cannot touch a row twice in one statement. */
function groupIntoWaves(records: readonly RecordInput[]): RecordInput[][] {
  const waves: RecordInput[][] = []
  const latestByKey = new Map<string, { wave: number; record: RecordInput }>()
  for (const record of records) {
    const earlier = latestByKey.get(record.key)
    if (earlier?.record.json === record.json && earlier.record.part === record.part) continue
    const wave = earlier === undefined ? 0 : earlier.wave + 1
    const members = waves[wave] ?? []
    waves[wave] = members
    members.push(record)
    latestByKey.set(record.key, { wave, record })
  }
  return waves
}

/**
 * Returns an SQL expression for rows of equal content: every field has the same text, whichever format it was read
 * from. Null, the empty text and a missing field are the same, as in filters.
 */
const hasSameContent = (stored: string, given: string): string =>
  `CASE WHEN ${stored} = ${given} THEN true ELSE NOT EXISTS (
     SELECT FROM jsonb_each_text(${stored}) AS known FULL JOIN jsonb_each_text(${given}) AS next USING (key)
      WHERE coalesce(known.value, '') <> coalesce(next.value, '')) END`

/**
 * Leaves unchanged rows alone, so that they cost no new row version; parses words only if title or text changed. Stored
 * records are looked up one by one (LATERAL … LIMIT 1): for a source that has just grown, the planner would scan all of
 * it. It must not see the id of the source there (MATERIALIZED): of a source that its statistics do not know, it
 * expects one record, takes any index of the source, and reads all of it for each key. The source is locked, so that
 * records cannot change before they are written. A record that only moved to another part, or whose fields have other
 * types with the same text, is written, but does not count as updated and keeps `updated_at`.
 */
const upsertSql = `
  WITH given AS MATERIALIZED (
    SELECT *, $2 AS data_source_id
      FROM unnest($3::text[], $4::text[], $5::jsonb[], $6::text[], $7::text[], $8::text[], $13::integer[],
                  $15::integer[], $16::text[], $17::text[])
      WITH ORDINALITY AS given (record_id, key, data, title, url, text, part_id, bytes, indexed_title, indexed_text,
                                position)
  ), parsed AS MATERIALIZED (
    SELECT given.*, known.document AS old_document, known.words AS old_words, known.updated_at,
           coalesce(known.bytes, 0) AS old_bytes,
           known.is_same_text IS NULL AS is_new, coalesce(is_same_text AND NOT $14::boolean, false) AS has_same_words,
           coalesce(is_same_text AND is_same_content, false) AS is_same,
           is_same_data AND known.part_id IS NOT DISTINCT FROM given.part_id AS is_same_row,
           CASE WHEN is_same_text AND NOT $14::boolean THEN known.words
                ELSE ${tsvectorOf('$11', 'coalesce(given.indexed_title, given.title)', 'coalesce(given.indexed_text, given.text)')} END AS words
      FROM given LEFT JOIN LATERAL (
        SELECT document, words, part_id, updated_at, bytes,
               (title, text) IS NOT DISTINCT FROM (given.title, given.text) AS is_same_text,
               data = given.data AS is_same_data,
               url IS NOT DISTINCT FROM given.url AND ${hasSameContent('data', 'given.data')} AS is_same_content
          FROM data_records WHERE data_source_id = given.data_source_id AND key = given.key LIMIT 1
      ) AS known ON true
  ), numbered AS MATERIALIZED (
    SELECT *, is_new <> lag(is_new, 1, $18::boolean) OVER (ORDER BY position) AS is_switch,
           NOT (is_same AND is_same_row AND (has_same_words OR words IS NOT DISTINCT FROM old_words)) AS is_written,
           coalesce(old_document, CASE WHEN words IS NOT NULL THEN $12 - 1 +
             count(words) FILTER (WHERE old_document IS NULL) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING)
           END)::integer AS document
      FROM parsed
  ), written AS (
    INSERT INTO data_records AS stored
           (workspace_id, data_source_id, record_id, key, data, bytes, title, url, text, part_id, document, words,
            updated_at)
    SELECT $1, $2, record_id, key, data, bytes, title, url, text, part_id, document, words,
           CASE WHEN is_same THEN updated_at ELSE now() END
      FROM numbered
     WHERE is_written
    ON CONFLICT (data_source_id, key) DO UPDATE
      SET data = excluded.data, bytes = excluded.bytes, title = excluded.title, url = excluded.url, text = excluded.text,
          part_id = excluded.part_id, document = excluded.document, words = excluded.words,
          updated_at = excluded.updated_at
  ), changed AS (
    SELECT document, words, old_words, old_document IS NULL AS is_new FROM numbered
     WHERE NOT has_same_words AND (words IS NOT NULL OR old_words IS NOT NULL) AND words IS DISTINCT FROM old_words
  ), ${segmentWriteCtes('changed', { indexId: '$9::integer', segment: '$10::integer', workspaceId: '$1' })}
  SELECT count(*) FILTER (WHERE is_new) AS created,
         count(*) FILTER (WHERE NOT is_new AND NOT is_same) AS updated,
         count(*) FILTER (WHERE is_switch) AS switches,
         bool_or(is_new) FILTER (WHERE position = cardinality($4::text[])) AS was_new,
         coalesce(sum(bytes - old_bytes) FILTER (WHERE is_written), 0) AS bytes
    FROM numbered`

async function upsertWave(
  query: Query,
  source: LockedSource,
  records: RecordInput[],
  { partIds, forceReindex = false, wasNew = null }: UpsertOptions,
): Promise<UpsertCounts> {
  const { workspaceId, dataSourceId } = source
  const partIdOf = ({ part }: RecordInput) => (part === undefined ? null : partIds?.get(part))
  if (source.recordAccess !== 'full' && !(await hasAnyRecord(query, source, records)))
    return { ...(await insertWave(query, source, records, partIdOf)), switches: Number(wasNew === false), wasNew: true }
  const { indexId, segment, configuration, nextDocument } = await openIndex(query, source)
  const [counts] = await query<UpsertCounts>(upsertSql, [
    workspaceId,
    dataSourceId,
    records.map(() => newId('rec')),
    records.map(({ key }) => key),
    records.map(({ json }) => json),
    records.map(({ title }) => title),
    records.map(({ url }) => url),
    records.map(({ text }) => text),
    indexId,
    segment,
    configuration,
    nextDocument,
    records.map(partIdOf),
    forceReindex,
    records.map(({ json }) => Buffer.byteLength(json)),
    records.map(({ title }) => toIndexedText(title)),
    records.map(({ text }) => toIndexedText(text)),
    wasNew,
  ])
  if (counts === undefined) throw new Error('aggregate query returned no row')
  return counts
}

/** Returns true if a record of a locked source has the key of one of the given. Looks them up as `upsertSql` does. */
async function hasAnyRecord(query: Query, { dataSourceId }: LockedSource, records: RecordInput[]): Promise<boolean> {
  const found = await query(
    `WITH given AS MATERIALIZED (SELECT $1 AS data_source_id, key FROM unnest($2::text[]) AS key)
     SELECT FROM given CROSS JOIN LATERAL (
       SELECT FROM data_records WHERE data_source_id = given.data_source_id AND key = given.key LIMIT 1
     ) AS known LIMIT 1`,
    [dataSourceId, records.map(({ key }) => key)],
  )
  return found.length > 0
}

/** Inserts records without words whose keys are new, in half of the time of `upsertSql`. */
async function insertWave(
  query: Query,
  { workspaceId, dataSourceId }: LockedSource,
  records: RecordInput[],
  partIdOf: (record: RecordInput) => number | null | undefined,
): Promise<Pick<UpsertCounts, 'created' | 'updated' | 'bytes'>> {
  const sizes = records.map(({ json }) => Buffer.byteLength(json))
  await query(
    `INSERT INTO data_records (workspace_id, data_source_id, record_id, key, data, bytes, part_id)
     SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::jsonb[], $6::integer[], $7::integer[])`,
    [
      ...[workspaceId, dataSourceId, records.map(() => newId('rec')), records.map(({ key }) => key)],
      ...[records.map(({ json }) => json), sizes, records.map(partIdOf)],
    ],
  )
  return { created: records.length, updated: 0, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** The columns of a record that are derived from its row by the config of its source. */
export interface DerivedFields {
  title: string | null
  url: string | null
  text: string | null
}

/** A record to insert or update, identified by its key within the source. */
export interface RecordInput extends DerivedFields {
  key: string
  /** The row as JSON text. */
  json: string
  /** Name of the part of the source that holds the row; absent if the source has no parts. */
  part?: string
}
