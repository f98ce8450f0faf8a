import { z } from 'zod'

/** A tool call, or a part of one in a chunk, as servers send it. */
const WireCall = z.looseObject({
  index: z.number().nullish().catch(undefined),
  id: z.string().nullish().catch(undefined),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.unknown() }),
})
type WireCall = z.output<typeof WireCall>

interface OpenCall {
  wireIndex: number | undefined
  wireId: string | undefined
  name: string
  /** The arguments so far. */
  text: string
}

/**
 * Creates a function that gives each tool call of a response an index and an identifier of its own, and its arguments
 * as text. Servers leave out the index or the identifier, repeat both for parallel calls, and send the name again with
 * each part: taken literally, two calls become one, and the second is lost.
 */
export function createToolCallRepair(): (calls: readonly unknown[]) => unknown[] {
  const open: OpenCall[] = []
  const ids = new Set<string>()

  function repair(value: unknown): unknown {
    const parsed = WireCall.safeParse(value)
    if (!parsed.success) return value
    const { data: call } = parsed
    const name = call.function.name?.trim() || undefined
    const text = argumentsOf(call.function.arguments)
    const found = findOpen(call, name)
    const { id: _, index: __, ...others } = call
    if (found !== undefined) {
      found.text += text
      return { ...others, index: open.indexOf(found), function: { arguments: text } }
    }
    // Without a name it is no call; the SDK says so.
    if (name === undefined) return value
    open.push({ wireIndex: call.index ?? undefined, wireId: call.id || undefined, name, text })
    const index = open.length - 1
    const id = call.id && !ids.has(call.id) ? call.id : `call_part_${index}`
    ids.add(id)
    return { ...others, index, id, function: { ...call.function, name, arguments: text } }
  }

  /** Returns the call that a part continues; undefined if it begins another. */
  function findOpen(call: WireCall, name: string | undefined): OpenCall | undefined {
    const { index, id } = { index: call.index ?? undefined, id: call.id || undefined }
    const sameIndex = ({ wireIndex }: OpenCall) => wireIndex === index
    const sameId = ({ wireId }: OpenCall) => wireId === id
    const last = index !== undefined ? open.findLast(sameIndex) : id !== undefined ? open.findLast(sameId) : open.at(-1)
    if (name === undefined) return last ?? open.findLast(sameId) ?? open.at(-1)
    if (last === undefined) return undefined
    const isAnother = name !== last.name || (id !== undefined && last.wireId !== undefined && id !== last.wireId)
    return isAnother || isJson(last.text) ? undefined : last
  }

  return (calls) => calls.map(repair)
}

const argumentsOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
