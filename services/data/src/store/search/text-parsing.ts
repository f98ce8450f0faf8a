import type { Query } from '@wp/database'

/** A letter, as an SQL regular expression knows it in any locale. */
const letterPattern = '[^[:space:][:punct:][:digit:]]'

/**
 * What PostgreSQL's parser shall read instead of a text, as an SQL expression. It takes `a/b` for a file's path, `IL-2`
 * for a word and the number -2, `beta-catenin` for three words and `end.The` for a host: their parts are words.
 * @param blanks what takes the place of slash, hyphen and full stop; one character each, so that nothing is moved
 */
export const separateWords = (text: string, [slash, hyphen, stop] = [' ', ' ', ' ']): string =>
  `regexp_replace(translate(${text}, '/-', '${slash}${hyphen}'), '(${letterPattern}{2})\\.(?=${letterPattern}{2})', '\\1${stop}', 'g')`

/** The words of a text, as an SQL expression. */
export const toTsvector = (configuration: string, text: string): string =>
  `to_tsvector(${configuration}::regconfig, ${separateWords(text)})`

/** What a text says in one configuration. */
export interface ParsedWords {
  configuration: string
  lexemes: { lexeme: string; occurrences: number }[]
  /** The lexeme of the last word, which may be the beginning of others. */
  lastWordLexemes: string[]
  /** The last word itself, in small letters without accents. */
  prefix: string | null
  /** The lexemes of each of the forms; none of what is too common. */
  formLexemes: string[][]
}

/**
 * Reads the words of a query as each of some configurations has them.
 * @param forms single words
 */
export function parseWords(
  query: Query,
  configurations: readonly string[],
  words: string,
  beginning: string | null,
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
    [configurations, words, beginning, forms],
  )
}
