import { z } from 'zod'
import { maxMessageText } from '../agents/trigger-shapes.ts'
import { boundedArray } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { text } from '../core/shape/shape.ts'

const [maxMessages, maxParts] = [200, 100]

/** Part of a message in the format of the AI SDK. Parts that are not text, such as earlier tool calls, are ignored. */
const MessagePart = z.looseObject({ type: text(100), text: text(maxMessageText, 0).optional() })

/** A message: `content`, or `parts` as the AI SDK sends them. */
export const Message = z
  .strictObject({
    id: text(200).optional(),
    role: z.enum(['user', 'assistant', 'system']),
    content: text(maxMessageText, 0).optional(),
    parts: boundedArray(MessagePart, maxParts).optional(),
    metadata: z.unknown().optional().meta({ description: 'Ignored; the AI SDK sends it' }),
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
    index: z.int().meta({ description: 'The number of its marker in the text, `[1]`' }),
    record_id: id('rec'),
    data_source_id: id('src'),
    key: z.string(),
    title: z.string().nullable(),
    url: z.string().nullable(),
    snippet: z.string().nullable(),
  })
  .meta({ id: 'Citation' })
export type Citation = z.output<typeof Citation>

export const Usage = z
  .object({
    input_tokens: z.int(),
    output_tokens: z.int(),
    total_tokens: z.int(),
    estimated: z.boolean().meta({ description: 'True if the provider did not report all of it' }),
  })
  .meta({ id: 'Usage' })
export type Usage = z.output<typeof Usage>
