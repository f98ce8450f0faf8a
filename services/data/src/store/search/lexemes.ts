import type { Query } from '@wp/database'

const maxExpansions = 32
/** Limits the cost of a short prefix in a large index. */
const maxExpansionRows = 5_000

/** Returns lexemes that start with a prefix, most frequent first. */
export async function expandPrefix(query: Query, indexIds: readonly number[], prefix: string): Promise<string[]> {
  const rows = await query<{ lexeme: string }>(
    `SELECT lexeme FROM (
       SELECT lexeme, octet_length(postings) AS bytes FROM search_postings
        WHERE index_id = ANY ($1::integer[]) AND lexeme >= $2 AND lexeme < $2 || U&'\\+10FFFF' LIMIT ${maxExpansionRows}
     ) AS matching GROUP BY lexeme ORDER BY sum(bytes) DESC, lexeme LIMIT ${maxExpansions}`,
    [indexIds, prefix],
  )
  return rows.map(({ lexeme }) => lexeme)
}

const maxSimilar = 3
/** Trigram similarity, 0 to 1. */
const minSimilarity = 0.35
const maxComparedLexemes = 200_000

/**
 * Returns lexemes spelled like another, most similar first. Lexemes with the same first letter are tried first, all
 * others only if none of them matches.
 */
export async function findSimilarLexemes(query: Query, indexIds: readonly number[], lexeme: string): Promise<string[]> {
  const [firstLetter = ''] = lexeme
  const findAmong = (condition: string) =>
    query<{ lexeme: string }>(
      `SELECT lexeme FROM (
         SELECT DISTINCT lexeme FROM search_postings
          WHERE index_id = ANY ($1::integer[]) ${condition} LIMIT ${maxComparedLexemes}
       ) AS known
        WHERE public.similarity(lexeme, $2) >= ${minSimilarity}
        ORDER BY public.similarity(lexeme, $2) DESC, lexeme LIMIT ${maxSimilar}`,
      [indexIds, lexeme, firstLetter],
    )
  const sameLetter = await findAmong(`AND lexeme >= $3 AND lexeme < $3 || U&'\\+10FFFF'`)
  const similar = sameLetter.length > 0 ? sameLetter : await findAmong(`AND NOT starts_with(lexeme, $3)`)
  return similar.map(({ lexeme: other }) => other)
}

/** Lower than maxComparedLexemes, because other words of the query already match. */
const maxCorrectionLexemes = 10_000
const maxCandidates = 16
const minCandidateSimilarity = 0.2

/** Returns, for each lexeme, similar ones with the same first two letters and at most two letters more or fewer. */
export async function findCorrectionCandidates(
  query: Query,
  indexIds: readonly number[],
  lexemes: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await query<{ mistyped: string; candidates: string[] }>(
    `SELECT mistyped, ARRAY (
       SELECT lexeme FROM (
         SELECT DISTINCT lexeme FROM search_postings
          WHERE index_id = ANY ($1::integer[]) AND lexeme >= left(mistyped, 2)
            AND lexeme < left(mistyped, 2) || U&'\\+10FFFF' LIMIT ${maxCorrectionLexemes}
       ) AS known
        WHERE abs(length(lexeme) - length(mistyped)) <= 2 AND lexeme <> mistyped
          AND public.similarity(lexeme, mistyped) >= ${minCandidateSimilarity}
        ORDER BY public.similarity(lexeme, mistyped) DESC, lexeme LIMIT ${maxCandidates}
     ) AS candidates FROM unnest($2::text[]) AS mistyped`,
    [indexIds, lexemes],
  )
  return new Map(rows.map(({ mistyped, candidates }) => [mistyped, candidates]))
}
