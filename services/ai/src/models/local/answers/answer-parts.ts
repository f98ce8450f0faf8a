import { normalizeQuestion } from '../language/normalize-question.ts'
import { type Word, wordsOf } from '../language/words.ts'
import { type Query, Refusal } from '../query/query.ts'
import { answerQuery } from './answer-query.ts'
import { type AnswerSteps, together } from './answer-steps.ts'
import { type Asked, queryOf, type Reading, rescore } from './answer-tables.ts'

const asking = 'how (?:many|much|long)|which|what|who|when|wie ?(?:viele?|lange)|welche[nmrs]?|was|wer|wann'
const twoQuestions = new RegExp(String.raw`^(.*\S),? (?:and|und) ((?:${asking}) .*)$`, 'i')
const comparisons = [
  /^(.*\S),? (?:compared (?:to|with)|versus|vs\.?|im vergleich zu[mr]?|verglichen mit) (.*)$/i,
  /^\W*(?:compare|vergleiche?) (.*\S) (?:and|with|to|und|mit) (.*)$/i,
]

/** Parts of a question, each as the turns of a conversation. */
interface Parts {
  turns: Word[][][]
  /** True for two that differ in one period or value. */
  isComparison: boolean
}

/** Splits two questions in one, and the two sides of a comparison; undefined of a single question. */
export function partsOf(question: string): Parts | undefined {
  const [, first, second] = twoQuestions.exec(question) ?? []
  const wordsIn = (text: string) => wordsOf(normalizeQuestion(text))
  if (first !== undefined && second !== undefined)
    return { turns: [[wordsIn(first)], [wordsIn(second)]], isComparison: false }
  const [, one, other] = comparisons.map((pattern) => pattern.exec(question)).find((found) => found !== null) ?? []
  if (one === undefined || other === undefined) return undefined
  return { turns: [[wordsIn(one)], [wordsIn(one), wordsIn(`and ${other}`)]], isComparison: true }
}

/**
 * Answers each part on its own. A part that names no source is about that of the part before.
 * @throws Refusal if one has no answer, or if what is compared differs in more than one condition
 */
export function* answerParts(parts: Parts, readings: readonly Reading[], asked: Asked): AnswerSteps {
  const queries: Query[] = []
  for (const turns of parts.turns) {
    const words = turns.flat()
    const scored = rescore(readings, words, asked.language)
    const before = queries.at(-1)?.source
    const isOwn = before === undefined || scored.some(({ isNamed }) => isNamed)
    const fitting = isOwn ? scored : scored.filter(({ source }) => source.id === before.id)
    queries.push(queryOf(fitting, { ...asked, words, turns }))
  }
  const [one, other] = queries
  if (parts.isComparison && one && other && !isSameShape(one, other))
    throw new Refusal(asked.say.inexpressible(asked.say.several))
  const answers = yield* together(queries.map((query) => answerQuery(query, asked.say)))
  return answers.join('\n')
}

/** Returns true if two queries have conditions on the same columns: all orders are not compared with those of May. */
function isSameShape(one: Query, other: Query): boolean {
  const shapeOf = ({ form, function: name, field, select, filters, unresolved, recurring, order }: Query) =>
    JSON.stringify([
      form,
      name,
      field,
      select,
      order,
      recurring === undefined,
      [...Object.keys(filters), ...unresolved.map(({ field: time }) => time)].toSorted(),
    ])
  return shapeOf(one) === shapeOf(other)
}
