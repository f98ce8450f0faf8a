import { readReportedUsage } from './reported-usage.ts'

/**
 * Replaces the use in a response by what is valid of it, because the AI SDK rejects a whole answer whose use has
 * another shape. A response is a JSON document, or a stream of events with one document a line; everything else is left
 * as it is.
 */
export async function* repairUsage(body: AsyncIterable<Uint8Array>, isStream: boolean): AsyncGenerator<Uint8Array> {
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
    yield encoder.encode(complete.map((line) => `${repairLine(line)}\n`).join(''))
  }
  const end = parts.join('') + decoder.decode()
  if (end !== '') yield encoder.encode(isStream ? repairLine(end) : repairDocument(end))
}

function repairLine(line: string): string {
  const [, field, text] = /^(data: ?)(.*?)\r?$/s.exec(line) ?? []
  return field === undefined || text === undefined ? line : `${field}${repairDocument(text)}`
}

function repairDocument(text: string): string {
  // Most chunks report no use and stay as they are.
  if (!text.includes('"usage"')) return text
  try {
    const document: unknown = JSON.parse(text)
    if (typeof document !== 'object' || document === null || !('usage' in document)) return text
    return JSON.stringify({ ...document, usage: readReportedUsage(document.usage) })
  } catch {
    return text
  }
}
