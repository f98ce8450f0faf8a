import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A test collection of information retrieval: documents, questions, and relevance judgements. */
export interface Collection {
  documents: { id: string; title: string; text: string }[]
  questions: Question[]
}

interface Question {
  id: string
  text: string
  /** The grade of each relevant document by its id. */
  relevant: Map<string, number>
}

/**
 * Reads a test collection in the format of BEIR (https://github.com/beir-cellar/beir): `corpus.jsonl` with `_id`,
 * `title` and `text` of a document on each line, `queries.jsonl` with `_id` and `text`, and the judgements in
 * `qrels/test.tsv`, tab-separated lines of query, document and grade below a header. Queries without a relevant
 * document are left out, as their measures are undefined.
 *
 * @throws Error with file and line if a line has another form, or a judgement names an unknown query or document
 */
export function readBeirCollection(folder: string): Collection {
  const documents = readLines(join(folder, 'corpus.jsonl'), parseEntry)
  const queries = readLines(join(folder, 'queries.jsonl'), parseEntry)
  const relevant = new Map(queries.map(({ id }) => [id, new Map<string, number>()]))
  const known = new Set(documents.map(({ id }) => id))
  const [, ...judgements] = readLines(join(folder, 'qrels/test.tsv'), (line) => line.split('\t'))
  for (const [query = '', document = '', grade] of judgements) {
    const grades = relevant.get(query)
    if (grades === undefined || !known.has(document))
      throw new Error(`qrels/test.tsv judges document ${document} for query ${query}, one of which does not exist`)
    if (Number(grade) > 0) grades.set(document, Number(grade))
  }
  return {
    documents,
    questions: queries.flatMap(({ id, text }) => {
      const grades = relevant.get(id)
      return grades === undefined || grades.size === 0 ? [] : [{ id, text, relevant: grades }]
    }),
  }
}

/** Calls `parse` with each line that is not empty. */
function readLines<T>(file: string, parse: (line: string) => T): T[] {
  return readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      try {
        return [parse(line)]
      } catch (error) {
        throw new Error(`${file}, line ${index + 1}: ${error instanceof Error ? error.message : error}`)
      }
    })
}

function parseEntry(line: string): { id: string; title: string; text: string } {
  const entry: unknown = JSON.parse(line)
  if (typeof entry !== 'object' || entry === null || !('_id' in entry))
    throw new Error('an object with `_id` is required')
  const { _id: id, title = '', text }: { _id: unknown; title?: unknown; text?: unknown } = entry
  if (typeof text !== 'string' || typeof title !== 'string') throw new Error('`text` and `title` must be strings')
  return { id: String(id), title, text }
}

const languages = ['en', 'de', 'fr'] as const
/** One matter in each language: a record, and a question in other words. */
type Topic = Record<(typeof languages)[number], readonly [title: string, text: string, question: string]>

/**
 * Reads a made collection: each topic is a record in three languages, and asked for in each of them. A record in the
 * language of the question is what a reader wants most.
 */
export function readMultilingualCollection(): Collection {
  const file = join(import.meta.dirname, 'multilingual-topics.jsonl')
  const entries = readLines(file, (line): Topic => JSON.parse(line)).flatMap((topic, nth) =>
    languages.map((language) => {
      const [title, text, question] = topic[language]
      const relevant = languages.map((other) => [`${nth}-${other}`, other === language ? 2 : 1] as const)
      return { id: `${nth}-${language}`, title, text, question, relevant: new Map(relevant) }
    }),
  )
  return {
    documents: entries.map(({ id, title, text }) => ({ id, title, text })),
    questions: entries.map(({ id, question, relevant }) => ({ id, text: question, relevant })),
  }
}
