import type { Query } from '@wp/database'

/** A letter, as an SQL regular expression that works in any locale. */
const letterPattern = '[^[:space:][:punct:][:digit:]]'

/**
 * Returns an SQL expression that separates words for PostgreSQL's parser. The parser reads `a/b` as a file path, `IL-2`
 * as a word and the number -2, `beta-catenin` as three words and `end.The` as a host; search needs their parts as words.
 * @param replacements for slash, hyphen and full stop; one character each, so that positions do not shift
 */
export const separateWords = (text: string, [slash, hyphen, stop] = [' ', ' ', ' ']): string =>
  `regexp_replace(translate(${text}, '/-', '${slash}${hyphen}'), '(${letterPattern}{2})\\.(?=${letterPattern}{2})', '\\1${stop}', 'g')`

/** Returns an SQL expression for the tsvector of a text. */
export const toTsvector = (configuration: string, text: string): string =>
  `to_tsvector(${configuration}::regconfig, ${separateWords(text)})`

/** The words of a query as one text search configuration parses them. */
export interface ParsedWords {
  configuration: string
  lexemes: { lexeme: string; occurrences: number }[]
  /** Lexemes of the last word, which may be incomplete. */
  lastWordLexemes: string[]
  /** The last word in lower case without accents; null if it is complete. */
  prefix: string | null
  /** Lexemes of each word form; empty for a stop word. */
  formLexemes: string[][]
}

/**
 * Parses the words of a query in several text search configurations.
 * @param prefix the last word, if it may be incomplete
 * @param forms single words
 */
export function parseWords(
  query: Query,
  configurations: readonly string[],
  words: string,
  prefix: string | null,
  forms: readonly string[],
): Promise<ParsedWords[]> {
  return query<ParsedWords>(
    `SELECT configuration, lower(public.unaccent($3::text)) AS prefix,
            tsvector_to_array(${toTsvector('configuration', `coalesce($3, '')`)}) AS "lastWordLexemes",
            (SELECT coalesce(json_agg(json_build_object('lexeme', lexeme, 'occurrences', cardinality(positions))
                                      ORDER BY positions[1]), '[]')
               FROM unnest(${toTsvector('configuration', '$2')})) AS lexemes,
            (SELECT coalesce(json_agg(tsvector_to_array(${toTsvector('configuration', 'form')}) ORDER BY nth), '[]')
               FROM unnest($4::text[]) WITH ORDINALITY AS written (form, nth)) AS "formLexemes"
       FROM unnest($1::text[]) AS configuration`,
    [configurations, words, prefix, forms],
    'parse_search_words',
  )
}
