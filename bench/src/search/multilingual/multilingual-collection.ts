import type { Collection } from '../beir-collection.ts'
import { topics } from './topics.ts'

const languages = ['en', 'de', 'fr'] as const
/** A record in the language of the question is what a reader wants most. */
const [sameLanguage, otherLanguage] = [2, 1]

/** A made collection: each topic is a record in three languages, and asked for in each of them. */
export function createMultilingualCollection(): Collection {
  const idOf = (topic: number, language: string) => `${topic}-${language}`
  return {
    documents: topics.flatMap((topic, nth) =>
      languages.map((language) => {
        const [title, text] = topic[language]
        return { id: idOf(nth, language), title, text }
      }),
    ),
    questions: topics.flatMap((topic, nth) =>
      languages.map((language) => ({
        id: idOf(nth, language),
        text: topic[language][2],
        relevant: new Map(
          languages.map((other) => [idOf(nth, other), other === language ? sameLanguage : otherLanguage]),
        ),
      })),
    ),
  }
}
