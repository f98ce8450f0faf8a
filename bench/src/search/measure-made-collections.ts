import type { TestFleet } from '@wp/testkit'
import { Client } from 'pg'
import { toTsvector, toTsvectorOfSpellings } from '../../../services/data/src/store/search/text/text-parsing.ts'
import { report } from '../harness/report.ts'
import { searchVariants, titleVariants } from './ablation.ts'
import type { Collection } from './collection.ts'
import { createInProcessSearch, type SearchVariant } from './in-process-search.ts'
import { madeCollections } from './made/made-collections.ts'
import { measureRankingQuality, type RankingQuality } from './ranking-quality.ts'
import { rankByReferenceBm25 } from './reference-bm25.ts'
import { recordsOf, upload } from './upload.ts'

/** BM25 by the book, over the words of PostgreSQL, and over those of the service. */
const references: Readonly<Record<string, ((text: string) => string) | undefined>> = {
  'reference BM25': undefined,
  'reference BM25, words split': (text) => toTsvector(configuration, text),
  'reference BM25, words and spellings': (text) => toTsvectorOfSpellings(configuration, text),
}
const configuration = `'public.search_english'`

/** The ids of the ranked documents of each question, by method. */
type Rankings = Map<string, string[][]>

/**
 * Measures what each part of the ranking earns on made collections of each kind. Prints one table by method, and one by
 * the style of the questions.
 */
export async function measureMadeCollections(fleet: TestFleet, seeds: readonly number[]): Promise<void> {
  const client = new Client({ connectionString: fleet.databases.get('data')?.adminUrl })
  await client.connect()
  const measured: { kind: string; collection: Collection; rankings: Rankings }[] = []
  for (const [kind, make] of Object.entries(madeCollections))
    for (const seed of seeds) {
      const collection = make(seed)
      const rankings = await rankByAllMethods(fleet, client, `${kind}-${seed}`, collection)
      measured.push({ kind, collection, rankings })
    }
  await client.end()
  const methods = [...(measured[0]?.rankings.keys() ?? [])]
  const kinds = Object.keys(madeCollections)
  const qualityOf = (kind: string, method: string, style?: string): RankingQuality =>
    measureRankingQuality(
      measured
        .filter((entry) => entry.kind === kind)
        .flatMap(({ collection, rankings }) =>
          collection.questions.map((question, nth) => ({ ...question, ranked: rankings.get(method)?.[nth] ?? [] })),
        )
        .filter((question) => style === undefined || question.style === style),
    )
  report('search-quality-by-style', rowsByStyle(measured, qualityOf), { seeds })
  report(
    'search-quality-made',
    methods.map((method) => {
      const qualities = kinds.map((kind) => [kind, qualityOf(kind, method)] as const)
      return {
        method,
        ...Object.fromEntries(qualities.map(([kind, quality]) => [kind, quality['nDCG@10']])),
        mean: qualities.reduce((sum, [, quality]) => sum + quality['nDCG@10'], 0) / kinds.length,
        ...Object.fromEntries(qualities.map(([kind, quality]) => [`${kind} recall@100`, quality['recall@100']])),
      }
    }),
    { seeds, documents: measured.map(({ collection }) => collection.documents.length) },
  )
}

function rowsByStyle(
  measured: readonly { kind: string; collection: Collection }[],
  qualityOf: (kind: string, method: string, style?: string) => RankingQuality,
) {
  const styles = new Map(
    measured.flatMap(({ kind, collection }) =>
      collection.questions.map(({ style = '' }) => [`${kind}: ${style}`, { kind, style }] as const),
    ),
  )
  return [...styles].map(([questions, { kind, style }]) => ({
    questions,
    ...Object.fromEntries(
      [...Object.keys(references), ...Object.keys(searchVariants)].map((method) => [
        method,
        qualityOf(kind, method, style)['nDCG@10'],
      ]),
    ),
  }))
}

async function rankByAllMethods(
  fleet: TestFleet,
  client: Client,
  name: string,
  collection: Collection,
): Promise<Rankings> {
  const rankings: Rankings = new Map()
  for (const [method, parseText] of Object.entries(references))
    rankings.set(method, await rankByReferenceBm25(client, collection, parseText))
  const rankAll = async (documents: Collection['documents'], variants: Readonly<Record<string, SearchVariant>>) => {
    const workspace = await fleet.seed(`${name}-${rankings.size}`)
    await upload(fleet, workspace.apiKey, recordsOf(documents))
    const search = await createInProcessSearch(client, workspace.workspaceId)
    for (const [method, variant] of Object.entries(variants)) {
      const ranked: string[][] = []
      for (const { text } of collection.questions) ranked.push(await search(text, variant))
      rankings.set(method, ranked)
    }
  }
  await rankAll(collection.documents, searchVariants)
  for (const [method, change] of Object.entries(titleVariants))
    await rankAll(change(collection.documents), { [method]: {} })
  return rankings
}
