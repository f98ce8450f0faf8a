/** A question with the parts of its right answer, or with a word of the reason why there is none. */
export interface TestQuestion {
  question: string
  answer?: string[]
  refusal?: string
}

export const right = (question: string, ...answer: string[]): TestQuestion => ({ question, answer })
export const none = (question: string, refusal = ''): TestQuestion => ({ question, refusal })
