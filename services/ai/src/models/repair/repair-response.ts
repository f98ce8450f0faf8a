import { boundedArray } from '@wp/contracts'
import { z } from 'zod'
import { createDocumentRepair, type RepairDocument } from './repair-document.ts'

/**
 * Repairs the documents in a response before the AI SDK reads them, because it rejects a whole answer of which a member
 * has another shape, and takes some for complete that are not. A response is a JSON document, or a stream of events
 * with one document a line; everything else is left as it is.
 * @param secret is removed from error messages
 */
export async function* repairResponse(
  body: AsyncIterable<Uint8Array>,
  isStream: boolean,
  secret: string | undefined,
): AsyncGenerator<Uint8Array> {
  const repair = createDocumentRepair(secret)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  let parts: string[] = []
  for await (const chunk of body) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n')
    const rest = lines.pop() ?? ''
    if (!isStream || lines.length === 0) {
      parts.push(...lines.map((line) => `${line}\n`), rest)
      continue
    }
    const complete = [parts.join('') + lines[0], ...lines.slice(1)]
    parts = [rest]
    yield encoder.encode(complete.map((line) => `${repairLine(line, repair)}\n`).join(''))
  }
  const end = parts.join('') + decoder.decode()
  if (end !== '') yield encoder.encode(isStream ? repairLine(end, repair) : repairText(end, repair))
}

function repairLine(line: string, repair: RepairDocument): string {
  const [, field, text] = /^(data: ?)(.*?)\r?$/s.exec(line) ?? []
  return field === undefined || text === undefined ? line : `${field}${repairText(text, repair)}`
}

function repairText(text: string, repair: RepairDocument): string {
  const repaired = parse(text, repair)
  return repaired === undefined ? text : JSON.stringify(repaired)
}

/** Returns undefined for what is no JSON object. */
function parse(text: string, repair: RepairDocument): unknown {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    return repair(JSON.parse(text))
  } catch {
    return undefined
  }
}

/**
 * Returns the events of a stream for an answer that was sent as one document although a stream was requested, which
 * servers do that cannot stream.
 * @param onError is called with the message if the document is an error; must throw
 */
export function eventsOf(text: string, secret: string | undefined, onError: (message: string) => never): string {
  const repaired = Answer.safeParse(parse(text, createDocumentRepair(secret)))
  if (!repaired.success) return ''
  const { error, choices = [], ...others } = repaired.data
  if (error !== undefined) return onError(error.message)
  const chunks = choices.map(({ message, ...choice }) => ({ ...choice, delta: message }))
  return `data: ${JSON.stringify({ ...others, choices: chunks })}\n\n`
}

/** One is requested. */
const maxChoices = 10

const Answer = z.looseObject({
  error: z.object({ message: z.string() }).optional(),
  choices: boundedArray(z.looseObject({ message: z.unknown() }), maxChoices).optional(),
})
