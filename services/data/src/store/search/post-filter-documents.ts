import type { Query } from '@wp/database'
import { type DocumentKey, keyColumns } from './documents.ts'
import { countReadKeys, limitFieldValues, selectFieldValues } from './page-limit.ts'
import { separateWords } from './text/text-parsing.ts'
import { hasLetterOrDigit, isUnspaced, listSymbolicWords, separateLetters, vowelMarks } from './text/unspaced-text.ts'

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
    [
      workspaceId,
      ...keyColumns(keys),
      configurations,
      fields,
      phrases.flatMap(wordsOfPhrase),
      phrases.filter((phrase) => !isUnspaced(phrase)),
    ],
    'read_post_filter_documents',
  )
  return { documents: rows, read: countReadKeys(rows, keys.length) }
}

/** A picture alone is no word of a parser, and signs alone are in no document. */
function wordsOfPhrase(phrase: string): string[] {
  const symbols = listSymbolicWords(phrase)
  return hasLetterOrDigit(phrase) || symbols.length === 0 ? [separateLetters(phrase), ...symbols] : symbols
}

/** Characters between words. */
const separator =
  '[[:space:][:punct:]$+<=>^`|~\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u3020\ue000-\uf8ff\ufe00-\ufe0f\u{1f000}-\u{1faff}]'

/** Returns an SQL expression for a text in lower case without accents and vowel marks. */
const fold = (text: string) =>
  `regexp_replace(lower(public.unaccent(normalize(${text}, NFKC))), '${vowelMarks.source}', '', 'g')`

/**
 * Phrases are parsed once for each configuration, not for each document. The index knows the stems of words and their
 * order. The regular expression of a phrase tells whether its words have the same form; it is read of documents only
 * that have the stems. A phrase without spaces has no stems, and no regular expression.
 */
const postFilterSql = `
  WITH wanted AS MATERIALIZED (
    SELECT name, array_agg(phraseto_tsquery(name::regconfig, ${separateWords('words')})) AS phrases
      FROM (SELECT DISTINCT unnest($4::text[])) AS used (name), unnest($6::text[]) AS phrase (words) GROUP BY name
  ), forms AS MATERIALIZED (
    SELECT array_agg('(^|${separator})' || regexp_replace(form, '${separator}+', '${separator}+', 'g') || '($|${separator})') AS patterns
      FROM (SELECT regexp_replace(${fold('words')}, '^${separator}+|${separator}+$', '', 'g') AS form
              FROM unnest($7::text[]) AS phrase (words)) AS folded
     WHERE form <> ''
  )
  SELECT position, field_values, has_phrases, is_page_end FROM (${limitFieldValues(`
    SELECT (nth - 1)::integer AS position, field_values, nth,
           CASE WHEN EXISTS (SELECT FROM unnest(wanted.phrases) AS phrase (query)
                              WHERE NOT (ts_filter(found.words, '{a}') @@ query OR ts_filter(found.words, '{d}') @@ query))
                THEN false
                ELSE NOT EXISTS (SELECT FROM unnest(patterns) AS pattern
                                  WHERE NOT (coalesce(${fold('title')} ~ pattern, false) OR coalesce(${fold('text')} ~ pattern, false)))
           END AS has_phrases
      FROM unnest($2::text[], $3::integer[], $4::text[]) WITH ORDINALITY AS given (source, number, configuration, nth)
     CROSS JOIN forms
      LEFT JOIN wanted ON wanted.name = configuration
     CROSS JOIN LATERAL (
       SELECT words, title, text, ${selectFieldValues('$5')} AS field_values
         FROM data_records
        WHERE workspace_id = $1 AND data_source_id = source AND document = number AND words IS NOT NULL LIMIT 1
     ) AS found`)}
  ) AS page
   ORDER BY nth`
