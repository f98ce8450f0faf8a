import { z } from 'zod'
import { maxMessageText } from '../agents/trigger-shapes.ts'
import { boundedArray } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { text } from '../core/shape/shape.ts'

const [maxMessages, maxParts] = [200, 100]

/** Part of a message in the format of the AI SDK. Parts that are not text, such as earlier tool calls, are ignored. */
const MessagePart = z.looseObject({
  type: text(100).describe('Kind of the part; the text of parts of the kind `text` is read, others are ignored'),
  text: text(maxMessageText, 0).optional().describe('Text of the part'),
})

/** A message: `content`, or `parts` as the AI SDK sends them. */
export const Message = z
  .strictObject({
    id: text(200).optional().describe('Identifier of the message at the client'),
    role: z
      .enum(['user', 'assistant', 'system'])
      .describe('Author of the message: the `user`, the model (`assistant`) or the application (`system`)'),
    content: text(maxMessageText, 0).optional().describe('The text; send either this or `parts`'),
    parts: boundedArray(MessagePart, maxParts)
      .optional()
      .describe('Parts of the text, as the AI SDK sends them; send either these or `content`'),
    metadata: z.unknown().optional().describe('Ignored; the AI SDK sends it'),
  })
  .refine(({ content, parts }) => (content === undefined) !== (parts === undefined), {
    path: ['content'],
    message: 'send either content or parts',
  })
  .meta({ id: 'Message' })
export type Message = z.output<typeof Message>

/** The messages of a request. */
export const messages = () => boundedArray(Message, maxMessages, { min: 1 })

/** A source of an answer: a record that a tool of the run returned. */
export const Citation = z
  .object({
    index: z.int().describe('The number of its marker in the text, `[1]`'),
    record_id: id('rec'),
    data_source_id: id('src'),
    key: z.string().describe('Key of the record in its data source'),
    title: z.string().nullable().describe('Title of the record; null if it has none'),
    url: z.string().nullable().describe('Address of the original; null if it has none'),
    snippet: z.string().nullable().describe('Part of the record that the answer relies on; null if there is none'),
  })
  .meta({ id: 'Citation' })
export type Citation = z.output<typeof Citation>

export const Usage = z
  .object({
    input_tokens: z.int().describe('Tokens that the model read'),
    output_tokens: z.int().describe('Tokens that the model wrote'),
    total_tokens: z.int().describe('Sum of both'),
    estimated: z.boolean().describe('True if the provider did not report all of it'),
  })
  .meta({ id: 'Usage' })
export type Usage = z.output<typeof Usage>
