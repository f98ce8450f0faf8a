import { readFileSync } from 'node:fs'

/** Documents, questions, and which document answers which question how well. */
export interface Collection {
  documents: { id: string; title: string; text: string }[]
  questions: { id: string; text: string; relevant: Map<string, number> }[]
}

type Json = Record<string, unknown>

/**
 * Reads a judged collection, a JSON object of
 * - `docs`: a list of `{id, title?, text}` or an object of those (or of texts) by id;
 * - `q`: likewise a list of `{id, text}` or an object of texts by id;
 * - `qr`: an object of `{<document>: <grade>}` or of lists of documents by question, or a list of
 *   `{query_id, doc_id, score}` or `[query, document, grade]`.
 * An id may also be called `_id`, `doc_id`, `query_id`; a question's text `query`.
 */
export function readCollection(file: string): Collection {
  const { docs, q, qr } = JSON.parse(readFileSync(file, 'utf8')) as Json // a judged collection, as above
  const judged = readJudgements(qr)
  return {
    documents: entries(docs).map(({ id, value }) => ({
      id,
      title: textOf(value, 'title'),
      text: textOf(value, 'text'),
    })),
    questions: entries(q).map(({ id, value }) => ({
      id,
      text: textOf(value, 'text') || textOf(value, 'query'),
      relevant: judged.get(id) ?? new Map(),
    })),
  }
}

function entries(value: unknown): { id: string; value: unknown }[] {
  if (Array.isArray(value)) return value.map((entry, place) => ({ id: idOf(entry) ?? String(place), value: entry }))
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
  const found = new Map<string, Map<string, number>>()
  const note = (question: string, document: string, grade: unknown) => {
    if (!(Number(grade) > 0)) return
    found.set(question, (found.get(question) ?? new Map<string, number>()).set(document, Number(grade)))
  }
  if (Array.isArray(value))
    for (const one of value) {
      if (Array.isArray(one)) note(String(one[0]), String(one[1]), one[2] ?? 1)
      else
        note(
          idOf(one, ['query_id', 'qid', 'q']) ?? '',
          idOf(one, ['doc_id', 'corpus_id', 'did', 'd']) ?? '',
          gradeOf(one),
        )
    }
  else
    for (const [question, documents] of Object.entries(asObject(value)))
      if (Array.isArray(documents)) for (const document of documents) note(question, String(document), 1)
      else for (const [document, grade] of Object.entries(asObject(documents))) note(question, document, grade)
  return found
}

const gradeOf = (value: unknown) => asObject(value).score ?? asObject(value).relevance ?? asObject(value).grade ?? 1
