import type { ai, InputOf, Message } from '@wp/contracts'
import type { RunMessage } from './run-input.ts'

type Body = Pick<InputOf<typeof ai.runAgent>['body'], 'input' | 'messages'>

/** Returns the messages of a request; an object as input is one message of JSON. */
export function messagesOf({ input, messages = [] }: Body): RunMessage[] {
  if (input === undefined) return messages.map(toRunMessage)
  return [{ role: 'user', content: typeof input === 'string' ? input : JSON.stringify(input) }]
}

/** Returns the `input` as the API shows it: the text of the last message if messages were sent. */
export const shownInput = ({ input, messages = [] }: Body): unknown =>
  input ?? (messages.length === 0 ? '' : textOf(messages[messages.length - 1]))

/** Returns a message with its text; other parts are left out. */
export const toRunMessage = (message: Message): RunMessage => ({ role: message.role, content: textOf(message) })

const textOf = (message: Message | undefined): string =>
  message?.content ?? (message?.parts ?? []).map(({ type, text }) => (type === 'text' ? (text ?? '') : '')).join('')
