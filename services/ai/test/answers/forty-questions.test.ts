import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createBuiltInTool } from '../../src/tools/built-in-tools.ts'
import { startToolsHarness, type ToolsHarness } from '../tools/harness.ts'
import { type Asked, askLocalModel } from './ask-local-model.ts'

const Questions = z.array(z.object({ question: z.string(), answer: z.array(z.string()), cited: z.array(z.string()) }))
type Question = z.infer<typeof Questions>[number]

const file = (name: string) => readFile(join(import.meta.dirname, name), 'utf8')

/** Floors are slightly below what is reached, so that an improvement elsewhere may cost one answer. */
const sets = [
  { file: 'questions.json', count: 40, minRight: 37, minCited: 38 },
  // Written after the rules, which are not corrected with them.
  { file: 'held-out.json', count: 16, minRight: 12, minCited: 12 },
]

const isRight = ({ answer }: Question, asked: Asked) => answer.every((part) => asked.answer.includes(part))
const isCited = ({ cited }: Question, asked: Asked) => cited.toSorted().join() === asked.cited.toSorted().join()

describe('the local model', () => {
  let harness: ToolsHarness
  beforeAll(async () => {
    harness = await startToolsHarness(['auth', 'data'])
    for (const [name, path] of [
      ['Occupancy', 'occupancy.csv'],
      ['Contracts', 'contracts.csv'],
      ['Policies', 'policies.csv'],
    ] as const)
      await harness.createSource(name, await file(path), {
        config: { key: 'id', ...(name === 'Occupancy' ? {} : { title_field: 'title' }) },
      })
  })
  afterAll(() => harness.stop())

  it.each(sets)('answers and cites most of $file right', async ({ file: name, count, minRight, minCited }) => {
    const questions = Questions.parse(JSON.parse(await file(name)))
    const tools = (['list_sources', 'search_data', 'aggregate_records', 'read_record'] as const).map((name) =>
      createBuiltInTool(name, harness.internal),
    )
    const results: { question: Question; asked: Asked }[] = []
    for (const question of questions)
      results.push({ question, asked: await askLocalModel(question.question, tools, harness.call()) })
    const right = results.filter(({ question, asked }) => isRight(question, asked))
    const cited = results.filter(({ question, asked }) => isCited(question, asked))
    process.stdout.write(`local model: ${right.length} of ${results.length} right, ${cited.length} cited right\n`)
    for (const { question, asked } of results)
      if (!isRight(question, asked) || !isCited(question, asked))
        process.stdout.write(`- ${question.question}\n    ${asked.answer.slice(0, 300)} (${asked.cited.join(', ')})\n`)
    expect(results).toHaveLength(count)
    expect(right.length).toBeGreaterThanOrEqual(minRight)
    expect(cited.length).toBeGreaterThanOrEqual(minCited)
  })
})
