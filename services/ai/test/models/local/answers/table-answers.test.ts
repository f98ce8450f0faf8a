import { describe, expect, it } from '@jest/globals'
import { askLocalModel } from '../../../answers/ask-local-model.ts'
import { createMemoryTools } from './memory-tools.ts'
import { questions } from './questions.ts'
import { memorySources, today } from './sources.ts'

const isRefusal = (answer: string) => /^(?:The data do not answer|Die Daten beantworten diese Frage nicht)/.test(answer)

describe('answers without a model', () => {
  it('are right or refused, and never wrong', async () => {
    const { tools, call } = createMemoryTools(memorySources)
    const counts = { right: 0, refusedRight: 0, refused: 0, wrong: 0 }
    for (const { question, answer, refusal } of questions) {
      const asked = await askLocalModel(question, tools, call, () => today)
      const refused = isRefusal(asked.answer)
      const isRight = answer === undefined ? refused && asked.answer.toLowerCase().includes((refusal ?? '').toLowerCase()) : answer.every((part) => asked.answer.includes(part)) && !refused
      const kind = isRight ? (refused ? 'refusedRight' : 'right') : refused ? 'refused' : 'wrong'
      counts[kind]++
      if (!isRight || process.env['ALL']) process.stdout.write(`${kind.toUpperCase()} ${question}\n    ${asked.answer.slice(0, 400)}\n`)
    }
    process.stdout.write(`local model: ${JSON.stringify(counts)}\n`)
    expect(counts.wrong).toBe(0)
  })
})
