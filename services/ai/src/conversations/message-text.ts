import { invalidField, type Message } from '@wp/contracts'
import { estimateTokens } from '../models/usage.ts'
import { summaryTokens } from './plan-history.ts'

/** A message with its text. */
export interface TextMessage {
  /** As the client sent it. */
  id: string | undefined
  role: 'user' | 'assistant' | 'system'
  content: string
}

/**
 * Returns the messages of a request with their text, without empty ones. The last one must be of the user, and short
 * enough that a model can be sent it.
 * @param contextTokens tokens of a conversation that a model is sent at most
 * @throws Problem `validation_failed`
 */
export function toTextMessages(messages: readonly Message[], contextTokens: number): [...TextMessage[], TextMessage] {
  const texts = messages.map(({ id, role, content, parts = [] }) => ({
    id,
    role,
    content: content ?? joinParts(parts),
  }))
  const last = texts.at(-1)
  const pointer = `/messages/${texts.length - 1}`
  if (last === undefined || last.role !== 'user')
    throw invalidField(`${pointer}/role`, 'must be user: the last message is the one to answer')
  if (last.content.trim() === '') throw invalidField(pointer, 'must have text')
  const maxTokens = contextTokens - summaryTokens(contextTokens)
  if (estimateTokens(last.content.length) > maxTokens)
    throw invalidField(pointer, `must be shorter: a model is sent about ${maxTokens * 4} characters at most`)
  return [...texts.slice(0, -1).filter(({ content }) => content.trim() !== ''), last]
}

const joinParts = (parts: NonNullable<Message['parts']>): string =>
  parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : [])).join('\n')
