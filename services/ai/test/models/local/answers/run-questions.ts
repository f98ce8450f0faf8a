import { askLocalModel } from '../../../answers/ask-local-model.ts'
import { createMemoryTools } from './memory-tools.ts'
import { questions } from './questions.ts'
import { memorySources, today } from './sources.ts'
const isRefusal = (answer: string) => /^(?:The data do not answer|Die Daten beantworten diese Frage nicht)/.test(answer)
const { tools, call } = createMemoryTools(memorySources)
const counts: Record<string, number> = { right: 0, refusedRight: 0, refused: 0, wrong: 0 }
const only = process.argv[2]
const list = only ? [{ question: only, answer: [] as string[], refusal: undefined }] : questions
for (const { question, answer, refusal } of list) {
  let asked
  try { asked = await askLocalModel(question, tools, call, () => today) } catch (e) { console.log('ERROR', question, e); continue }
  const refused = isRefusal(asked.answer)
  const ok = answer === undefined ? refused && asked.answer.toLowerCase().includes((refusal ?? '').toLowerCase()) : answer.every((p) => asked.answer.includes(p)) && !refused
  const kind = ok ? (refused ? 'refusedRight' : 'right') : refused ? 'refused' : 'wrong'
  counts[kind]!++
  if (!ok || process.env['ALL'] || only) console.log(`${kind.toUpperCase()} ${question}\n    ${asked.answer.slice(0, 400)}`)
}
console.log(JSON.stringify(counts))
