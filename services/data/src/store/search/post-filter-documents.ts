import type { Query } from '@wp/database'
import { type DocumentKey, keyColumns } from './documents.ts'
import { countReadKeys, limitFieldValues, selectFieldValues } from './page-limit.ts'
import { separateWords } from './text-parsing.ts'

/** The input of the post-filter for one document. */
export interface PostFilterDocument {
  /** Index of the document in `keys`. */
  position: number
  /** True if title or text contains every phrase. */
  hasPhrases: boolean
  /** Values of the requested fields, in order. */
  fieldValues: unknown[]
}

export interface PostFilterPage {
  documents: PostFilterDocument[]
  /** Number of keys that were read: fewer than given if their values are too large for one page. */
  read: number
}

/**
 * Reads field values of the first documents and tests phrases. Deleted documents are left out.
 * @param keys at least one
 */
export async function readPostFilterDocuments(
  query: Query,
  workspaceId: string,
  keys: readonly (DocumentKey & { configuration: string })[],
  fields: readonly string[],
  phrases: readonly string[],
): Promise<PostFilterPage> {
  const configurations = keys.map(({ configuration }) => configuration)
  const rows = await query<PostFilterDocument & { isPageEnd: boolean }>(
    postFilterSql,
    [workspaceId, ...keyColumns(keys), configurations, fields, phrases],
    'read_post_filter_documents',
  )
  return { documents: rows, read: countReadKeys(rows, keys.length) }
}

/** Phrases are parsed once for each configuration, not for each document. */
const postFilterSql = `
  WITH wanted AS MATERIALIZED (
    SELECT name, array_agg(phraseto_tsquery(name::regconfig, ${separateWords('words')})) AS phrases
      FROM (SELECT DISTINCT unnest($4::text[])) AS used (name), unnest($6::text[]) AS phrase (words) GROUP BY name
  )
  SELECT position, field_values AS "fieldValues", "hasPhrases", "isPageEnd" FROM (${limitFieldValues(`
    SELECT (nth - 1)::integer AS position, field_values, nth,
           NOT EXISTS (SELECT FROM unnest(wanted.phrases) AS phrase (query)
                        WHERE NOT (ts_filter(found.words, '{a}') @@ query OR ts_filter(found.words, '{d}') @@ query)
           ) AS "hasPhrases"
      FROM unnest($2::text[], $3::integer[], $4::text[]) WITH ORDINALITY AS given (source, number, configuration, nth)
      LEFT JOIN wanted ON wanted.name = configuration
     CROSS JOIN LATERAL (
       SELECT words, ${selectFieldValues('$5')} AS field_values
         FROM data_records
        WHERE workspace_id = $1 AND data_source_id = source AND document = number AND words IS NOT NULL LIMIT 1
     ) AS found`)}
  ) AS page
   ORDER BY nth`
