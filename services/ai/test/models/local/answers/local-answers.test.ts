import { describe, expect, it } from '@jest/globals'
import { askLocalModel } from '../../../answers/ask-local-model.ts'
import { freshQuestions, freshSources } from './fresh-questions.ts'
import { createMemoryTools, type MemorySource } from './memory-tools.ts'
import { misleadingQuestions } from './misleading-questions.ts'
import { otherSources } from './other-sources.ts'
import {
  conditionQuestions,
  conditionSources,
  costQuestions,
  costSources,
  languageQuestions,
  languageSources,
} from './questions-of-conditions.ts'
import { exportQuestions, exportSources, narrowedQuestions } from './questions-of-exports.ts'
import { partQuestions, partSources } from './questions-of-parts.ts'
import { bookings, loans, readings, sales, staff, tickets } from './questions-of-tables.ts'
import { texts } from './questions-of-texts.ts'
import {
  countQuestions,
  countSources,
  roomQuestions,
  roomSources,
  swipeQuestions,
  swipeSources,
  visitQuestions,
  visitSources,
} from './questions-of-times.ts'
import { memorySources, today } from './sources.ts'
import type { TestQuestion } from './test-question.ts'
import { unplannedQuestions } from './unplanned-questions.ts'

const refusal = /^(?:The data do not answer this question|Die Daten beantworten diese Frage nicht)/

/** Returns how a question was answered. A refusal where there is an answer is not wrong, but counted. */
function judge({ answer, refusal: reason = '' }: TestQuestion, text: string): 'right' | 'refused' | 'wrong' {
  const isRefused = refusal.test(text)
  if (answer === undefined) return isRefused && text.toLowerCase().includes(reason.toLowerCase()) ? 'right' : 'wrong'
  if (isRefused) return 'refused'
  return answer.every((part) => text.includes(part)) ? 'right' : 'wrong'
}

async function askAll(sources: readonly MemorySource[], questions: readonly TestQuestion[]) {
  const { tools, call } = createMemoryTools(sources)
  const results: Record<ReturnType<typeof judge>, string[]> = { right: [], refused: [], wrong: [] }
  for (const question of questions) {
    const { answer } = await askLocalModel(question.question, tools, call, () => today)
    results[judge(question, answer)].push(`${question.question} → ${answer}`)
  }
  return results
}

describe('an answer without a model', () => {
  it.each([
    ['tickets', tickets],
    ['sales', sales],
    ['staff', staff],
    ['sensor readings', readings],
    ['loans', loans],
    ['bookings', bookings],
    ['texts', texts],
    ['misleading questions', misleadingQuestions],
  ])('is right or rightly refused: %s', async (_name, questions) => {
    const { refused, wrong } = await askAll(memorySources, questions)
    expect({ refused, wrong }).toEqual({ refused: [], wrong: [] })
  })

  it.each([
    ['counts of people', countSources, countQuestions],
    ['swipes', swipeSources, swipeQuestions],
    ['bookings in German', roomSources, roomQuestions],
    ['days', visitSources, visitQuestions],
    ['conditions and units', conditionSources, conditionQuestions],
    ['two questions, alternatives and shares', partSources, partQuestions],
    ['exports', exportSources, exportQuestions],
    ['languages', languageSources, languageQuestions],
    ['costs', costSources, costQuestions],
  ])('is right or rightly refused about times and conditions: %s', async (_name, sources, questions) => {
    const { refused, wrong } = await askAll(sources, questions)
    expect({ refused, wrong }).toEqual({ refused: [], wrong: [] })
  })

  it.each([
    ['unplanned', otherSources, unplannedQuestions, 90],
    ['fresh', freshSources, freshQuestions, 27],
  ])(
    'is never wrong on sources and questions that the rules were not made for: %s',
    async (_name, sources, questions, floor) => {
      const { right, refused, wrong } = await askAll(sources, questions)
      if (process.env.SHOW) console.log(_name, right.length, refused, wrong)
      expect(wrong).toEqual([])
      // A floor: a rule that refuses everything is of no use.
      expect(right.length).toBeGreaterThanOrEqual(floor)
    },
  )

  it.each(narrowedQuestions)('keeps the conditions of the question before: %s', async (followUp, ...parts) => {
    const { tools, call } = createMemoryTools(exportSources)
    const { answer } = await askLocalModel(followUp, tools, call, () => today, [
      'How many printer incidents are there?',
    ])
    for (const part of parts) expect(answer).toContain(part)
  })
})
