import type { HistoryMessage } from './plan-history.ts'

/** Longest part of a message in a summary, in characters. */
const maxPart = 300

const speakers = { user: 'User', assistant: 'Assistant', system: 'Instruction' } as const

/**
 * Summarizes messages without a language model: the first sentence of each, of the newest that fit after the earlier
 * summary, in their order.
 */
export function extractSummary(earlier: string | null, messages: readonly HistoryMessage[], maxLength: number): string {
  const lines = messages.map(({ role, content }) => `${speakers[role]}: ${firstSentence(content)}`)
  const earlierLines = earlier === null ? [] : earlier.split('\n')
  const kept: string[] = []
  let length = 0
  for (const line of [...earlierLines, ...lines].reverse()) {
    length += line.length + 1
    if (length > maxLength) break
    kept.unshift(line)
  }
  return kept.join('\n')
}

function firstSentence(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  const end = line.search(/[.!?](\s|$)/)
  const sentence = end === -1 ? line : line.slice(0, end + 1)
  return sentence.length > maxPart ? `${sentence.slice(0, maxPart)}…` : sentence
}
