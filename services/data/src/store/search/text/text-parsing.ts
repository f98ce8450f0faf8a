import { defaultSearchLanguage, type SearchLanguage } from '@wp/contracts'
import type { Query } from '@wp/database'
import { hideFromPlanner } from '../hide-from-planner.ts'

/**
 * Returns the name of the PostgreSQL text search configuration by which the words of a language are indexed, stop words
 * included; the migrations create one each.
 */
export const textSearchConfiguration = (language: SearchLanguage | null | undefined): string =>
  `public.search_${language ?? defaultSearchLanguage}_all`

/** Returns an SQL expression for the configuration of the same language without stop words. */
export const withoutStopWords = (configuration: string): string => `left(${configuration}, -4)`

/** A letter, as an SQL regular expression that works in any locale. */
const letterPattern = '[^[:space:][:punct:][:digit:]]'

/** Replacements of characters between words that PostgreSQL's parser treats as syntax. */
type WordSeparators = Readonly<Record<'/' | '-' | '.' | '_' | '@', string>>

const spaces: WordSeparators = { '/': ' ', '-': ' ', '.': ' ', _: ' ', '@': ' ' }

/**
 * Returns an SQL expression that separates words for PostgreSQL's parser. The parser reads `a/b` as a file path, `IL-2`
 * as a word and the number -2, `beta-catenin` as three words and `end.The` as a host; search needs their parts as
 * words. Of a text with many underscores or at signs between letters, it looks at every rest for a host or an address
 * of mail: 16 s for 40 kB.
 * @param replacements one character each, so that positions do not shift
 * @param also further characters to replace, or to remove if `to` is shorter: one pass costs half as much as two
 */
export const separateWords = (
  text: string,
  replacements: WordSeparators = spaces,
  also: { from: string; to: string } = { from: '', to: '' },
): string =>
  `regexp_replace(translate(${text}, '/-_@${also.from}', '${replacements['/']}${replacements['-']}${replacements._}${replacements['@']}${also.to}'), '(${letterPattern}{2})\\.(?=${letterPattern}{2})', '\\1${replacements['.']}', 'g')`

/** Returns an SQL expression for the tsvector of the words of a text. */
export const toTsvector = (configuration: string, text: string): string =>
  `to_tsvector(${configuration}::regconfig, ${separateWords(text)})`

/** A letter or digit; no underscore. */
const characterPattern = '[^[:space:][:punct:]]'
/** Words with hyphens, and codes with digits at both sides of a full stop, a slash or a hyphen. */
const joinablePattern = `((?:${characterPattern}+(?:-${characterPattern}+)+)|(?:${letterPattern}+[[:digit:]]+(?:[./-][[:digit:]]+)+))`
/** A word of letters and then digits. */
const divisiblePattern = `(?<!${characterPattern})(${letterPattern}+)([[:digit:]]+)(?!${characterPattern})`

/**
 * Returns an SQL expression for the tsvector of the words of a text and their other spellings, which follow all words:
 * `IL-2` is also `IL2`, `IL2` also `IL 2`, and `A4.12` also `A412`. So each spelling finds the others, and a text with
 * the parts of a code elsewhere ranks below one with the code.
 */
export const toTsvectorOfSpellings = (configuration: string, text: string): string =>
  `(${toTsvector(configuration, text)} || to_tsvector(${configuration}::regconfig, concat_ws(' ',
    (SELECT string_agg(translate(found[1], './-', ''), ' ') FROM regexp_matches(${text}, '${joinablePattern}', 'g') AS found),
    (SELECT string_agg(found[1] || ' ' || found[2], ' ') FROM regexp_matches(${text}, '${divisiblePattern}', 'g') AS found))))`

/** The words of a query as one text search configuration parses them. */
export interface ParsedWords {
  configuration: string
  /** Of all words but stop words, and of their other spellings. */
  lexemes: { lexeme: string; occurrences: number }[]
  /** Of the parts of the query that consist of stop words. */
  stopLexemes: string[]
  hasOnlyStopWords: boolean
  /** Lexemes of the words only. */
  wordLexemes: string[]
  /** Lexemes of the last word, which may be incomplete. */
  lastWordLexemes: string[]
  /** The last word in lower case without accents; null if it is complete. */
  prefix: string | null
  /** Lexemes of each word form; empty for a stop word, unless the query has no other words. */
  formLexemes: string[][]
}

/** The words of a query, without those that are written without spaces. */
export interface WordsToParse {
  /** The phrases of the query and what is between them, in order. */
  parts: readonly string[]
  /** Other spellings of words with symbols. */
  symbolicWords: readonly string[]
  /** The last word, if it may be incomplete. */
  prefix: string | null
  /** Single words. */
  forms: readonly string[]
}

/** Parses the words of a query in several text search configurations. */
export function parseWords(
  query: Query,
  configurations: readonly string[],
  { parts, symbolicWords, prefix, forms }: WordsToParse,
): Promise<ParsedWords[]> {
  return query<ParsedWords>(
    `SELECT configuration, has_only_stop_words, lower(public.unaccent($3::text)) AS prefix,
            tsvector_to_array(${toTsvector('preferred', `coalesce($3, '')`)}) AS last_word_lexemes,
            ARRAY (SELECT DISTINCT unnest(tsvector_to_array(${toTsvector('configuration', 'part')}))
                     FROM unnest(${writtenParts}) AS part) AS word_lexemes,
            (SELECT coalesce(json_agg(json_build_object('lexeme', lexeme, 'occurrences', occurrences)
                                      ORDER BY nth, position), '[]')
               FROM (SELECT lexeme, sum(cardinality(positions)) AS occurrences, min(nth) AS nth,
                            min(positions[1]) AS position
                       FROM unnest(${writtenParts} || $5::text) WITH ORDINALITY AS given (part, nth)
                      CROSS JOIN LATERAL unnest(${toTsvectorOfSpellings(significant, 'part')}) GROUP BY lexeme
                    ) AS found) AS lexemes,
            ARRAY (SELECT DISTINCT unnest(tsvector_to_array(${toTsvector('configuration', 'part')}))
                     FROM unnest(${writtenParts}) AS part WHERE ${isStopWords('part')}) AS stop_lexemes,
            (SELECT coalesce(json_agg(tsvector_to_array(${toTsvector('preferred', 'form')}) ORDER BY nth), '[]')
               FROM unnest(${hideFromPlanner('$4::text[]')}) WITH ORDINALITY AS written (form, nth)) AS form_lexemes
       FROM unnest(${hideFromPlanner('$1::text[]')}) AS configuration
      CROSS JOIN LATERAL (
        SELECT has_only_stop_words, CASE WHEN has_only_stop_words THEN configuration ELSE ${significant} END AS preferred
          FROM (SELECT coalesce(bool_and(${isStopWords('part')}), true) AS has_only_stop_words
                  FROM unnest(${writtenParts}) AS part) AS parts
      ) AS chosen`,
    [configurations, parts, prefix, forms, symbolicWords.join(' ')],
    'parse_search_words',
  )
}

/** Returns true if a text has only stop words in every configuration. */
export async function hasOnlyStopWords(
  query: Query,
  configurations: readonly string[],
  text: string,
): Promise<boolean> {
  const [found] = await query<{ areAll: boolean }>(
    `SELECT coalesce(bool_and(${isStopWords('$2')}), true) AS are_all FROM unnest($1::text[]) AS configuration`,
    [configurations, text],
  )
  return found?.areAll === true
}

const significant = withoutStopWords('configuration')
const writtenParts = hideFromPlanner('$2::text[]')
const isStopWords = (part: string) => `${toTsvector(significant, part)} = ''`
