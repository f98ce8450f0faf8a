/** A test collection of information retrieval: documents, questions, and relevance judgements. */
export interface Collection {
  documents: { id: string; title: string; text: string }[]
  /** `relevant` has the grade of each relevant document by its id. */
  questions: { id: string; text: string; relevant: Map<string, number> }[]
}
