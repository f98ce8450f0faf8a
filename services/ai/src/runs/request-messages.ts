import type { ai, InputOf } from '@wp/contracts'
import { type TextMessage, toTextMessages } from '../conversations/message-text.ts'

type Body = Pick<InputOf<typeof ai.runAgent>['body'], 'input' | 'messages'>

/**
 * Returns the messages of a request; an object as input is one message of JSON.
 * @param contextTokens tokens that a model is sent at most
 * @throws Problem `validation_failed`
 */
export function requestMessages({ input, messages }: Body, contextTokens: number): [...TextMessage[], TextMessage] {
  if (messages !== undefined) return toTextMessages(messages, contextTokens)
  return [{ id: undefined, role: 'user', content: typeof input === 'string' ? input : JSON.stringify(input) }]
}
