import { rankingPolicy } from '../../../services/data/src/search/rank/ranking-policy.ts'
import type { Collection } from './collection.ts'
import type { SearchVariant } from './in-process-search.ts'

/** The search with one part switched off or changed. */
export const searchVariants: Readonly<Record<string, SearchVariant>> = {
  search: {},
  'without proximity boost': { policy: { formWeight: 0, pairWeight: 0 } },
  'without exact forms': { policy: { formWeight: 0 } },
  'without pairs': { policy: { pairWeight: 0 } },
  'without spelling correction': { policy: { maxCorrectedWords: 0, maxRespelledWords: 0 } },
  'without completion of the last word': { completesLastWord: false },
  'k1 0.9, b 0.4': { policy: { k1: 0.9, b: 0.4 } },
  'k1 1.5': { policy: { k1: 1.5 } },
  'b 0.5': { policy: { b: 0.5 } },
  'twice the proximity boost': {
    policy: { formWeight: 2 * rankingPolicy.formWeight, pairWeight: 2 * rankingPolicy.pairWeight },
  },
}

type Documents = Collection['documents']

/** The documents so that words of the title count otherwise than twice. */
export const titleVariants: Readonly<Record<string, (documents: Documents) => Documents>> = {
  'title once': (documents) => documents.map(({ id, title, text }) => ({ id, title: '', text: `${title}\n${text}` })),
  'title three times': (documents) =>
    documents.map(({ id, title, text }) => ({ id, title, text: `${title}\n${text}` })),
}
