/** A test collection of information retrieval: documents, questions, and relevance judgements. */
export interface Collection {
  documents: { id: string; title: string; text: string }[]
  questions: Question[]
}

export interface Question {
  id: string
  text: string
  /** The grade of each relevant document by its id. */
  relevant: Map<string, number>
  /**
   * Relation of the wording of the question to that of the documents, for example `joined words`; of made collections.
   */
  style?: string
}
