import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Collection } from '../../../src/search/collection.ts'
import { madeCollections } from '../../../src/search/made/made-collections.ts'

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))

/** Compares faster than the objects. */
const textOf = ({ documents, questions }: Collection): string =>
  JSON.stringify([documents, questions.map(({ relevant, ...question }) => ({ ...question, relevant: [...relevant] }))])

describe.each(Object.entries(madeCollections))('the collection of %s', (_kind, make) => {
  let collection: Collection
  beforeAll(() => {
    collection = make(1)
  })
  const stylesOf = () => Map.groupBy(collection.questions, ({ style = '' }) => style)

  it('is the same for the same seed, and another one for another seed', () => {
    const other = make(2)
    expect(textOf(make(1)) === textOf(collection)).toBe(true)
    expect(other.documents.slice(0, 5)).not.toEqual(collection.documents.slice(0, 5))
  })

  it('has thousands of documents with unique ids, and 60 questions of each style', () => {
    expect(collection.documents.length).toBeGreaterThan(3_000)
    expect(new Set(collection.documents.map(({ id }) => id)).size).toBe(collection.documents.length)
    expect(stylesOf().size).toBeGreaterThanOrEqual(6)
    for (const questions of stylesOf().values()) expect(questions).toHaveLength(60)
    expect(new Set(collection.questions.map(({ id }) => id)).size).toBe(collection.questions.length)
  })

  it('has a relevant document for each question, and never more than a hundred', () => {
    const ids = new Set(collection.documents.map(({ id }) => id))
    for (const { relevant } of collection.questions) {
      expect(relevant.size).toBeGreaterThan(0)
      expect(relevant.size).toBeLessThan(100)
      expect([...relevant.keys()].every((id) => ids.has(id))).toBe(true)
      expect([...relevant.values()].every((grade) => grade > 0)).toBe(true)
    }
  })

  it('has many documents that share words with a question but are not relevant', () => {
    const idsByWord = new Map<string, string[]>()
    for (const { id, title, text } of collection.documents)
      for (const word of wordsOf(`${title} ${text}`)) {
        const ids = idsByWord.get(word) ?? []
        ids.push(id)
        idsByWord.set(word, ids)
      }
    const shares = collection.questions.map(({ text, relevant }) => {
      const ids = new Set([...wordsOf(text)].flatMap((word) => idsByWord.get(word) ?? []))
      return [...ids].filter((id) => !relevant.has(id)).length
    })
    const sorted = shares.toSorted((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 3)]).toBeGreaterThan(20)
  })

  it('has relevant documents that lack words of their question', () => {
    const documents = new Map(collection.documents.map(({ id, title, text }) => [id, wordsOf(`${title} ${text}`)]))
    const lacking = collection.questions.filter(({ text, relevant }) =>
      [...relevant.keys()].some((id) => [...wordsOf(text)].some((word) => !documents.get(id)?.has(word))),
    )
    expect(lacking.length).toBeGreaterThan(collection.questions.length / 2)
  })
})
