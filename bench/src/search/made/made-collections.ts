import type { Collection } from '../collection.ts'
import { askAboutAbstracts } from './abstracts/ask-about-abstracts.ts'
import { generateAbstracts } from './abstracts/generate-abstracts.ts'
import { askAboutDirectory } from './directory/ask-about-directory.ts'
import { generateDirectory } from './directory/generate-directory.ts'
import { askAboutTickets } from './tickets/ask-about-tickets.ts'
import { generateTickets } from './tickets/generate-tickets.ts'

/**
 * Makes test collections by kind. What is relevant follows from the facts of which a document was made: a study of a
 * finding, a report of a fault, a person with a duty. Words of the facts also occur in documents that state other ones.
 */
export const madeCollections: Readonly<Record<string, (seed: number) => Collection>> = {
  abstracts(seed) {
    const documents = generateAbstracts(seed)
    return { documents: withoutFacts(documents), questions: askAboutAbstracts(seed, documents) }
  },
  tickets(seed) {
    const documents = generateTickets(seed)
    return { documents: withoutFacts(documents), questions: askAboutTickets(seed, documents) }
  },
  directory(seed) {
    const directory = generateDirectory(seed)
    const documents = withoutFacts([...directory.people, ...directory.rooms])
    return { documents, questions: askAboutDirectory(seed, directory) }
  },
}

const withoutFacts = (documents: readonly Collection['documents'][number][]): Collection['documents'] =>
  documents.map(({ id, title, text }) => ({ id, title, text }))
