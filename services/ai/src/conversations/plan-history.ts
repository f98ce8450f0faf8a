import { estimateTokens } from '../models/usage.ts'

/** A message of a conversation, as a model is sent it. */
export interface HistoryMessage {
  seq: number
  role: 'user' | 'assistant' | 'system'
  content: string
}

export interface HistoryPlan {
  /** The oldest messages, which a summary replaces. Empty if all fit. */
  summarized: HistoryMessage[]
  /** The newest messages, which are sent. */
  kept: HistoryMessage[]
}

/** Tokens of a summary at most. */
export const summaryTokens = (contextTokens: number): number => Math.min(1_000, Math.floor(contextTokens / 8))

/** Estimates the tokens of messages; each has a few for its role. */
export const messageTokens = (messages: readonly { content: string }[]): number =>
  messages.reduce((sum, { content }) => sum + estimateTokens(content.length) + 4, 0)

/**
 * Decides which messages of a conversation a model is sent. If all do not fit, the newest ones that fill half of the
 * budget are kept, so that the next messages fit without another summary.
 * @param availableTokens budget of the messages and the summary together
 * @param reservedTokens size of a summary at most
 */
export function planHistory(
  messages: readonly HistoryMessage[],
  summary: string | null,
  { availableTokens, reservedTokens }: { availableTokens: number; reservedTokens: number },
): HistoryPlan {
  const used = messageTokens(messages) + (summary === null ? 0 : messageTokens([{ content: summary }]))
  if (used <= availableTokens) return { summarized: [], kept: [...messages] }
  const budget = (availableTokens - reservedTokens) / 2
  let first = messages.length
  for (let tokens = 0; first > 0; first -= 1) {
    tokens += messageTokens(messages.slice(first - 1, first))
    if (tokens > budget) break
  }
  return { summarized: messages.slice(0, first), kept: messages.slice(first) }
}
