import type { Query } from '@wp/database'

const maxExpansions = 32
/** Rows looked at for them, so that a short beginning in a large index stays cheap. */
const maxExpansionRows = 5_000

/** Lexemes that go on from a beginning, the most frequent first. */
export async function expandPrefix(query: Query, indexIds: readonly number[], beginning: string): Promise<string[]> {
  const rows = await query<{ lexeme: string }>(
    `SELECT lexeme FROM (
       SELECT lexeme, octet_length(postings) AS bytes FROM search_postings
        WHERE index_id = ANY ($1::integer[]) AND lexeme >= $2 AND lexeme < $2 || U&'\\+10FFFF' LIMIT ${maxExpansionRows}
     ) AS begun GROUP BY lexeme ORDER BY sum(bytes) DESC, lexeme LIMIT ${maxExpansions}`,
    [indexIds, beginning],
  )
  return rows.map(({ lexeme }) => lexeme)
}

const maxSimilar = 3
const minSimilarity = 0.35
/** Lexemes compared with a mistyped word. */
const maxComparedLexemes = 200_000

/** Lexemes that are spelled like another, the most alike first; those that begin alike are tried before all others. */
export async function findSimilarLexemes(query: Query, indexIds: readonly number[], lexeme: string): Promise<string[]> {
  const [first = ''] = lexeme
  const alike = (where: string) =>
    query<{ lexeme: string }>(
      `SELECT lexeme FROM (
         SELECT DISTINCT lexeme FROM search_postings
          WHERE index_id = ANY ($1::integer[]) ${where} LIMIT ${maxComparedLexemes}
       ) AS known
        WHERE public.similarity(lexeme, $2) >= ${minSimilarity}
        ORDER BY public.similarity(lexeme, $2) DESC, lexeme LIMIT ${maxSimilar}`,
      [indexIds, lexeme, first],
    )
  const found = await alike(`AND lexeme >= $3 AND lexeme < $3 || U&'\\+10FFFF'`)
  const all = found.length > 0 ? found : await alike(`AND NOT starts_with(lexeme, $3)`)
  return all.map(({ lexeme: other }) => other)
}

/** Lexemes compared with a mistyped word where other words are found. */
const maxCorrectionLexemes = 10_000
const maxCandidates = 16
const minCandidateSimilarity = 0.2

/** For each of some lexemes others that begin with the same two letters and are spelled like it, the most alike first. */
export async function findCorrectionCandidates(
  query: Query,
  indexIds: readonly number[],
  lexemes: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await query<{ mistyped: string; close: string[] }>(
    `SELECT mistyped, ARRAY (
       SELECT lexeme FROM (
         SELECT DISTINCT lexeme FROM search_postings
          WHERE index_id = ANY ($1::integer[]) AND lexeme >= left(mistyped, 2)
            AND lexeme < left(mistyped, 2) || U&'\\+10FFFF' LIMIT ${maxCorrectionLexemes}
       ) AS known
        WHERE abs(length(lexeme) - length(mistyped)) <= 2 AND lexeme <> mistyped
          AND public.similarity(lexeme, mistyped) >= ${minCandidateSimilarity}
        ORDER BY public.similarity(lexeme, mistyped) DESC, lexeme LIMIT ${maxCandidates}
     ) AS close FROM unnest($2::text[]) AS mistyped`,
    [indexIds, lexemes],
  )
  return new Map(rows.map(({ mistyped, close }) => [mistyped, close]))
}
