import { readFileSync, statSync } from 'node:fs'
import { readBeirCollection } from './beir-collection.ts'
import type { Collection } from './collection.ts'

type Json = Record<string, unknown>

/**
 * Reads a test collection from a folder in the format of BEIR, or from a file with a JSON object with these properties:
 * - `docs`: a list of `{id, title?, text}`, or an object of these or of texts by id
 * - `q`: a list of `{id, text}`, or an object of texts by id
 * - `qr`: an object of `{<document>: <grade>}` or of lists of documents by question, or a list of
 *   `{query_id, doc_id, score}` or of `[query, document, grade]`
 *
 * An id may also be named `_id`, `doc_id` or `query_id`, the text of a question `query`.
 */
export function readCollection(path: string): Collection {
  if (statSync(path).isDirectory()) return readBeirCollection(path)
  const { docs, q, qr } = JSON.parse(readFileSync(path, 'utf8')) as Json // in the format above
  const judgements = readJudgements(qr)
  return {
    documents: entries(docs).map(({ id, value }) => ({
      id,
      title: textOf(value, 'title'),
      text: textOf(value, 'text'),
    })),
    questions: entries(q).map(({ id, value }) => ({
      id,
      text: textOf(value, 'text') || textOf(value, 'query'),
      relevant: judgements.get(id) ?? new Map(),
    })),
  }
}

function entries(value: unknown): { id: string; value: unknown }[] {
  if (Array.isArray(value)) return value.map((entry, index) => ({ id: idOf(entry) ?? String(index), value: entry }))
  return Object.entries(asObject(value)).map(([id, entry]) => ({ id, value: entry }))
}

const asObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {})

function idOf(value: unknown, names = ['id', '_id', 'doc_id', 'query_id']): string | undefined {
  const object = asObject(value)
  const name = names.find((known) => object[known] !== undefined)
  return name === undefined ? undefined : String(object[name])
}

const textOf = (value: unknown, field: string): string => {
  const text = typeof value === 'string' ? (field === 'text' ? value : '') : asObject(value)[field]
  return typeof text === 'string' ? text : ''
}

function readJudgements(value: unknown): Map<string, Map<string, number>> {
  const judgements = new Map<string, Map<string, number>>()
  const add = (question: string, document: string, grade: unknown) => {
    if (!(Number(grade) > 0)) return
    judgements.set(question, (judgements.get(question) ?? new Map<string, number>()).set(document, Number(grade)))
  }
  if (Array.isArray(value))
    for (const judgement of value) {
      if (Array.isArray(judgement)) add(String(judgement[0]), String(judgement[1]), judgement[2] ?? 1)
      else
        add(
          idOf(judgement, ['query_id', 'qid', 'q']) ?? '',
          idOf(judgement, ['doc_id', 'corpus_id', 'did', 'd']) ?? '',
          gradeOf(judgement),
        )
    }
  else
    for (const [question, documents] of Object.entries(asObject(value)))
      if (Array.isArray(documents)) for (const document of documents) add(question, String(document), 1)
      else for (const [document, grade] of Object.entries(asObject(documents))) add(question, document, grade)
  return judgements
}

const gradeOf = (value: unknown) => asObject(value).score ?? asObject(value).relevance ?? asObject(value).grade ?? 1
